// SPDX-License-Identifier: Apache-2.0
// The contract of an element. An item of the catalogue (a beam, a body) builds one or more elements; an element has
// integration points, each a table of rows with a stiffness or a law, and gives inertia to its nodes. Nothing else:
// energy, force, tangent and the energy proof follow here, once.
#ifndef LIMBER_MECHANICS_ELEMENT_H
#define LIMBER_MECHANICS_ELEMENT_H

#include "base/field.h"
#include "limber/catalogue.h"
#include "mechanics/cell.h"
#include "mechanics/drag.h"
#include "mechanics/flow.h"
#include "mechanics/joint.h"
#include "mechanics/law.h"
#include "mechanics/visual.h"
#include "mechanics/rows.h"
#include "mechanics/wheel.h"
#include "mechanics/wind.h"

#include <limits.h>

extern const char element_too_many[]; // what a kind returns that would add more than the builder's `most`

typedef struct PointResponse PointResponse;
typedef struct CarriedMesh CarriedMesh; // carried_mesh.h

enum { ELEMENT_TERMS = MAX_ROWS * 28 };

// One integration point: its rows, and the response of their strains e, a table of functions (response_linear and
// others below) of what `of` has. By default it is linear: strain energy  weight/2 e^T C e,  and a damper of the same
// pattern beside it (Kelvin & Voigt), whose stress over a stage is damping C (e_k - e_n)/h, which takes energy by its
// form.
typedef struct ElementPoint ElementPoint;
struct ElementPoint {
  Rows rows;
  double weight;
  double at;               // place along the element, 0 .. 1, for output
  const double *stiffness; // nrow x nrow, symmetric; comes as NULL, for responses that have none
  double damping;          // s; comes as 0
  // A damper with a time of its own for each row, in place of `damping`: S C S with S the diagonal of these roots of the
  // times, so that it takes energy whatever C couples. Of response_linear; comes as NULL.
  const double *damper;
  const PointResponse *response; // comes as response_linear
  const LawTable *law;           // of response_law: the functions of `of`
  const void *of;                // what the response acts with; comes as NULL
  // What resists the motion of y_0 beside the response (drag.h), with its data; comes as NULL.
  DragFunction drag;
  const void *drag_of;
  const FlowTable *flow; // what flows around it (flow.h), acting with `of`; comes as NULL
  // Changes the law at the start of a step, from the vectors xn there: fills `own` and makes it `of`; comes as NULL.
  void (*begin)(ElementPoint *p, const Vec3 *xn, Law *own);
  const void *data; // of the element, and the number of the point, as they come
  int g;
  RowTerm terms[ELEMENT_TERMS]; // room for rows.term, for kinds that do not keep their terms
};

// The response of a point along the sum of its rows by a law: energy  weight V(e_1 + e_2 + ...).
void element_point_law(ElementPoint *p, const LawTable *law, const void *of);

// What a law acts along.
static inline double element_law_strain(const ElementPoint *p, const double *e) {
  double sum = e[0];
  for (int r = 1; r < p->rows.nrow; r++) sum += e[r];
  return sum;
}

