/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Structures for elements, joints, loads and functions, one for each kind of the catalogue. A program starts
 * from the default of the kind (`limber_beam_default()`, limber/adders.h), sets what differs and adds it to the model
 * (`LimberModelAddBeam`). The reader of model files fills the same structures.
 *
 * All numbers are SI. Ids of nodes, sections, functions, elements and joints are those of limber/ids.h. */
#ifndef LIMBER_CATALOGUE_H
#define LIMBER_CATALOGUE_H

#include <limber/ids.h>

#include <stdbool.h>

/* ---- sections ---- */
/** One station of a beam's section, in section axes: e1 along the beam, strains (E1, Gamma2, Gamma3, K1, K2, K3). */
typedef struct {
  double at;              /**< place along the span, 0 .. 1 */
  double stiffness[6][6]; /**< symmetric: axial, shear 2, shear 3, torsion, bending 2, bending 3 */
  double mass;            /**< per length */
  double centre[2];       /**< mass centre (e2, e3) */
  double inertia[3][3];   /**< per length, about the reference line, symmetric */
} LimberSection;

/* ---- shapes of sections ---- */
/** The law of a material of solids and membranes. Sections of beams are linear. */
typedef enum {
  LIMBER_LAW_LINEAR,     /**< stress linear in Green's strain */
  LIMBER_LAW_NEO_HOOKEAN /**< for large strains */
} LimberMaterialLaw;

/** An isotropic material: G or nu, not both. */
typedef struct {
  double E;              /**< Young's modulus */
  double nu;             /**< Poisson's ratio */
  double G;              /**< shear modulus */
  double density;        /**< mass per volume */
  LimberMaterialLaw law; /**< of solids and membranes */
} LimberMaterial;

/** An orthotropic material of a section's mesh, with its fibres in the plane of the ply. */
typedef struct {
  double E[3];    /**< Young's moduli along 1 (the fibres), 2 (across them in the plane of the ply) and 3 */
  double G[3];    /**< shear moduli 12, 13, 23 */
  double nu[3];   /**< Poisson's ratios 12, 13, 23 */
  double density; /**< mass per volume */
  double angle;   /**< rad: of the fibres from e1 towards 2 */
} LimberPly;

/** A mesh of the plane of a section, in one piece. */
typedef struct {
  int nodes;            /**< how many */
  const double *at;     /**< y, z of each node, along e2 and e3 from the reference line */
  int cells;            /**< how many */
  const int *count;     /**< nodes of each cell: 3 or 6 of a triangle, 4, 8 or 9 of a quadrilateral */
  const int *node;      /**< of all cells, one after another: corners anticlockwise, middles of edges, the centre */
  const int *material;  /**< of each cell; NULL: 0 */
  const double *plane;  /**< rad, of each cell: its ply is turned by this about e1, from e2; NULL: 0 */
  int materials;        /**< how many */
  const LimberPly *ply; /**< materials */
} LimberSectionMesh;

/** A solid rectangle. Of all shapes: measures are outer ones, width along e2 and height along e3. The reference line
 * runs through the centroid, but for a profile through the origin of its points. */
typedef struct {
  double width;  /**< along e2 */
  double height; /**< along e3 */
} LimberRectangle;

/** A round rod. */
typedef struct {
  double diameter; /**< outer */
} LimberCircle;

/** A round tube, of any thickness. */
typedef struct {
  double diameter;  /**< outer */
  double thickness; /**< of the wall */
} LimberTube;

/** A hollow box of thin walls. */
typedef struct {
  double width;     /**< along e2 */
  double height;    /**< along e3 */
  double thickness; /**< of all four walls, or ... */
  double web;       /**< ... of those along e3 ... */
  double flange;    /**< ... and of those along e2 */
} LimberBox;

/** A web along e3 with flanges along e2: i_beam, channel, tee. */
typedef struct {
  double width;  /**< along e2 */
  double height; /**< along e3 */
  double web;    /**< thickness of the web */
  double flange; /**< thickness of the flanges */
} LimberFlanged;

/** Two legs from a corner along e2 and e3. */
typedef struct {
  double width;     /**< along e2 */
  double height;    /**< along e3 */
  double thickness; /**< of the walls */
} LimberAngle;

/** A thin wall along a line. */
typedef struct {
  const double *points; /**< y, z of the middle of the wall, one after the other */
  int count;            /**< how many */
  double thickness;     /**< of the wall */
} LimberProfileLine;

/** Thin walls along lines. */
typedef struct {
  const LimberProfileLine *line; /**< joined where they have a point in common */
  int lines;                     /**< how many */
} LimberProfile;

/* ---- laws ---- */
/** The side of its rest on which a spring with its damper acts. */
typedef enum {
  LIMBER_SIDE_BOTH,  /**< on both sides */
  LIMBER_SIDE_ABOVE, /**< only above the rest: in tension */
  LIMBER_SIDE_BELOW  /**< only below the rest: in compression */
} LimberSide;

/** Dry friction along a coordinate of a joint: an elastic bristle that sticks up to a limit and slides beyond it. */
typedef struct {
  double kinetic;             /**< force while it slides */
  double static_limit;        /**< force at which it begins to slide; 0: `kinetic` */
  double kinetic_coefficient; /**< the same as a part of the reaction of the joint, in addition */
  double static_coefficient;  /**< 0: `kinetic_coefficient` */
  double radius;              /**< of an angle: arm at which coefficients act */
  double stiffness;           /**< of the bristle; 0: the static force over 0.01 mm or 0.1 mrad */
  double damping;             /**< of the bristle while it sticks, over its stiffness; 0: 10 ms */
} LimberFriction;

