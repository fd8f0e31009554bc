// The same bar as a plane model of 200 x 20 mm in x and z, in mm:
//   gmsh -2 plate.geo -setnumber quads 1 -setnumber across 2 -format msh41 -o quads.msh
//   gmsh -2 plate.geo -setnumber across 2 -format msh41 -o triangles.msh
DefineConstant[ quads = 0, across = 1 ];
Point(1) = {0, 0, -10};
Extrude {0, 0, 20} { Point{1}; Layers{across}; }
If (quads)
  Extrude {200, 0, 0} { Curve{1}; Layers{10 * across}; Recombine; }
Else
  Extrude {200, 0, 0} { Curve{1}; Layers{10 * across}; }
EndIf
root() = Curve In BoundingBox {-1, -1, -11, 1, 1, 11};
end() = Curve In BoundingBox {199, -1, -11, 201, 1, 11};
tip() = Point In BoundingBox {199, -1, 9, 201, 1, 11};
Physical Surface("bar") = {5};
Physical Curve("root") = root();
Physical Curve("end") = end();
Physical Point("tip") = tip();