// What a kind may ask and do while it builds its elements.
typedef struct ElementBuilder ElementBuilder;
struct ElementBuilder {
  void *self;
  NodeKind (*node)(ElementBuilder *b, LimberNodeId id, Vec3 x[4]);
  LimberNodeId (*add_node)(ElementBuilder *b, NodeKind kind, const Vec3 x[4]); // of a point x[0] alone matters
  // Data of the kind's data_size, zeroed; NULL: there can be no more, and building ends.
  void *(*add_element)(ElementBuilder *b, int nnode, const LimberNodeId *nodes);
  void (*set_velocity)(ElementBuilder *b, LimberNodeId id,
                       Vec3 v);                  // of an own point at the start, whatever others are given
  void *(*keep)(ElementBuilder *b, size_t size); // zeroed, lives as long as the model
  // That holds the item's nodes together. With a name others may refer to it, as ITEM.NAME; NULL: they may not. One
  // that is `driven` has a coordinate without mass, for others to drive or tie.
  void (*add_joint)(ElementBuilder *b, const char *kind, const char *name, bool driven, const void *params);
  const LimberSection *(*section)(ElementBuilder *b, LimberSectionId id, int *stations);
  const char *(*say)(ElementBuilder *b, const char *format, ...); // what is wrong, as of printf
  // Nodes of the i-th element of an item that has a length, and the length that each stands for, the integral of its
  // shape function. Returns their number, 0 after the last element; -1: it is no such item.
  int (*line)(ElementBuilder *b, LimberElementId component, int i, LimberNodeId nodes[MAX_LOCAL_NODES],
              double length[MAX_LOCAL_NODES]);
  // The g-th integration point of that element: the length that it stands for, its place there, 0 .. 1, and its vectors
  // (ElementLine.station), of the nodes that `line` gives. False: there is none.
  bool (*line_point)(ElementBuilder *b, LimberElementId component, int i, int g, double *weight, double *at, Rows *y);
  // A point without mass and place for three states, with their values at the start.
  LimberNodeId (*add_states)(ElementBuilder *b, Vec3 x);
  // The mesh of a reduced body as few points (reduction.h); NULL: `wrong` tells why.
  const struct Reduction *(*reduce)(ElementBuilder *b, const LimberReducedBody *p, Reason *wrong);
  // Holds a frame to weighted points (joint_interface).
  void (*add_interface)(ElementBuilder *b, const InterfaceTie *tie);
  // A wheel (wheel.h) on a node, and its torque or speed; none: it turns freely.
  void (*add_wheel)(ElementBuilder *b, const Wheel *wheel, LimberNodeId node, LimberFunctionId motor);
  int most; // elements that it may add
  // Makes the item a wind that others may name, and finds that of an item, whose factor is then that of this item too;
  // NULL: it is none.
  void (*add_wind)(ElementBuilder *b, const Wind *wind);
  const Wind *(*wind)(ElementBuilder *b, LimberElementId component);
};

// How an element is drawn and written as cells. Cells are what lies between nodes that follow each other; the g-th
// has the g-th integration point. An element with a shape is one cell, which has the mean of all points.
typedef struct {
  CellShape (*cell)(const void *data); // NULL: lines from node to node
  int (*lines)(const void *data);      // how many such lines, from the first node on; NULL: to the last
  // What an element looks like (visual.h), a line at the place `at`, 0 .. 1; `out` comes zeroed. All elements of an
  // item have the same shape. A line begins at the first node and ends at the last; an end, a face, a body moves with
  // the nodes that it names.
  void (*visual)(const void *data, double at, ElementVisual *out);
} ElementDrawing;

// What the points of an element report: generalised forces and their strains, and quantities of its own.
enum { MAX_OWN_OUTPUTS = 7 };
typedef struct {
  const char *const *row_names, *const *row_units, *const *strain_units;
  int own; // how many quantities of its own, with names, units and values at the vectors x, given strains and forces
  const char *const *own_names, *const *own_units;
  void (*own_values)(const void *data, int g, const Vec3 *x, const double *strain, const double *force, double *out);
  void (*flow_values)(const void *data, const FlowStep *step, double *out); // in place of that, of the last step
} ElementOutput;

// An element that has a length.
typedef struct {
  // With the vectors of its nodes y_0 is the place `at`, 0 .. 1 along the element, y_1 to y_3 are the axes of its
  // section, if it has some. NULL: it has no length.
  void (*station)(const void *data, double at, Rows *y);
  void (*axes)(const void *data, int g, const Vec3 *x, Vec3 e[3]); // of the section at a point; NULL: none
  // Force and moment through the section at a point, of the part beyond it on the part before, in ground axes; NULL:
  // none.
  void (*resultant)(const void *data, int g, const Vec3 *x, const double *force, Vec3 out[2]);
} ElementLine;

// An item for the contract tests.
typedef struct {
  const char *nodes; // 'F' frame, 'P' point, 'C' point, a corner of a hexahedron: ids 1, 2, ... of ...
  const void *item;  // ... its public structure
  double mass;       // that it must have; 0 where this depends on the places of its nodes, or it has none
} ElementExample;

