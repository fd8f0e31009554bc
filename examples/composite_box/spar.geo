// A spar with two webs, in mm: gmsh -2 -order 2 spar.geo -o spar.msh
SetFactory("OpenCASCADE");
w = 200; h = 100; // halves of the outer measures
d[] = {0, 3, 8};  // depths of the plies
For k In {0:2}
  p = 4*k;
  Point(p + 1) = {-w + d[k], -h + d[k], 0}; Point(p + 2) = {w - d[k], -h + d[k], 0};
  Point(p + 3) = {w - d[k], h - d[k], 0}; Point(p + 4) = {-w + d[k], h - d[k], 0};
  For i In {1:4}
    Line(p + i) = {p + i, p + i % 4 + 1};
  EndFor
EndFor
For k In {0:1}
  For i In {1:4}
    Line(20 + 4*k + i) = {4*k + i, 4*k + 4 + i}; // mitres
  EndFor
EndFor
For k In {0:1}
  For i In {1:4}
    j = i % 4 + 1;
    Curve Loop(4*k + i) = {4*k + i, 20 + 4*k + j, -(4*k + 4 + i), -(20 + 4*k + i)};
    Plane Surface(4*k + i) = {4*k + i};
  EndFor
EndFor
Rectangle(9) = {-62, -h + 8, 0, 4, 2*h - 16};
Rectangle(10) = {58, -h + 8, 0, 4, 2*h - 16};
BooleanFragments{ Surface{1:8}; Delete; }{ Surface{9, 10}; Delete; }
For k In {0:1}
  For i In {1:4}
    Physical Surface(Sprintf("ply%g_side%g", k + 1, i)) = {4*k + i};
  EndFor
EndFor
Physical Surface("webs") = {9, 10};
Mesh.CharacteristicLengthMin = 4; Mesh.CharacteristicLengthMax = 4; Mesh.MshFileVersion = 4.1;
