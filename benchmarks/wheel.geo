// SPDX-License-Identifier: Apache-2.0
// A wheel of 200 mm: a disc of 5 mm with a hub and six large holes, which leave a rim and spokes. Lengths in mm; `size` is that of the cells.
// gmsh -3 -format msh41 -setnumber size 1.74 wheel.geo -o wheel.msh
SetFactory("OpenCASCADE");
If (!Exists(size))
  size = 1.74;
EndIf
Cylinder(1) = {0, 0, -2.5, 0, 0, 5, 100};
Cylinder(2) = {0, 0, -10, 0, 0, 20, 26};
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(10) = {0, 0, -11, 0, 0, 22, 15};
For i In {0:5}
  Cylinder(11 + i) = {62 * Cos(i * Pi / 3), 62 * Sin(i * Pi / 3), -11, 0, 0, 22, 28};
EndFor
BooleanDifference(30) = { Volume{3}; Delete; }{ Volume{10:16}; Delete; };
Physical Volume("wheel") = {30};
rim[] = Point In BoundingBox {99, -1, 2.4, 101, 1, 2.6};
Physical Point("hit") = {rim[]};
Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.RandomSeed = 1;