/** What acts along a coordinate of a joint, an angle (rad, N m) or a slide (m, N), or along the length of a spring. */
typedef struct {
  double stiffness;           /**< of a spring */
  double rest;                /**< where the spring is at rest */
  double clearance;           /**< the spring acts only farther than this from its rest */
  double damping;             /**< force over rate */
  LimberFriction friction;    /**< of a joint; a spring has none */
  double slip_force;          /**< of a cable over an eye, set by Limber: friction ... */
  double slip_rate;           /**< ... that is viscous below this rate; 0: 1e-3 */
  double limit_stiffness;     /**< of the limits */
  const double *limits;       /**< two: the least and the largest value before a limit is met */
  LimberSide side;            /**< of the rest on which spring and damper act */
  const double *table;        /**< in place of the stiffness: pairs of deflection, growing, and force */
  int pairs;                  /**< how many */
  const double *start;        /**< of a joint: value at the start, to which bodies are moved; NULL: 0 */
  const double *initial_rate; /**< of a joint, at the start; NULL: as the bodies' velocities have it */
  double inertia; /**< of a joint: of what turns or slides with the coordinate, such as a rotor behind a gear */
} LimberLaw;

/* ---- elements ---- */
/** An arc: a turn about the axis through `centre`, from where the beam starts. */
typedef struct {
  double centre[3]; /**< any point of the axis */
  double axis[3];   /**< 0: no arc */
  double angle;     /**< 0: as far as the end of the beam */
} LimberArc;

/** A helix about the axis through `centre`, from where the beam starts. */
typedef struct {
  double centre[3]; /**< any point of the axis */
  double axis[3];   /**< 0: no helix */
  double turns;     /**< how many */
  double pitch;     /**< along the axis in a turn; negative: left-handed */
} LimberHelix;

/** A place that a curved beam runs through. */
typedef struct {
  double at[3]; /**< place */
  double twist; /**< of the section about e1 */
} LimberStation;

/** The axial strain of a beam or bar whose length is s times its natural length. */
typedef enum {
  LIMBER_STRAIN_GREEN,  /**< (s^2 - 1)/2 */
  LIMBER_STRAIN_STRETCH /**< s - 1 */
} LimberStrainMeasure;

/** A geometrically exact beam, with large rotations, shear, coupling and initial curvature. */
typedef struct {
  LimberNodeId from;       /**< frame at its start; LIMBER_NO_NODE: the beam makes its own */
  LimberNodeId to;         /**< frame at its end; LIMBER_NO_NODE: the beam makes its own */
  LimberSectionId section; /**< of all its length */
  int elements;            /**< finite elements along the beam */
  int order;               /**< degree of the finite elements: 1, 2 or 3 */
  double start[3];         /**< where the beam begins when `from` is none or the ground */
  double end[3];       /**< where it ends when `to` is none; of a curved beam: a point ahead on its first tangent, or
                          0: along the first axis of `from` */
  double up[3];        /**< e2 at the start lies in the plane of e1 and up */
  double twist;        /**< pre-twist from start to end about e1, growing evenly */
  double curvature[3]; /**< of the unloaded beam, constant, in section axes; needs `length` */
  double length;       /**< arc length where curvature is given */
  LimberArc arc;       /**< a line along an arc */
  LimberHelix helix;   /**< a line along a helix */
  const LimberStation *station; /**< a smooth line through these */
  int stations;                 /**< how many */
  double damping;               /**< Kelvin-Voigt damping, s: stress = E (strain + damping * rate of strain) */
  double mass_damping;          /**< damping force divided by momentum, relative to the ground, 1/s */
  /** NULL, or in place of `damping` six times of the strains, s: axial, shear 2, 3, torsion, bending 2, 3. Two strains
   * that the section couples have the geometric mean. */
  const double *strain_damping;
  double tension;              /**< axial force at the start, before the beam moves */
  LimberStrainMeasure measure; /**< of axial strain */
} LimberBeam;

/** A rigid body carried by one frame. */
typedef struct {
  LimberNodeId node; /**< a frame */
  double mass;       /**< kg */
  double centre[3];  /**< mass centre from the node, in the node's axes */
  double inertia[6]; /**< about the mass centre, node's axes: 11 22 33 12 13 23 */
} LimberRigidBody;

/** A rotor that spins about an axis of a frame. */
typedef struct {
  LimberNodeId node;       /**< the frame that carries it, whose body has its mass and its inertia across the axis */
  double axis[3];          /**< ground axes, at the start */
  double inertia;          /**< about the axis */
  double speed;            /**< relative to the node, at the start */
  LimberFunctionId torque; /**< of a motor between node and wheel, a function of time; LIMBER_NO_FUNCTION: none */
  LimberFunctionId
      drive; /**< in place of both: speed relative to the node, a function of time; LIMBER_NO_FUNCTION: none */
} LimberWheel;

/** A mass without extension. */
typedef struct {
  LimberNodeId node; /**< a point or frame */
  double mass;       /**< kg */
} LimberMass;

/** A straight bar that carries axial force only. */
typedef struct {
  LimberNodeId nodes[2];       /**< the two nodes */
  double stiffness;            /**< EA */
  double mass;                 /**< per length */
  double length;               /**< natural length; 0: the distance of the nodes */
  double damping;              /**< Kelvin-Voigt damping, s: stress = E (strain + damping * rate of strain) */
  double mass_damping;         /**< damping force divided by momentum, relative to the ground, 1/s */
  double tension;              /**< force that it carries at its length */
  LimberStrainMeasure measure; /**< of axial strain */
} LimberBar;

/** A soft mount between two frames, with a stiffness in every direction. */
typedef struct {
  LimberNodeId nodes[2];  /**< frames; they meet at the position of the second */
  double stiffness[6][6]; /**< force and moment over displacement and rotation, in the first node's axes */
  double damping;         /**< as of a bar */
} LimberBushing;

/** A spring and damper along the distance of two places; forces are positive where they pull. */
typedef struct {
  LimberNodeId nodes[2]; /**< between which it acts */
  const double *at[2];   /**< the ends, in ground axes at the start, where they are not the nodes */
  LimberLaw law;         /**< of the distance; `rest` 0: the distance at the start */
  double preload;        /**< force at the start, from which the rest follows */
} LimberSpring;

