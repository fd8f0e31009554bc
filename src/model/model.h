// SPDX-License-Identifier: Apache-2.0
// The model as plain data: built and checked once, immutable during an analysis. Every rank has the whole description
// (positions, connectivity, catalogue data); states, matrices and evaluation are distributed (assembly/).
#ifndef LIMBER_MODEL_MODEL_H
#define LIMBER_MODEL_MODEL_H

#include "base/functions/function.h"
#include "limber/limber.h"
#include "mechanics/carried_mesh.h"
#include "mechanics/cross_section.h"
#include "mechanics/element.h"
#include "mechanics/event.h"
#include "mechanics/joint.h"
#include "mechanics/load.h"
#include "mechanics/shape.h"
#include "mechanics/surface.h"
#include "model/error.h"
#include "model/formula.h"
#include "model/store.h"

typedef struct {
  NodeKind kind;
  int component; // the component that created it; -1: the user did
  bool own;      // the component gave it a velocity
  bool abstract; // a point of mass 1 that represents the coordinate of a joint, not a place (mechanics/joint.h)
  bool lent;     // ... of mass -1: what the coordinate lends to a port
  bool states;   // ... or without mass: states of an element, such as those of the air around it
  const char *name;
  Vec3 x[4];
} ModelNode;

typedef struct {
  const ElementKind *kind;
  int component;
  int first; // its nodes are element_node[first ...]
  int nnode;
  void *data;
} ModelElement;

typedef struct { // an element as the user defines it: one or more ModelElements
  const ElementKind *kind;
  const char *name;
  int first, count;
  int nnode; // of each of its elements; 0: they differ
  int section;
  double mass_damping; // 1/s: damping force over momentum relative to the ground
  int amplitude;       // function of time of what flows around it; LIMBER_NONE: 1
} ModelComponent;

typedef struct { // a component that is a wheel
  const Wheel *wheel;
  int node, load; // load: its motor; LIMBER_NONE: none
  int component;
} ModelWheel;

typedef struct { // a component that is a wind
  const Wind *wind;
  int component;
} ModelWind;

typedef struct {
  const JointKind *kind;
  const char *name;
  Joint joint;
  int nnode; // the ground is the last
  int node[MAX_LOCAL_NODES];
  int last,
      points;         // its last own node, or the first of the points of a body; number of these points, 0: a node
  bool bodies;        // one of its nodes is a body of points
  bool named;         // created by an element; others may refer to it
  bool driven;        // created by an element for others to drive or tie: its coordinate has no mass
  const void *params; // as they were given; what they point at is not copied
} ModelJoint;

typedef struct {
  const LoadKind *kind;
  const char *name;
  Load load;
} ModelLoad;

// A wave port: one load for its coordinate, or three for the directions of a node.
typedef struct {
  const char *name;
  int load, wave, count;  // its first load and wave; their number
  double mass, impedance; // of the line, in its unit; 0: the other is given
  int node;               // that moves with it: the node, or the point that lends the mass; LIMBER_NONE: there is none
} ModelPort;

// A bond port: a load whose force comes from an FMU.
typedef struct {
  const char *name;
  int load;
  double tolerance; // J: energy that the exchange may create
  int repeats, substeps;
  int block, flow, effort; // of the control network: the FMU's block; which of its inputs and outputs
} ModelBond;

typedef struct {
  ActionKind kind;
  int id;    // of the joint or load
  int coord; // -1: all
} ModelAction;

typedef struct {
  const EventKind *kind;
  const char *name;
  EventCondition condition;
  const ModelAction *action;
  int actions;
  bool repeats;
} ModelEvent;

typedef struct {
  const SurfaceKind *kind;
  const char *name;
  int first, count; // its points
  SurfaceBody body;
} ModelSurface;

typedef struct {
  const char *name;
  LimberContact law;            // do not read `surfaces` and `with`: use `members`
  const unsigned char *members; // flags of each surface up to `count`: 1: in `surfaces`, 2: in `with`
  int count;
  bool hard;      // without penetration
  bool ends_step; // the step is cut where a pair first touches
} ModelContact;

typedef struct {
  const FunctionKind *kind;
  const char *name;
  void *params;
  int size;                            // number of functions that its value needs, including itself
  Formula *formula[FUNCTION_FORMULAS]; // of its formula fields, in order; NULL: not given
} ModelFunction;

typedef struct {
  const char *name;
  int count;
  LimberSection *station;
  const Outline **outline;          // of each station; NULL: not known
  const SectionSolution **solution; // of each station, NULL if it was not solved on a mesh; NULL: none was
  const OutlineMarks **marks;       // of each station, NULL: none; NULL: no station has any
  bool of_file;                     // from a file of another program, whose reader checked the numbers
} ModelSection;

