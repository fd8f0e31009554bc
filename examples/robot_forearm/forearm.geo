// The forearm of a robot, in mm: a tapered plate with openings between the bores of elbow and wrist, which are along y.
// gmsh forearm.geo -3 -o forearm.msh
SetFactory("OpenCASCADE");
L = 450; t = 10;                                     // from elbow to wrist; half the thickness
Cylinder(1) = {0, -25, 0, 0, 50, 0, 48};             // hub of the elbow
Cylinder(2) = {L, -20, 0, 0, 40, 0, 34};             // hub of the wrist
Point(101) = {0, -t, -42}; Point(102) = {L, -t, -26}; Point(103) = {L, -t, 26}; Point(104) = {0, -t, 42};
Line(101) = {101, 102}; Line(102) = {102, 103}; Line(103) = {103, 104}; Line(104) = {104, 101};
Curve Loop(101) = {101, 102, 103, 104}; Plane Surface(101) = {101};
web[] = Extrude {0, 2*t, 0} { Surface{101}; };
BooleanUnion(10) = { Volume{web[1]}; Delete; }{ Volume{1, 2}; Delete; };
Cylinder(11) = {0, -30, 0, 0, 60, 0, 30};
Cylinder(12) = {L, -30, 0, 0, 60, 0, 20};
Cylinder(13) = {105, -30, 0, 0, 60, 0, 26};
Cylinder(14) = {205, -30, 0, 0, 60, 0, 24};
Cylinder(15) = {300, -30, 0, 0, 60, 0, 22};
BooleanDifference(20) = { Volume{10}; Delete; }{ Volume{11:15}; Delete; };
Physical Volume("part") = {20};
Physical Surface("elbow") = Surface In BoundingBox {-31, -31, -31, 31, 31, 31};
Physical Surface("wrist") = Surface In BoundingBox {L - 21, -31, -21, L + 21, 31, 21};
Mesh.MeshSizeMax = 20;
Mesh.MeshSizeFromCurvature = 10;
Mesh.ElementOrder = 2;