/** A line of bars that carry no compression. */
typedef struct {
  LimberNodeId from;   /**< a point or frame */
  LimberNodeId to;     /**< a point or frame */
  int elements;        /**< finite elements along it */
  double stiffness;    /**< EA */
  double mass;         /**< per natural length */
  double length;       /**< natural length; 0: the distance of its ends */
  double damping;      /**< as of a bar, while it is taut */
  double mass_damping; /**< damping force divided by momentum, relative to the ground, 1/s */
  double sag[3];       /**< where the slack hangs at the start; 0: a straight line */
} LimberCable;

/** What of the unsteady air a strip has. */
typedef enum {
  LIMBER_UNSTEADY_NONE, /**< polars alone */
  LIMBER_UNSTEADY_WAKE, /**< the lag of the lift behind the angle of attack */
  LIMBER_UNSTEADY_ALL,  /**< also the mass of the air */
} LimberUnsteady;

/** Coefficients of a section over the angle of attack. */
typedef struct {
  double at;           /**< place, 0 to 1 of the beam's length */
  const double *table; /**< rows of the angle (rad), and of the coefficients of lift, drag and moment */
  int rows;            /**< how many */
} LimberPolar;

/** Wind that several strips share. */
typedef struct {
  double velocity[3];         /**< of the air, in ground axes */
  LimberFunctionId amplitude; /**< factor of the wind over time; LIMBER_NO_FUNCTION: 1 */
  double shear;               /**< exponent of the growth of the wind with height; 0: uniform */
  double height;              /**< at which the wind is that */
  double up[3];               /**< direction upwards; 0: the z axis */
} LimberWind;

/** Wind that several strips share, with turbulence on a grid that is carried along. */
typedef struct {
  const double *velocity; /**< rows of three: along, across, up; points across, then upwards, then in time */
  int rows;               /**< how many */
  int across;             /**< number of points across the wind */
  int upwards;            /**< number of points upwards */
  double spacing[2];      /**< m: distances of the points across and upwards */
  double bottom;          /**< m: height of the lowest points above `at` */
  double step;            /**< s */
  double speed;           /**< m/s: with which the box moves */
  bool periodic;          /**< whether it repeats */
  double direction[3];    /**< of the mean wind, in ground axes */
  double up[3];           /**< direction upwards; 0: the z axis */
  double at[3];           /**< place on the ground below the middle of the grid */
  const double *lead;     /**< s that have passed `at` at the start; NULL: half of the width over the speed */
} LimberWindBox;

/** Category of the turbulence of IEC 61400-1: its intensity at 15 m/s. */
typedef enum {
  LIMBER_TURBULENCE_A_PLUS, /**< 18 % */
  LIMBER_TURBULENCE_A,      /**< 16 % */
  LIMBER_TURBULENCE_B,      /**< 14 % */
  LIMBER_TURBULENCE_C       /**< 12 % */
} LimberTurbulenceCategory;

/** How the deviation of the wind follows from the category and the mean speed. */
typedef enum {
  LIMBER_TURBULENCE_NORMAL, /**< normal turbulence model, NTM */
  LIMBER_TURBULENCE_EXTREME /**< extreme turbulence model, ETM */
} LimberTurbulenceModel;

/** Wind that several strips share, with turbulence of IEC 61400-1 that is made at the start. */
typedef struct {
  double speed;                      /**< mean, at the height of the hub */
  double height;                     /**< of the hub above `at`, in the middle of the grid */
  double direction[3];               /**< of the mean wind, in ground axes */
  double width;                      /**< m: width and height of the grid */
  int points;                        /**< of the grid on each side */
  LimberTurbulenceCategory category; /**< of the turbulence */
  LimberTurbulenceModel model;       /**< how the deviation follows */
  double average;                    /**< m/s: of the year, for extreme turbulence */
  const double *intensity;           /**< instead of the category: deviation over the mean; NULL: by the category */
  double shear;                      /**< exponent of the growth of the mean with height */
  int seed;                          /**< another number gives another record */
  double duration;                   /**< s after which it repeats */
  double step;                       /**< s: longest time between two grids */
  double up[3];                      /**< direction upwards; 0: the z axis */
  double at[3];                      /**< place on the ground below the middle of the grid */
} LimberTurbulence;

/** Air along a beam that is a wing or blade. */
typedef struct {
  LimberElementId element;    /**< the beam */
  LimberElementId air;        /**< a wind; LIMBER_NO_ELEMENT: the next five */
  double wind[3];             /**< velocity of the air, in ground axes */
  LimberFunctionId amplitude; /**< factor of the wind over time; LIMBER_NO_FUNCTION: 1 */
  double shear;               /**< exponent of the growth of the wind with height; 0: uniform */
  double height;              /**< at which the wind is that */
  double up[3];               /**< direction upwards; 0: the z axis */
  double density;             /**< of the air */
  double chord;               /**< of a uniform wing */
  double twist;               /**< rad: the leading edge about e1, from e2 of the section */
  double quarter[2];          /**< the quarter point of the chord, along e2 and e3 */
  const double *stations;     /**< instead: rows of place, chord, twist and quarter point; NULL: uniform */
  int count;                  /**< how many */
  const LimberPolar *polar;   /**< NULL: the four numbers that follow */
  int polars;                 /**< how many */
  double lift_slope;          /**< per rad */
  double zero_lift;           /**< rad: angle of attack without lift */
  double drag;                /**< coefficient */
  double moment;              /**< coefficient, about the quarter point */
  LimberUnsteady unsteady;    /**< what of the unsteady air it has */
  int blades;                 /**< of the rotor, for the velocities that it induces; 0: no rotor */
  LimberNodeId hub;           /**< with `blades`: frame or ground at the centre of the rotor */
  double axis[3];             /**< with `blades`: of the rotor, in ground axes */
  double radii[2];            /**< with `blades`: of hub and tip; 0: of the ends of the beam */
} LimberStrip;

