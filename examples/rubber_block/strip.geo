// A strip of 40 x 10 x 10 mm and a sheet of 40 x 10 mm for Gmsh, in mm:
//   gmsh -3 strip.geo -order 2 -format msh41 -o strip.msh
//   gmsh -2 strip.geo -setnumber sheet 1 -format msh41 -o sheet.msh
DefineConstant[ sheet = 0 ];
Mesh.MeshSizeMin = 16 - 12 * sheet;
Mesh.MeshSizeMax = 16 - 12 * sheet;
SetFactory("OpenCASCADE");
If (sheet)
  Rectangle(1) = {0, 0, 0, 40, 10};
  left() = Curve In BoundingBox {-1, -1, -1, 1, 11, 1};
  right() = Curve In BoundingBox {39, -1, -1, 41, 11, 1};
  Physical Surface("strip") = {1};
  Physical Curve("left") = left();
  Physical Curve("right") = right();
Else
  Box(1) = {0, 0, 0, 40, 10, 10};
  left() = Surface In BoundingBox {-1, -1, -1, 1, 11, 11};
  right() = Surface In BoundingBox {39, -1, -1, 41, 11, 11};
  Physical Volume("strip") = {1};
  Physical Surface("left") = left();
  Physical Surface("right") = right();
EndIf
from() = Point In BoundingBox {-1, -1, -1, 1, 1, 1};
to() = Point In BoundingBox {39, -1, -1, 41, 1, 1};
Physical Point("from") = from();
Physical Point("to") = to();