typedef struct {
  void *data;
  int count, room;
} ModelArray;

// What took long to compute, kept between processes (files/cache.h). A value that was found is for memory_free.
typedef struct {
  const void *key;
  size_t key_size;
  void *value;
  size_t size;
} KeptValue;
typedef struct {
  bool (*find)(KeptValue *v);
  void (*keep)(const KeptValue *v);
} KeptValues;

struct LimberModelData {
  Vec3 rigid[2]; // velocity at the ground's origin and angular velocity, given to all nodes
  ModelArray nodes, elements, element_node, components, joints, loads, ports, bonds, functions, sections, velocity,
      events;
  ModelArray wheels;
  ModelArray surfaces, points, contacts; // shapes that may touch, and their points
  ModelArray visuals;                    // model/visuals.h
  double *clock;                         // the t of formulae
  Store store;                           // memory that lives as long as the model
  char *diagnostics;
  size_t diagnostics_length, diagnostics_room;
  ModelArray reasons;            // Reason, one for each line of the diagnostics
  Error failure;                 // of the first call that failed: further calls that build the model return it ...
  char *failure_text;            // ... and its message
  const KeptValues *kept_values; // of other processes; NULL: none
  double reduction_work;         // multiplications used so far to reduce bodies
  double section_work;           // multiplications used so far to solve sections on meshes
  int outlines;                  // of sections
  double face_work;              // cell faces examined so far to build surfaces
  int most_elements;             // 0: LIMBER_MOST_ELEMENTS
  void *communicator;            // of the ranks that share the model (assembly/ranks.h); NULL: all
  void (*release)(void *c);      // frees the communicator
  void *workspace;               // shared by its systems (assembly/workspace.h); NULL: none
  ModelArray winds;
};

// The error of an earlier call, after which calls do nothing; 0: none.
Error model_failure(LimberModel m);
// Stores an error if it is the model's first. Returns it.
Error model_keep_failure(LimberModel m, Error error);
// Makes a call on a model unless an earlier one failed, and stores its error.
#define MODEL_CALL(model, call) \
  (!model_failure(model) ? model_keep_failure(model, call) : (model) ? (model)->failure : ERROR_ARGUMENT)

// The name of a part in messages, whether it has one or not.
static inline const char *shown_name(const char *name) { return name ? name : "?"; }

typedef const struct LimberModelData *Model;

static inline const ModelNode *model_node(Model m, ptrdiff_t i) { return &((const ModelNode *)m->nodes.data)[i]; }
static inline bool model_node_is_named(const ModelNode *n) { return n->component < 0 && !n->abstract; }
static inline const ModelElement *model_element(Model m, ptrdiff_t i) {
  return &((const ModelElement *)m->elements.data)[i];
}
static inline const int *model_element_nodes(Model m, const ModelElement *e) {
  return &((const int *)m->element_node.data)[e->first];
}
static inline const ModelComponent *model_component(Model m, ptrdiff_t i) {
  return &((const ModelComponent *)m->components.data)[i];
}
static inline const ModelWheel *model_wheel(Model m, ptrdiff_t i) { return &((const ModelWheel *)m->wheels.data)[i]; }
static inline const ModelWind *model_wind(Model m, ptrdiff_t i) { return &((const ModelWind *)m->winds.data)[i]; }
// Index of the wheel that a component is; -1: it is none.
int model_find_wheel(Model m, int component);
static inline const ModelJoint *model_joint(Model m, ptrdiff_t i) { return &((const ModelJoint *)m->joints.data)[i]; }
// A joint that the model added to another for the inertia of a coordinate.
static inline bool model_joint_is_abstract(const ModelJoint *j) { return j->kind == &joint_coordinate_inertia; }
static inline const ModelPort *model_port(Model m, ptrdiff_t i) { return &((const ModelPort *)m->ports.data)[i]; }
static inline const ModelBond *model_bond(Model m, ptrdiff_t i) { return &((const ModelBond *)m->bonds.data)[i]; }
// The impedance of a port where waves are exchanged every h.
static inline double port_impedance(const ModelPort *q, double h) { return q->mass > 0 ? q->mass / h : q->impedance; }
static inline int model_waves(Model m) {
  return m->ports.count ? model_port(m, m->ports.count - 1)->wave + model_port(m, m->ports.count - 1)->count : 0;
}
static inline const ModelLoad *model_load(Model m, ptrdiff_t i) { return &((const ModelLoad *)m->loads.data)[i]; }
static inline const ModelEvent *model_event(Model m, ptrdiff_t i) { return &((const ModelEvent *)m->events.data)[i]; }
static inline const ModelSection *model_section(Model m, ptrdiff_t i) {
  return &((const ModelSection *)m->sections.data)[i];
}
// Whether a station is a shape or a mesh, not numbers.
static inline bool model_section_has_shape(const ModelSection *s, int station) {
  return s->outline && s->outline[station] && !s->outline[station]->numbers;
}
static inline void model_section_set_of_file(Model m, ptrdiff_t i) {
  ((ModelSection *)m->sections.data)[i].of_file = true;
}
static inline const ModelSurface *model_surface(Model m, ptrdiff_t i) {
  return &((const ModelSurface *)m->surfaces.data)[i];
}
static inline const SurfacePoint *model_point(Model m, ptrdiff_t i) {
  return &((const SurfacePoint *)m->points.data)[i];
}
static inline const ModelContact *model_contact(Model m, ptrdiff_t i) {
  return &((const ModelContact *)m->contacts.data)[i];
}
// Whether a contact lets two points of one surface collide (self-contact).
static inline bool model_contact_joins_itself(const ModelContact *c, const SurfacePoint *p, const SurfacePoint *q) {
  if (p->surface != q->surface || !(p->itself > 0) || p->surface >= c->count) return false;
  return c->members[p->surface] == 3 && !(fabs(p->along - q->along) < p->itself);
}
// Whether a contact lets two surfaces collide.
static inline bool model_contact_joins(const ModelContact *c, int a, int b) {
  if (a == b || a >= c->count || b >= c->count) return false;
  return (c->members[a] & 1 && c->members[b] & 2) || (c->members[a] & 2 && c->members[b] & 1);
}
// Why two surfaces cannot collide; NULL: they can.
const char *model_surfaces_apart(Model m, int a, int b);
static inline const ModelFunction *model_function(Model m, ptrdiff_t i) {
  return &((const ModelFunction *)m->functions.data)[i];
}