/** Still water around lines: buoyancy, drag and added mass on their nodes. */
typedef struct {
  const LimberElementId *lines; /**< cables, bars and beams */
  int count;                    /**< how many */
  double diameter;              /**< of the drag */
  double area;                  /**< displaced volume per length; 0: that of a circle of the diameter */
  double density;               /**< of the water */
  double gravity;               /**< acceleration of gravity */
  const double *level;          /**< height of its surface above the origin; NULL: all is under water */
  double up[3];                 /**< unit vector upwards; 0: the z axis */
  double drag[2];               /**< coefficients across the line and along it */
  double added_mass;            /**< over the mass of the displaced water */
} LimberStillWater;

/** A flat bottom on which lines lie: a spring and damper at each node, one-sided, and friction. */
typedef struct {
  const LimberElementId *lines; /**< cables, bars and beams */
  int count;                    /**< how many */
  double level;                 /**< height above the origin */
  double up[3];                 /**< unit vector upwards; 0: the z axis */
  double stiffness;             /**< force per length of line over depth */
  double damping;               /**< force per length of line over the rate of the depth */
  double friction;              /**< coefficient */
  double friction_rate;         /**< below which friction is viscous */
} LimberSeaBed;

/** The end of a cable at which a winch reels it. */
typedef enum {
  LIMBER_WINCH_NONE, /**< there is no winch */
  LIMBER_WINCH_FROM, /**< at the end `from` */
  LIMBER_WINCH_TO    /**< at the end `to` */
} LimberWinch;

/** A cable through eyes: without friction its tension is the same everywhere, from its whole length. */
typedef struct {
  LimberNodeId from;    /**< a point or frame at one end */
  LimberNodeId to;      /**< a point or frame at the other end */
  LimberNodeId over[4]; /**< eyes from the first end to the other, points or frames; the last may be LIMBER_NO_NODE */
  double stiffness;     /**< EA */
  double mass;          /**< per natural length; lumped at the nodes as it is at the start */
  double length;        /**< natural length; 0: that of its path at the start, less what `tension` stretches */
  double tension;       /**< at the start, in place of `length` */
  double damping;       /**< a time, as of a bar, while it is taut */
  double friction[4];   /**< coefficient of each eye (Euler and Eytelwein) */
  double friction_rate; /**< at which it slips, and below which friction is viscous; 0: 1 mm/s */
  LimberWinch winch;    /**< gives the cable the joint CABLE.winch, whose slide is the length reeled in */
} LimberReevedCable;

/** A body as a whole; volume 0: none. */
typedef struct {
  double volume;    /**< 0: there is none */
  double centre[3]; /**< centre of the volume */
  double second[6]; /**< integral of x x^T over the volume, x from the centre: 11 22 33 12 13 23 */
} LimberBulk;

/** How a rigid body of points is kept rigid. */
typedef enum {
  LIMBER_ENFORCE_MULTIPLIERS, /**< by Lagrange multipliers */
  LIMBER_ENFORCE_PENALTY,     /**< by stiff springs along its edges */
  LIMBER_ENFORCE_AUGMENTED    /**< by an augmented Lagrangian */
} LimberEnforcement;

/** A body of points that it makes itself, with equal masses: it has no rotations. */
typedef struct {
  double centre[3];               /**< mass centre */
  double axes[9];                 /**< of box and inertia, one after the other; 0: the ground's */
  double mass;                    /**< mass or density */
  double density;                 /**< mass or density */
  double box[3];                  /**< lengths along the axes, or ... */
  double inertia[6];              /**< ... the tensor about the centre: 11 22 33 12 13 23 */
  double E;                       /**< > 0: it deforms as a whole */
  double nu;                      /**< Poisson's ratio */
  double volume;                  /**< 0: that of the box */
  const double *velocity;         /**< of the centre at the start; NULL: as its surroundings */
  const double *angular_velocity; /**< of the body at the start; NULL: as its surroundings */
  LimberEnforcement enforcement;  /**< of a rigid body */
  double penalty;                 /**< stiffness of each edge, for penalty and augmented */
  double tolerance;               /**< for augmented: strain that is left; 0: 1e-12 */
  LimberBulk bulk;                /**< in place of centre, box, inertia and volume */
} LimberSimplexBody;

/** Shapes of cells. */
typedef enum {
  LIMBER_TETRAHEDRON,
  LIMBER_HEXAHEDRON,
  LIMBER_TETRAHEDRON_10,
  LIMBER_TRIANGLE,
  LIMBER_QUADRILATERAL,
  LIMBER_HEXAHEDRON_20
} LimberCellShape;

/** How hexahedra of 8 nodes deform. */
typedef enum {
  LIMBER_HEXAHEDRA_AS_MESHED, /**< as their cells have it, else full */
  LIMBER_HEXAHEDRA_FULL,      /**< by the strains of the displacements: too stiff in bending */
  LIMBER_HEXAHEDRA_ENHANCED   /**< they bend without shear; with a linear material */
} LimberHexahedra;

/** Cells of a mesh: shapes, and their nodes one after the other, points or places of the ground, in the order of VTK.
 */
typedef struct {
  const LimberCellShape *shape;     /**< of each cell */
  const LimberNodeId *nodes;        /**< of all cells, one after the other */
  int count;                        /**< how many */
  const LimberHexahedra *hexahedra; /**< of each cell; NULL: full */
} LimberCells;

/** A body of tetrahedra and hexahedra, free of stress as it is written. */
typedef struct {
  LimberCells cells;         /**< of three dimensions */
  LimberMaterial material;   /**< of all its cells */
  LimberHexahedra hexahedra; /**< how they deform */
  double damping;            /**< as of a bar */
  double mass_damping;       /**< damping force divided by momentum, relative to the ground, 1/s */
} LimberSolid;

/** A symmetric matrix between displacements of the nodes of a mesh, in ground axes: the displacement of node i along
 * direction d = 0, 1, 2 is 3 i + d. Each entry stands for its mirror, too; entries at the same place are added. */
typedef struct {
  int count;           /**< entries */
  const int *row;      /**< of each entry */
  const int *column;   /**< of each entry */
  const double *value; /**< of each entry, N/m or kg */
} LimberMatrix;