typedef struct {
  const char *name, *help;
  FieldTable fields;
  size_t data_size;
  Reason (*build)(const void *params, ElementBuilder *b);
  int (*points)(const void *data);
  int (*inner_points)(const void *data); // that come after those and are no places along the element; NULL: none
  void (*point)(const void *data, int g, ElementPoint *p);   // p->rows comes zeroed but for the arrays
  void (*inertia)(const void *data, int node, Inertia *out); // in the node's axes
  ElementDrawing drawing;
  ElementOutput output;
  ElementLine line;
  ElementExample example;
  const struct ElementBatch *batch; // its elements side by side (batch.h); NULL: one by one
  double (*augmented_tolerance)(
      const void *data); // strain that multipliers beside its stiffness leave (augmented.h); 0, or NULL: none
  bool
      around; // acts on nodes of other items from the ground: it may be loaded at the reference, and gravity leaves its mass alone
  bool body; // its one element's nodes are points that carry all of a body (simplex.h): joints may name it as a node
  bool
      faces; // its elements are quadrilaterals one after the other; its nodes are counted below, above, below, above ...
  // The mesh that an element moves with its nodes, for output: its cells are those of the element. NULL: there is none.
  const CarriedMesh *(*mesh)(const void *data);
  // It is a hexahedron with straight edges that shears where the body bends: thin ones are far too stiff. NULL: none is.
  bool (*shears_in_bending)(const void *data);
} ElementKind;

extern const ElementKind *const element_kinds[]; // ends with NULL

// The field that gives an element dampers, of its stiffness alone (count 1) or also of its mass (count 2), and what a
// map in its place may hold.
typedef struct {
  double ratio, mass, stiffness;
  const void *at;
} ElementDamping;
extern const FieldMore element_damping;
#define ELEMENT_DAMPING_FIELD(type, count, more) \
  { \
    "damping", FIELD_DAMPING, count, offsetof(type, damping), "s", false, 0, \
        "Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map" more, &element_damping \
  }

// The axial strain of a bar or beam of stretch s, row 0 of its points: Green's (s^2 - 1)/2, or s - 1, a root row.
extern const FieldMore element_measures;
#define ELEMENT_MEASURE(type) \
  { \
    "measure", FIELD_WORD, 1, offsetof(type, measure), "", false, 0, \
        "axial strain at the stretch s: green: (s^2 - 1)/2, stretch: s - 1; default: green", &element_measures \
  }

// For kinds that have inertia only.
int element_no_points(const void *data);
int element_one_point(const void *data);

static inline const CarriedMesh *element_mesh(const ElementKind *kind, const void *data) {
  return kind->mesh ? kind->mesh(data) : NULL;
}
int carried_cells(const CarriedMesh *m);

// Cells of an element of `nnode` nodes: those of a mesh that it carries, one with a shape, lines from node to node, or
// one vertex; none where it acts on nodes of others.
static inline int element_cells(const ElementKind *kind, const void *data, int nnode) {
  const ElementDrawing *d = &kind->drawing;
  if (element_mesh(kind, data)) return carried_cells(element_mesh(kind, data));
  return d->lines ? d->lines(data) : kind->around ? 0 : nnode > 1 && !d->cell ? nnode - 1 : 1;
}

// The nodes, from the first on, that its lines go through.
static inline int element_line_nodes(const ElementKind *kind, const void *data, int nnode) {
  return kind->drawing.lines ? kind->drawing.lines(data) + 1 : nnode;
}

// An integration point, as its kind fills it.
void element_point(const ElementKind *kind, const void *data, int g, ElementPoint *p);

// A point of the element has no response at the vectors x, or as seen from those at t_n, if there are some; whether
// its points can come there at all; what that means and what to do, NULL: it is a solid.
bool element_is_inverted(const ElementKind *kind, const void *data, const Vec3 *xn, const Vec3 *x);
bool element_can_invert(const ElementKind *kind, const void *data);
const char *element_inverted_help(const ElementKind *kind, const void *data);

double element_energy(const ElementKind *kind, const void *data, const Vec3 *x);

void element_visual(const ElementKind *kind, const void *data, double at, ElementVisual *out);

// The place of a point along the element, and the length that it stands for.
void element_point_position(const ElementKind *kind, const void *data, int g, double *weight, double *at);

bool element_is_damped(const ElementKind *kind, const void *data); // its points all have the same damping
// A step of an element: its tableau and length, what it recalls of the last one (tableau.h), which the element
// remembers as increments of the rows of all its points, one after the other; NULL: of none.
typedef struct {
  const Tableau *t;
  double h;
  const Recall *recall;
  const double *past;
  double time, amplitude; // at its start; of what flows around the item (flow.h)
  Vec3 omega, centre;     // the steady rotation of the whole; 0: none
} ElementStep;
int element_memory(const ElementKind *kind, const void *data); // how many increments these are

