// A bar of 200 x 20 x 20 mm for Gmsh, in mm:
//   gmsh -3 bar.geo -setnumber bricks 1 -setnumber across 2 -format msh41 -o bricks.msh
//   gmsh -3 bar.geo -order 2 -format msh41 -o tetrahedra.msh
// `across` cells over the height, ten times as many along it.
DefineConstant[ bricks = 0, across = 1 ];
Point(1) = {0, -10, -10};
Extrude {0, 20, 0} { Point{1}; Layers{across}; }
Extrude {0, 0, 20} { Curve{1}; Layers{across}; Recombine; }
If (!bricks)
  Delete { Surface{5}; }
  Curve Loop(1) = {1, 4, -2, -3};
  Plane Surface(5) = {1};
  Transfinite Curve {1, 2, 3, 4} = across + 1;
  Transfinite Surface {5};
  Extrude {200, 0, 0} { Surface{5}; Layers{10 * across}; }
Else
  Extrude {200, 0, 0} { Surface{5}; Layers{10 * across}; Recombine; }
EndIf
root() = Surface In BoundingBox {-1, -11, -11, 1, 11, 11};
end() = Surface In BoundingBox {199, -11, -11, 201, 11, 11};
tip() = Point In BoundingBox {199, 9, 9, 201, 11, 11};
Physical Volume("bar") = {1};
Physical Surface("root") = root();
Physical Surface("end") = end();
Physical Point("tip") = tip();