/** A mesh as it is in a file. A node of the same number is the same node in all lists of one mesh. */
typedef struct {
  int nodes;                        /**< how many */
  const int *number;                /**< of each node, growing */
  const double *at;                 /**< three coordinates of each, in ground axes */
  int cells;                        /**< how many; 0 of a list of nodes */
  const LimberCellShape *shape;     /**< of each cell */
  const int *cell_node;             /**< index among the nodes, of all cells one after the other, in the order of VTK */
  const LimberHexahedra *hexahedra; /**< of each cell; NULL: full */
  const LimberMatrix *stiffness;    /**< of the body that the nodes stand for; NULL: that of the cells */
  const LimberMatrix *mass;         /**< the same, if there is a stiffness */
} LimberMesh;

/** How the nodes of an interface are held to its frame. */
typedef enum {
  LIMBER_INTERFACE_RIGID,    /**< they move rigidly with the frame */
  LIMBER_INTERFACE_AVERAGING /**< the frame has their mean displacement and rotation; they deform freely */
} LimberInterfaceKind;

/** Nodes of a mesh that a frame of the model is held to. */
typedef struct {
  LimberMesh group;         /**< its nodes */
  LimberNodeId node;        /**< a frame, or a fixed node */
  LimberInterfaceKind kind; /**< how they are held to it */
} LimberInterface;

/** A body of solid cells that is reduced to few points, for small strains and large motions. */
typedef struct {
  LimberMesh mesh;           /**< of cells of three dimensions */
  LimberMaterial material;   /**< of all its cells; all zero: the mesh has matrices, and its cells are not used */
  LimberHexahedra hexahedra; /**< how they deform */
  const LimberInterface *interface; /**< where it is held and loaded */
  int interfaces;                   /**< how many */
  int modes;                        /**< of the free body, besides the deflections by loads at the interfaces */
  double damping;                   /**< fraction of critical damping of every mode */
} LimberReducedBody;

/** What happens to the thickness of a sheet that is stretched. */
typedef enum {
  LIMBER_PLANE_STRESS, /**< it is free to grow thinner */
  LIMBER_PLANE_STRAIN  /**< its thickness is constant */
} LimberPlaneState;

/** A thin sheet of triangles and quadrilaterals that does not resist bending, free of stress as it is written. */
typedef struct {
  LimberCells cells;       /**< of two dimensions */
  LimberMaterial material; /**< of all its cells */
  double thickness;        /**< of the sheet */
  LimberPlaneState plane;  /**< plane stress or plane strain */
  double damping;          /**< as of a bar */
  double mass_damping;     /**< damping force divided by momentum, relative to the ground, 1/s */
} LimberMembrane;

/** A thin body, one hexahedron through its thickness, that bends as a shell does. */
typedef struct {
  LimberCells cells;       /**< hexahedra */
  LimberMaterial material; /**< of all its cells */
  double across[3];        /**< near the direction of the thickness; 0: that of the shortest edges of each cell */
  double damping;          /**< as of a bar */
  double mass_damping;     /**< damping force divided by momentum, relative to the ground, 1/s */
} LimberSolidShell;

/** The mass matrix of a plane beam. */
typedef enum {
  LIMBER_MASS_LUMPED,    /**< masses at its points */
  LIMBER_MASS_CONSISTENT /**< the consistent mass matrix */
} LimberMassMatrix;

/** A beam of rectangular section that moves in one plane: points on its two faces, and no rotations. */
typedef struct {
  double start[3];          /**< of its middle line */
  double end[3];            /**< of its middle line */
  double across[3];         /**< the direction of its depth; 0: the ground's y, or x where it runs along y */
  double depth;             /**< in the plane */
  double width;             /**< normal to the plane */
  int elements;             /**< finite elements along it */
  LimberMaterial material;  /**< nu gives the shear modulus alone */
  double damping;           /**< as of a bar */
  double mass_damping;      /**< damping force divided by momentum, relative to the ground, 1/s */
  LimberMassMatrix inertia; /**< its mass matrix */
} LimberPlaneBeam;

/* ---- joints ---- */
/** Fixes a frame in its position. */
typedef struct {
  LimberNodeId node; /**< the frame to hold */
} LimberClamp;

/** Two frames move as one body. */
typedef struct {
  LimberNodeId nodes[2]; /**< the two nodes */
} LimberWeld;

/** Two nodes share a point and turn freely. */
typedef struct {
  LimberNodeId nodes[2]; /**< the two nodes */
  const double *
      at; /**< a point that both nodes carry along, in ground axes at the start; NULL: the position of the second node */
  const double *second_at; /**< the point that the second node carries instead; the model is assembled at the start */
} LimberSpherical;

/** A joint with an axis: revolute, cylindrical, prismatic, point_on_line. */
typedef struct {
  LimberNodeId nodes[2]; /**< the two nodes */
  double axis[3];        /**< in ground axes at the start; the first node carries it */
  const double *
      at; /**< a point that both nodes carry along, in ground axes at the start; NULL: the position of the second node */
  const double *second_at; /**< the point that the second node carries instead; the model is assembled at the start */
  LimberLaw law[3];        /**< of its coordinates */
} LimberAxisJoint;
typedef LimberAxisJoint LimberRevolute;    /**< a hinge */
typedef LimberAxisJoint LimberCylindrical; /**< turns about the axis and slides along it */
typedef LimberAxisJoint LimberPrismatic;   /**< slides along the axis */
typedef LimberAxisJoint LimberPointOnLine; /**< a node slides along a line of a frame */

/** A joint with a plane: planar, point_in_plane. (slide1, slide2, axis) is right-handed. */
typedef struct {
  LimberNodeId nodes[2]; /**< the two nodes */
  double axis[3];        /**< normal of the plane, in ground axes at the start; the first node carries it */
  const double
      *along; /**< direction of slide1, in ground axes at the start, as far as it is in the plane; NULL: the ground
                          axis that follows the one nearest to the axis, in the order x, y, z, x, made normal to it */
  const double *
      at; /**< a point that both nodes carry along, in ground axes at the start; NULL: the position of the second node */
  const double *second_at; /**< the point that the second node carries instead; the model is assembled at the start */
  LimberLaw law[3];        /**< of its coordinates */
} LimberPlaneJoint;
typedef LimberPlaneJoint LimberPlanar;       /**< slides in a plane and turns about its normal, the axis */
typedef LimberPlaneJoint LimberPointInPlane; /**< a node slides in a plane of a frame, whose normal is the axis */