// The component of the body of points that is given in place of a node, or -1.
int model_body(Model m, int id);
// Finds the nodes of a joint from the `count` nodes that the user names; bodies are replaced by their points. False:
// none of them moves, two are the same, or there are too many.
bool model_joint_nodes(Model m, int count, const int *named, JointNodes *at, ModelJoint *j);
// The same for a coupling: its nodes are those of the joints that it ties, each once, then its own. Returns what is
// wrong, if anything.
Reason model_tied_nodes(Model m, int count, const int *own, JointNodes *at, ModelJoint *j, char *text, size_t size);
// Reads the formula of a coupling, if it has one. `wrong`: what is wrong with it.
Error ModelTiedFormula(LimberModel m, const JointKind *kind, const void *params, JointNodes *at, Reason *wrong);

// Rebuilds a joint with the present positions `x` of its nodes (4 vectors each) as its reference. False: impossible.
bool model_joint_at(Model m, int joint, int count, Vec3 x[][4], Joint *out);

// Initial velocity and angular velocity of a node, in ground axes.
void model_velocity(Model m, ptrdiff_t node, Vec3 *v, Vec3 *w);

// Whether air flows around an element, and how many states of it have a rate.
bool model_has_flow(Model m);
int model_flow_states(Model m);

// The amplitude of a load at a time, its rate, and whether it is constant. Without a function the amplitude is 1.
double model_amplitude(Model m, int function, double t);
double model_amplitude_rate(Model m, int function, double t);
bool model_amplitude_constant(Model m, int function);
bool model_amplitude_set(Model m, int function); // a program sets it, or a function that it is made of
// A prescribed coordinate: its value at the start, its value at t + h if it is zn at t, and its rate at t.
double model_drive_start(Model m, const Load *l);
double model_drive(Model m, const Load *l, double t, double h, double zn);
double model_drive_rate(Model m, const Load *l, double t);

// "node 'tip'"; "node 'blade.7'", the eighth along the component blade; or "node 'rope.point1'", the first node of rope
// that is not on its line.
void model_name_node(Model m, ptrdiff_t node, char *out, size_t size);
// "revolute 'hinge'"
void model_name_joint(Model m, ptrdiff_t joint, char *out, size_t size);
// Name and id, as the cause in an outcome.
LimberCause model_node_cause(Model m, ptrdiff_t node);
LimberCause model_joint_cause(Model m, ptrdiff_t joint);
LimberCause model_component_cause(Model m, ptrdiff_t component);