// What a step gives to the balance of energy, over all stages from xn to xk: taken by dampers,
// sum_k w_k damping |e_k - e_n|_C^2/h, and by the scheme, sum_k loss_k |e_k - e_n|_C^2/2 and what the memory loses;
// energy at its end, of strain and of what is remembered; what round-off of strains of the size of one may leave, over
// its size.
typedef struct {
  double damped, lost, strain, memory, rough;
  FlowWork flow; // work of what flows around it, on the element
} ElementBalance;
// Adds to the book. What is to be remembered goes to `next`, which may be NULL.
void element_balance(const ElementKind *kind, const void *data, const ElementStep *step, const Vec3 *xn,
                     Vec3 xk[][MAX_LOCAL_VECTORS], double *next, ElementBalance *balance);

// Strains and generalised forces (stress times nothing: per length) at a point: of a state x, or in the balance of the
// step from xn to xk, with its damper; with forces at the end of the step (FORCE_END) both are those of its end.
void element_forces(const ElementKind *kind, const void *data, int g, const Vec3 *x, double *strain, double *force);
void element_step_forces(const ElementKind *kind, const void *data, const ElementStep *step, int g, const Vec3 *xn,
                         Vec3 xk[][MAX_LOCAL_VECTORS], double *strain, double *force);

// The step as what flows around a point sees it, from the point's vectors.
FlowStep element_flow_step(const ElementStep *step, const Vec3 *yn, const Vec3 *yk);

// Adds the residual and tangent of the strain energy over all stages. `out` is cleared by the caller.
void element_evaluate(const ElementKind *kind, const void *data, const ElementStep *step, const LocalMotion *it,
                      Local *out);

// All points, with the inner ones.
static inline int element_points(const ElementKind *kind, const void *data) {
  return kind->points(data) + (kind->inner_points ? kind->inner_points(data) : 0);
}

// What a point's rows carry over a step: its stresses, and their derivative by the rows of stage l, factor_kl times
// the matrix c; `own` beside it, on stage k itself, if `has_own`.
typedef struct {
  double stress[MAX_STAGES][MAX_ROWS], factor[MAX_STAGES][MAX_STAGES];
  const double *c;
  bool has_own;
  double own[MAX_STAGES][MAX_ROWS * MAX_ROWS], k[MAX_ROWS * MAX_ROWS]; // k: room for c
} PointStress;

// The response of a point, a table of functions. The work of its stresses over a step must be the change of its
// energy and what `balance` says is taken; the contract tests check that of every kind.
struct PointResponse {
  double (*energy)(const ElementPoint *p, const double *e);
  void (*force)(const ElementPoint *p, const double *e, double *force); // derivative of the energy, over the weight
  void (*stiffness)(const ElementPoint *p, const double *e, double *c); // second derivative of the energy, nrow x nrow
  // Stresses over a step from the strains en to ek, times the weight. `past`: what this point remembers, NULL: nothing.
  void (*stress)(const ElementPoint *p, const ElementStep *step, const double *past, const double *en,
                 double ek[][MAX_ROWS], PointStress *out);
  // Adds to the balance of a step, and fills what is to be remembered of it, if `next` is not NULL.
  void (*balance)(const ElementPoint *p, const ElementStep *step, const double *past, const Vec3 *xn,
                  Vec3 xk[][MAX_LOCAL_VECTORS], double *next, ElementBalance *balance);
  unsigned (*losses)(const ElementPoint *p); // LOSS_DAMPER, LOSS_FRICTION
  // Those below may be NULL.
  void (*output_force)(const ElementPoint *p, const double *strain, double *force); // in place of the stress of a step
  const Law *(*contact)(const ElementPoint *p); // along the sum of its rows, with limits that are followed; NULL: none
  bool (*inverted)(const ElementPoint *p, const Vec3 *xn, const Vec3 *x); // see element_is_inverted
  const char *inverted_help;
};
extern const PointResponse response_linear; // by its stiffness and damping
extern const PointResponse response_law;    // by a law of the sum of its rows (element_point_law)
extern const PointResponse
    response_hyper; // by a potential of all rows (hyper.h): energy  weight W(e); the stiffness serves the damper
extern const PointResponse
    response_reel; // by a Law, set as for response_law; its last row is what was reeled in (reel.h)

// The law of a point whose contacts are followed; NULL: it has none.
static inline const Law *element_contact(const ElementPoint *p) {
  return p->response->contact ? p->response->contact(p) : NULL;
}

#endif