/** Two shafts joined by a cross, with the two angles of the cross. */
typedef struct {
  LimberNodeId nodes[2]; /**< the two nodes */
  double axis[3];        /**< that the first node carries */
  double second_axis[3]; /**< that the second node carries, normal to the first */
  const double *
      at; /**< a point that both nodes carry along, in ground axes at the start; NULL: the position of the second node */
  const double *second_at; /**< the point that the second node carries instead; the model is assembled at the start */
  LimberLaw law[3];        /**< of its coordinates */
} LimberUniversal;

/** Turns about an axis and slides along it in proportion. */
typedef struct {
  LimberNodeId nodes[2]; /**< the two nodes */
  double axis[3];        /**< in ground axes at the start; the first node carries it */
  double pitch;          /**< slide along the axis in a full turn */
  const double *
      at; /**< a point that both nodes carry along, in ground axes at the start; NULL: the position of the second node */
  const double *second_at; /**< the point that the second node carries instead; the model is assembled at the start */
  LimberLaw law[3];        /**< of its coordinates */
} LimberScrew;

/** Ties the angles of two joints: first = ratio second, or a law of first - ratio second. */
typedef struct {
  LimberJointId first;  /**< joint with an angle */
  LimberJointId second; /**< another */
  double ratio;         /**< angle of the first over that of the second; negative: they turn against each other */
  LimberLaw law[1];     /**< of first - ratio second, an angle of the first joint; nothing in it: rigid */
} LimberGear;

/** Ties an angle and a slide: slide = radius angle, or a law of slide - radius angle. */
typedef struct {
  LimberJointId pinion; /**< joint with an angle */
  LimberJointId rack;   /**< joint with a slide */
  double radius;        /**< slide per angle; negative: the other way */
  LimberLaw law[1];     /**< of slide - radius angle; nothing in it: rigid */
} LimberRackAndPinion;

/** Ties the angles of two pulleys: radii[0] first = radii[1] second, or a law of their difference. */
typedef struct {
  LimberJointId first;  /**< joint of a pulley */
  LimberJointId second; /**< joint of the other */
  double radii[2];      /**< of the pulleys; one of them negative: a crossed belt */
  LimberLaw law[1];     /**< of radii[0] first - radii[1] second, the stretch; nothing in it: rigid */
} LimberBelt;

/** Ties three angles: input = ratio (first + second)/2, or a law of the difference. */
typedef struct {
  LimberJointId input;  /**< joint of the shaft that drives */
  LimberJointId first;  /**< joint of one output */
  LimberJointId second; /**< joint of the other */
  double ratio;         /**< angle of the input over the mean of the outputs */
  LimberLaw law[1];     /**< of input - ratio (first + second)/2; nothing in it: rigid */
} LimberDifferential;

/** A number to which a formula gives a name. */
typedef struct {
  const char *name; /**< by which the formula calls it */
  double value;     /**< its value */
} LimberParameter;

/** A formula of the time t in s, or of what its owner says. */
typedef struct {
  const char *text;                 /**< NULL: none; copied, and so are its parameters */
  const LimberParameter *parameter; /**< names that the text uses beside these */
  int parameters;                   /**< how many */
} LimberFormula;

/** Ties coordinates of two or three joints: sum of factors times coordinates = 0, or a formula = 0, or a law of either.
 */
typedef struct {
  LimberJointId joint[3];    /**< the joints; the last may be LIMBER_NO_JOINT */
  const char *coordinate[3]; /**< of each the name of its coordinate; NULL: its first */
  double factors[3];         /**< of the coordinates; the last is not used with two joints */
  LimberLaw law[1];          /**< of the sum; nothing in it: rigid */
  LimberFormula formula;     /**< of `first`, `second`, `third` in place of the sum; no text: none */
} LimberCoupler;

/** Coordinates x, y, z along the ground's axes and, of a frame, `angle` about the axis: each is held unless driven. */
typedef struct {
  LimberNodeId node; /**< the node */
  double axis[3];    /**< of the angle */
} LimberPrescribedMotion;

/** Two places keep their distance. */
typedef struct {
  LimberNodeId nodes[2]; /**< the two nodes */
  double length;         /**< 0: the distance of the ends */
  const double *at[2];   /**< the ends, where they are not the nodes */
} LimberDistance;

/** The distance of two places as a coordinate; it constrains nothing. */
typedef struct {
  LimberNodeId nodes[2]; /**< the two nodes */
  const double *at[2];   /**< the ends, where they are not the nodes */
  LimberLaw law[1];      /**< of the slide: the change of the distance of the ends since the start */
} LimberActuator;

/** Points that keep their distances, as points of one rigid body. */
typedef struct {
  LimberNodeId nodes[2]; /**< points that keep their distances */
  LimberNodeId third;    /**< one more; may be LIMBER_NO_NODE */
  LimberNodeId fourth;   /**< one more; may be LIMBER_NO_NODE */
} LimberRigidPoints;

/** A point that a body carries along. */
typedef struct {
  LimberNodeId body; /**< a frame, a body of points or the ground */
  LimberNodeId node; /**< a point that it carries along */
} LimberRigidTie;

/** A point whose place others carry, with constant weights. */
typedef struct {
  LimberNodeId node;         /**< a point whose place ... */
  LimberNodeId reference[2]; /**< points that carry it */
  LimberNodeId third;        /**< one more; may be LIMBER_NO_NODE */
  LimberNodeId fourth;       /**< one more; may be LIMBER_NO_NODE */
} LimberMultipointConstraint;

/* ---- loads ---- */

/** A force on a node, in ground axes. */
typedef struct {
  LimberNodeId node;          /**< the node */
  double direction[3];        /**< times the amplitude */
  LimberFunctionId amplitude; /**< a function of time; LIMBER_NO_FUNCTION: 1 */
} LimberForce;