// The i-th node along a component; LIMBER_NONE past the last.
int model_component_node(Model m, int component, int i);
// Index of the last node along a component.
int model_component_last_node(Model m, int component);
// The element that contains integration point `point` of a component; `point` becomes its number in the element.
const ModelElement *model_component_point(Model m, int component, int *point);

// The element that contains the place `at`, 0 .. 1 of a component's length; `at` becomes the place in the element.
const ModelElement *model_component_station(Model m, int component, double *at);

// The meshes that elements carry (mechanics/carried_mesh.h), one after the other, from {.element = -1} on. In results
// their points come after the nodes.
typedef struct {
  int element;
  const CarriedMesh *mesh;
  int first; // its first point among those of all meshes
} ModelMesh;
bool model_next_mesh(Model m, ModelMesh *it);
int model_mesh_points(Model m); // of all
// The mesh that an element of a component carries. False: it has none.
bool model_component_mesh(Model m, int component, ModelMesh *out);

// Nodes of the i-th element of a component, and the length that each represents (`line` of ElementBuilder).
int model_line(Model m, int component, int i, int nodes[MAX_LOCAL_NODES], double length[MAX_LOCAL_NODES]);

// Copies the outline of a section's station, for pictures. A model that has LIMIT_OUTLINES gets no more.
Error ModelOutline(LimberModel m, int section, int station, const Outline *o);
// Solves a section on a mesh. The solution lives as long as the model. `name`: of the mesh's materials; `wrong`: what
// is wrong, or NULL.
Error ModelSolve(LimberModel m, const PlaneMesh *mesh, const char *const *name, LimberSection *out,
                 SectionSolution **solution, const char **wrong);
// The same in another store; `work`: multiplications used by all sections so far.
Error StoreSolve(Store *s, double *work, const PlaneMesh *mesh, const char *const *name, LimberSection *out,
                 SectionSolution **solution, const char **wrong);
// Sets the solution of a station.
Error ModelSolution(LimberModel m, int section, int station, const SectionSolution *solution);
// Copies the places of a station that pictures label.
Error ModelMarks(LimberModel m, int section, int station, const OutlineMarks *marks);

// Add a part by its kind; the public adders and the reader of model files call these.
Error ModelAddFunction(LimberModel m, const char *kind, const char *name, const void *params, int *id);
Error ModelAddElement(LimberModel m, const char *kind, const char *name, const void *params, int *id);
Error ModelAddJoint(LimberModel m, const char *kind, const char *name, const void *params, int *id);
Error ModelAddSurface(LimberModel m, const char *kind, const char *name, const void *params, int *id);
Error ModelAddPort(LimberModel m, const char *kind, const char *name, const void *params, int *id);
Error ModelAddContact(LimberModel m, const char *kind, const char *name, const void *params, int *id);
extern const FieldTable contact_fields;
extern const char *const contact_help;
Error ModelAddLoad(LimberModel m, const char *kind, const char *name, const void *params, int *id);
Error ModelAddEvent(LimberModel m, const char *kind, const char *name, const void *params, int *id);
// What an event does: "lock hinge, begin motor".
void model_name_actions(Model m, ptrdiff_t event, char *out, size_t size);

// Reports a mistake of the user in `field`, or in general if it is NULL.
Error ModelReportError(LimberModel m, const char *field, const char *format, ...) PRINTF_LIKE(3, 4);
// The same, for a component: "KIND 'NAME': " and the text of the reason.
Error ModelReportReason(LimberModel m, const char *kind, const char *name, Reason reason);
const Reason *model_reason(Model m, ptrdiff_t i);
// Memory that lives as long as the model, zeroed; a copy of a text.
Error ModelAllocate(LimberModel m, size_t size, void *out);
Error ModelCopyString(LimberModel m, const char *s, const char **out);
// Appends a zeroed entry of that size; a full array doubles.
Error ArrayAdd(ModelArray *a, size_t size, void *out);
void model_forget_formulae(LimberModel m);

// Surfaces at the start: positions of their points, and names for messages.

// A position or direction from its coefficients of a node's vectors.
static inline Vec3 surface_position(Model m, int node, const double *coef) {
  const ModelNode *n = model_node(m, node);
  Vec3 y = vec3_zero();
  for (int j = 0; j < node_vectors(n->kind); j++) y = vec3_axpy(y, coef[j], n->x[j]);
  return y;
}

static inline Vec3 surface_point_position(Model m, const SurfacePoint *p) {
  Vec3 y = vec3_zero();
  for (int a = 0; a < p->nnode; a++) y = vec3_add(y, surface_position(m, p->node[a], p->coef[a]));
  return y;
}

static inline const char *surface_name(const ModelSurface *s) { return shown_name(s->name); }

#endif
