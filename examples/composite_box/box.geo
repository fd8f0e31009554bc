// The box in inches, of four walls with mitred corners: gmsh -2 -order 2 box.geo -o box.msh
w = 0.953/2; h = 0.53/2; t = 0.030;
Point(1) = {-w, -h, 0}; Point(2) = {w, -h, 0}; Point(3) = {w, h, 0}; Point(4) = {-w, h, 0};
Point(5) = {-w + t, -h + t, 0}; Point(6) = {w - t, -h + t, 0}; Point(7) = {w - t, h - t, 0}; Point(8) = {-w + t, h - t, 0};
For i In {1:4}
  j = i % 4 + 1;
  Line(i) = {i, j}; Line(4 + i) = {4 + i, 4 + j}; Line(8 + i) = {i, 4 + i};
EndFor
For i In {1:4}
  j = i % 4 + 1;
  Curve Loop(i) = {i, 8 + j, -(4 + i), -(8 + i)};
  Plane Surface(i) = {i};
  Transfinite Surface{i};
EndFor
Transfinite Curve{1, 3, 5, 7} = 41; Transfinite Curve{2, 4, 6, 8} = 23; Transfinite Curve{9:12} = 3;
Physical Surface("bottom") = {1}; Physical Surface("right") = {2}; Physical Surface("top") = {3}; Physical Surface("left") = {4};
Mesh.MshFileVersion = 4.1;