/** A moment on a frame, in ground axes. */
typedef struct {
  LimberNodeId node;          /**< a frame */
  double direction[3];        /**< times the amplitude */
  LimberFunctionId amplitude; /**< a function of time, by which it is multiplied; LIMBER_NO_FUNCTION: 1 */
} LimberMoment;

/** A force or moment that turns with its node: follower_force, follower_moment. */
typedef struct {
  LimberNodeId node;          /**< a frame */
  double direction[3];        /**< in the axes of the node, which turn it; times the amplitude */
  LimberFunctionId amplitude; /**< a function of time, by which it is multiplied; LIMBER_NO_FUNCTION: 1 */
} LimberFollower;
typedef LimberFollower LimberFollowerForce;  /**< a force */
typedef LimberFollower LimberFollowerMoment; /**< a moment */

/** The axes in which the direction of a load is given. */
typedef enum {
  LIMBER_AXES_GROUND, /**< those of the ground */
  LIMBER_AXES_SECTION /**< those of the section, which turn with it */
} LimberLoadAxes;

/** A force or moment per length of an element: line_force, line_moment. */
typedef struct {
  LimberElementId element;    /**< with a length, such as a beam or a bar */
  double direction[3];        /**< per unloaded length, times the amplitude */
  LimberLoadAxes axes;        /**< of the direction */
  LimberFunctionId amplitude; /**< a function of time, by which it is multiplied; LIMBER_NO_FUNCTION: 1 */
} LimberLineLoad;
typedef LimberLineLoad LimberLineForce;  /**< a force per length */
typedef LimberLineLoad LimberLineMoment; /**< a moment per length */

/** Weight of all elements, or of some. */
typedef struct {
  double acceleration[3];          /**< times the amplitude */
  LimberFunctionId amplitude;      /**< a function of time, by which it is multiplied; LIMBER_NO_FUNCTION: 1 */
  const LimberElementId *elements; /**< on whose mass it acts; copied */
  int count;                       /**< 0: on all */
} LimberGravity;

/** Acceleration of the ground. */
typedef struct {
  double acceleration[3];     /**< of the ground, times the amplitude */
  LimberFunctionId amplitude; /**< a function of time, by which it is multiplied; LIMBER_NO_FUNCTION: 1 */
} LimberBaseAcceleration;

/** A torque about the axis of a joint. */
typedef struct {
  LimberJointId joint;        /**< a joint with an angle */
  double value;               /**< times the amplitude; turns nodes[1] against nodes[0] */
  LimberFunctionId amplitude; /**< a function of time, by which it is multiplied; LIMBER_NO_FUNCTION: 1 */
} LimberTorque;

/** A force or torque along a coordinate of a joint. */
typedef struct {
  LimberJointId joint;        /**< the joint */
  const char *coordinate;     /**< its coordinate; NULL: the one it has */
  double value;               /**< force or torque, times the amplitude */
  LimberFunctionId amplitude; /**< a function of time, by which it is multiplied; LIMBER_NO_FUNCTION: 1 */
} LimberJointForce;

/** A force or torque that makes a coordinate of a joint follow a function of time. */
typedef struct {
  LimberJointId joint;        /**< the joint */
  const char *coordinate;     /**< its coordinate; NULL: the one it has */
  LimberFunctionId reference; /**< function of time that the coordinate is to follow; LIMBER_NO_FUNCTION: 1 */
  double gain;                /**< force over error */
  double derivative_gain;     /**< force over the error of the rate */
} LimberController;

/** Prescribes a coordinate of a joint, by its motion since the start or by its rate; the other is LIMBER_NO_FUNCTION.
 */
typedef struct {
  LimberJointId joint;     /**< the joint */
  const char *coordinate;  /**< its coordinate; NULL: the one it has */
  LimberFunctionId motion; /**< a function of time: the change since the start */
  LimberFunctionId rate;   /**< a function of time: the rate */
} LimberDrive;

/* ---- ports ---- */

/** The end of a line to another model (limber/ports.h), at a coordinate of a joint or at the position of a node. */
typedef struct {
  LimberJointId joint;    /**< the joint; LIMBER_NO_JOINT: a node */
  const char *coordinate; /**< its coordinate; NULL: the first */
  LimberNodeId node;      /**< instead of a joint: the node; LIMBER_NO_NODE: a joint */
  double mass;            /**< mass of the line in kg, or kg m2 at an angle; this model lends half of it */
  double impedance;       /**< N s/m, or N m s/rad at an angle: instead of a mass; 0: there is a mass */
} LimberWave;

/** A bond to the FMU of a control block (limber/ports.h), at a coordinate of a joint or at a node. */
typedef struct {
  LimberJointId joint;    /**< the joint; LIMBER_NO_JOINT: a node */
  const char *coordinate; /**< its coordinate; NULL: the first */
  LimberNodeId node;      /**< instead of a joint: the node; LIMBER_NO_NODE: a joint */
  double direction[3];    /**< of the bond at a node, in ground axes */
  const char *fmu;        /**< the control block */
  const char *flow;       /**< its input: the velocity of the coordinate */
  const char *effort;     /**< its output: the force on the coordinate */
  double tolerance;       /**< J: energy that the exchange may create */
  int repeats;            /**< how often a step is repeated at most */
  int substeps;           /**< steps of the FMU within one of the model, whose force is their mean; 0: 8, or 1 of an FMU
                               that needs steps of equal length */
} LimberBond;

/* ---- functions of time ---- */

/** The same value at all times. */
typedef struct {
  double value; /**< its value */
} LimberConstant;

/** A value that a program sets between steps (LimberModelSetSignal). */
typedef struct {
  double value; /**< until LimberModelSetSignal gives another; held over a step */
} LimberSignal;

/** 0 until start, peak at `at`, 0 from `end` on. */
typedef struct {
  double peak;  /**< value at `at` */
  double start; /**< s: 0 until then */
  double at;    /**< s */
  double end;   /**< s: 0 from then on */
} LimberTriangle;

