// The housing of a gearbox without its cover, in mm: four walls on a floor, bores for two shafts along x, four feet.
// gmsh housing.geo -3 -o housing.msh
SetFactory("OpenCASCADE");
Box(1) = {-70, -100, 0, 140, 200, 110};
Box(2) = {-62, -92, 8, 124, 184, 110};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
For side In {-1 : 1 : 2}                              // bosses of the bearings
  For shaft In {0 : 1}
    Cylinder(10 + 2*shaft + (side + 1)/2) = {side*66 - 10, shaft ? 40 : -50, 60, 20, 0, 0, 30};
  EndFor
EndFor
For x In {-1 : 1 : 2}
  For y In {-1 : 1 : 2}
    k = 20 + (x + 1) + (y + 1)/2;
    Box(k) = {x*55 - 15, y*88 - 2.5, -60, 30, 5, 60};
    Box(k + 10) = {x*55 - 15, y*88 - 12, -68, 30, 24, 8};
  EndFor
EndFor
BooleanUnion(50) = { Volume{3}; Delete; }{ Volume{10:13, 20:23, 30:33}; Delete; };
Cylinder(60) = {-90, -50, 60, 180, 0, 0, 20};
Cylinder(61) = {-90, 40, 60, 180, 0, 0, 20};
BooleanDifference(70) = { Volume{50}; Delete; }{ Volume{60, 61}; Delete; };
Physical Volume("housing") = {70};
Physical Surface("bearing_1a") = Surface In BoundingBox {-77, -71, 39, -55, -29, 81};
Physical Surface("bearing_1b") = Surface In BoundingBox {55, -71, 39, 77, -29, 81};
Physical Surface("bearing_2a") = Surface In BoundingBox {-77, 19, 39, -55, 61, 81};
Physical Surface("bearing_2b") = Surface In BoundingBox {55, 19, 39, 77, 61, 81};
Physical Surface("feet") = Surface In BoundingBox {-100, -110, -69, 100, 110, -67};
Mesh.MeshSizeMax = 24;
Mesh.MeshSizeFromCurvature = 8;
Mesh.ElementOrder = 2;