/** From one value to another: ramp, smooth_step. */
typedef struct {
  double from;  /**< value until its start */
  double to;    /**< value from its end on */
  double start; /**< s */
  double end;   /**< s */
} LimberRamp;
typedef LimberRamp LimberSmoothStep; /**< with a continuous rate */

/** A sine whose frequency grows. */
typedef struct {
  double amplitude; /**< half the distance of the extremes */
  double from;      /**< frequency at its start, Hz */
  double to;        /**< frequency at its end, Hz */
  double start;     /**< s */
  double end;       /**< s */
} LimberChirp;

/** Linear between entries, constant outside. */
typedef struct {
  int count;           /**< how many entries */
  const double *time;  /**< of the entries; copied */
  const double *value; /**< linear between entries, constant outside; copied */
} LimberTable;

/** mean + amplitude sin(2 pi frequency t + phase). */
typedef struct {
  double amplitude; /**< half the distance of the extremes */
  double frequency; /**< Hz */
  double phase;     /**< rad */
  double mean;      /**< middle of the extremes */
} LimberSine;

/** Functions summed or multiplied: sum, product. */
typedef struct {
  const LimberFunctionId *of; /**< functions that were added to the model before; copied */
  int count;                  /**< how many */
} LimberCombination;
typedef LimberCombination LimberSum;     /**< their sum */
typedef LimberCombination LimberProduct; /**< their product */

/** A function given by a formula; without `rate` its rate is found by differences. */
typedef struct {
  LimberFormula value; /**< of the time t */
  LimberFormula rate;  /**< its derivative; no text: found by differences */
} LimberExpression;

/* ---- surfaces and contacts ---- */
/** A sphere that a node carries along; a point where its radius is 0. */
typedef struct {
  LimberNodeId node; /**< that carries it */
  const double *at;  /**< its centre at the start, in ground axes; NULL: the node */
  double radius;     /**< 0: a point */
} LimberSphereSurface;

/** A half-space behind a plane, whose normal points out of it. */
typedef struct {
  LimberNodeId node; /**< that carries it */
  const double *at;  /**< a point of the plane at the start, in ground axes; NULL: the node */
  double normal[3];  /**< out of the body, in ground axes */
} LimberPlaneSurface;

/** The side of a cylinder that others touch. */
typedef enum {
  LIMBER_CYLINDER_OUTSIDE, /**< a rod */
  LIMBER_CYLINDER_INSIDE   /**< a pipe without end */
} LimberCylinderSide;

/** A round rod with round ends, or the inside of a pipe. */
typedef struct {
  LimberNodeId node;       /**< that carries it */
  const double *at;        /**< the middle of its axis at the start, in ground axes; NULL: the node */
  double axis[3];          /**< in ground axes */
  double radius;           /**< of the rod or the bore */
  double length;           /**< of its axis, between the centres of its round ends; 0: without end */
  LimberCylinderSide side; /**< that others touch */
  int points;              /**< along its axis that meet planes, boxes and other rods; 0: none do */
} LimberCylinderSurface;

/** A box with rounded edges. */
typedef struct {
  LimberNodeId node; /**< that carries it */
  const double *at;  /**< its middle at the start, in ground axes; NULL: the node */
  double size[3];    /**< along the axes of the node */
  double rounding;   /**< radius of its edges and corners; 0: a tenth of the smallest size */
  int points;        /**< along each edge between its corners; 0: edges do not meet edges */
} LimberBoxSurface;

/** The round surface along a beam, bar or cable. */
typedef struct {
  LimberElementId element; /**< that it follows */
  double radius;           /**< about the line */
  int points;              /**< at which each piece between two nodes is met */
  double self_contact;     /**< it meets itself at points further apart along the line than this; 0: it does not */
} LimberBeamSurface;

/** The outer faces of a body of solids, or the faces of a membrane. */
typedef struct {
  LimberElementId element; /**< whose faces they are */
  LimberCells cells;       /**< of two dimensions: only faces that are such cells; count 0: all */
  const double *facing;    /**< only faces that look within 45 degrees of this direction; NULL: all */
  double radius;           /**< of a skin about the faces; 0: none */
  int points;              /**< at which each face is met along each of its sides */
} LimberFacesSurface;

/** Whether surfaces in contact may enter each other. */
typedef enum {
  LIMBER_PENETRATION_ALLOWED, /**< a stiffness or Hertz' law resists it */
  LIMBER_PENETRATION_NONE     /**< they do not: gaps stay open or closed */
} LimberPenetration;

/** What a step does in which two surfaces begin to touch. */
typedef enum {
  LIMBER_TOUCH_WITHIN_STEP, /**< it continues to its end */
  LIMBER_TOUCH_ENDS_STEP    /**< it is cut there, and its rest follows */
} LimberFirstTouch;

/** What happens where surfaces meet. */
typedef struct {
  const LimberSurfaceId *surfaces; /**< each of these ... */
  int nsurfaces;                   /**< how many; 0: all of the model */
  const LimberSurfaceId *with;     /**< ... with each of these */
  int nwith;                       /**< how many; 0: with the others of `surfaces` */
  double stiffness;       /**< force over depth; per length of a beam and area of faces, of both where two meet */
  double hertz;           /**< in its place the effective modulus of Hertz' law, 1/((1 - nu1^2)/E1 + (1 - nu2^2)/E2) */
  double restitution;     /**< speed after an impact over the speed before it */
  double rest_speed;      /**< below this speed of approach the damper does not get stiffer */
  double friction;        /**< coefficient of Coulomb's friction */
  double slip_speed;      /**< below which regularised friction grows from zero; not without penetration */
  double stick_stiffness; /**< tangential stiffness of true stick; 0: regularised, or without penetration rigid */
  double stick_damping;   /**< viscous over elastic stiffness while it sticks */
  LimberPenetration penetration; /**< whether they may enter each other */
  double
      gap_tolerance; /**< of a contact without penetration: by how much gaps may be off; 0: 1e-12 of the model's size */
  LimberFirstTouch first_touch; /**< what a step does in which a pair begins to touch */
} LimberContact;

#endif
