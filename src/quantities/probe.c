// SPDX-License-Identifier: Apache-2.0
// The table of quantities that probes can record: names, units and columns (probe.h).
#include "quantities/probe.h"

#include <stdio.h>
#include <string.h>

enum { NODE = 1 << PROBE_NODE, STATION = 1 << PROBE_STATION, POINT = 1 << PROBE_POINT, JOINT = 1 << PROBE_JOINT };
enum {
  STRESS = 1 << PROBE_STRESS,
  MESH_NODE = 1 << PROBE_MESH_NODE,
  MESH_STRESS = 1 << PROBE_MESH_STRESS,
  ENERGY = 1 << PROBE_ENERGY,
  FORMULA = 1 << PROBE_FORMULA,
  CONTACT = 1 << PROBE_CONTACT,
  WHEEL = 1 << PROBE_WHEEL,
  LOAD = 1 << PROBE_LOAD,
  MOVES = NODE | STATION | MESH_NODE,
  SECTION = STATION | POINT
};

// ---- components ----

typedef struct {
  int width;
  const char *const *names;                                 // NULL: one value without a name
  void (*find)(Model m, const Probe *p, ProbeColumns *out); // if they depend on what is probed; otherwise NULL
} Components;

static const char *const xyz_names[] = {"x", "y", "z"}, *const quaternion_names[] = {"e0", "e1", "e2", "e3"};
static const char *const matrix_names[] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
static const char *const axes_names[] = {"1x", "1y", "1z", "2x", "2y", "2z", "3x", "3y", "3z"};
static const Components xyz = {3, xyz_names, NULL}, quaternion = {4, quaternion_names, NULL},
                        matrix = {9, matrix_names, NULL}, axes = {9, axes_names, NULL}, number = {1, NULL, NULL};

static const char *const angle_names[] = {"torsion", "bend2", "bend3"};
static const Components angles = {3, angle_names, NULL};

static const char *const resultant_names[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
static const char *const resultant_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static void find_resultants(Model m, const Probe *p, ProbeColumns *out) {
  (void)m, (void)p;
  out->width = 6, out->columns = resultant_names, out->units = resultant_units;
}
static const Components resultants = {0, NULL, find_resultants};

static const char *const tensor_names[] = {"s11", "s22", "s33", "s23", "s13", "s12"};
static const char *const ply_names[] = {"p11", "p22", "p33", "p23", "p13", "p12"};
static const Components stresses = {6, tensor_names, NULL}, ply_stresses = {6, ply_names, NULL};
static const char *const stress_names[] = {"max", "at", "y", "z", "cell", "N", "V2", "V3", "M1", "M2", "M3"};
static const char *const section_names[] = {"max", "y", "z", "cell"};
#define STRESS_COMPONENTS(name, count, names, ...) \
  static void find_##name(Model m, const Probe *p, ProbeColumns *out) { \
    static const char *const units[] = {__VA_ARGS__}; \
    (void)m, (void)p; \
    out->width = count, out->columns = names, out->units = units; \
  } \
  static const Components name = {0, NULL, find_##name};
STRESS_COMPONENTS(largest_stress, 11, stress_names, "Pa", "1", "m", "m", "1", "N", "N", "N", "N m", "N m", "N m")
STRESS_COMPONENTS(largest_index, 11, stress_names, "1", "1", "m", "m", "1", "N", "N", "N", "N m", "N m", "N m")
STRESS_COMPONENTS(stress_here, 4, section_names, "Pa", "m", "m", "1")
static const char *const mesh_names[] = {"max", "node", "x", "y", "z"};
STRESS_COMPONENTS(largest_in_mesh, 5, mesh_names, "Pa", "1", "m", "m", "m")
STRESS_COMPONENTS(index_here, 4, section_names, "1", "m", "m", "1")

static const char *const contact_names[] = {"normal", "friction", "touching", "gap", "energy", "touched"};
STRESS_COMPONENTS(of_contact, 6, contact_names, "N", "N", "1", "m", "J", "s")

static const char *const wheel_names[] = {"speed", "momentum", "torque", "power", "work"};
STRESS_COMPONENTS(of_wheel, 5, wheel_names, "rad s-1", "N m s", "N m", "W", "J")

static int point_rows(Model m, const Probe *p) {
  const ModelComponent *component = model_component(m, p->id);
  ElementPoint at;
  element_point(component->kind, model_element(m, component->first)->data, 0, &at);
  return at.rows.nrow;
}

static void find_section_forces(Model m, const Probe *p, ProbeColumns *out) {
  const ModelComponent *component = model_component(m, p->id);
  ElementPoint at = {0};
  component->kind->point(model_element(m, component->first)->data, 0, &at);
  out->width = at.rows.nrow, out->columns = component->kind->output.row_names,
  out->units = component->kind->output.row_units;
}
static const Components section_forces = {0, NULL, find_section_forces};

static void find_section_strains(Model m, const Probe *p, ProbeColumns *out) {
  find_section_forces(m, p, out);
  out->units = model_component(m, p->id)->kind->output.strain_units;
}
static const Components section_strains = {0, NULL, find_section_strains};

static void find_own_outputs(Model m, const Probe *p, ProbeColumns *out) {
  const ElementOutput *output = &model_component(m, p->id)->kind->output;
  out->width = output->own, out->columns = output->own_names, out->units = output->own_units;
}
static const Components own_outputs = {0, NULL, find_own_outputs};

// The units of a coupler depend on which of the tied coordinates are angles.
static const char *const *units_of_ties(const ModelJoint *j, const char *const *of_kind,
                                        const char *const table[8][4]) {
  int mask = 0;
  if (!j->kind->ties || strcmp(j->kind->coord_units[1], "m") || strcmp(j->kind->coord_units[0], "m")) return of_kind;
  for (int t = 0; t < j->joint.rows.nterm; t++) {
    const RowTerm *q = &j->joint.rows.term[t];
    if (q->coord > 0 && (q->factor == FACTOR_SIN || q->factor == FACTOR_COS)) mask |= 1 << (q->coord - 1);
  }
  return table[mask];
}

#define TIED_UNITS(sum, slide, angle) \
  { \
    {sum, slide, slide, slide}, {sum, angle, slide, slide}, {sum, slide, angle, slide}, {sum, angle, angle, slide}, \
        {sum, slide, slide, angle}, {sum, angle, slide, angle}, {sum, slide, angle, angle}, { \
      sum, angle, angle, angle \
    } \
  }
static const char *const tied_coordinates[8][4] = TIED_UNITS("m", "m", "rad"),
                         *const tied_rates[8][4] = TIED_UNITS("m s-1", "m s-1", "rad s-1"),
                         *const tied_forces[8][4] = TIED_UNITS("N", "N", "N m");

static void find_joint_rows(Model m, const Probe *p, ProbeColumns *out) {
  const ModelJoint *j = model_joint(m, p->id);
  out->width = j->joint.rows.nrow, out->columns = j->kind->row_names;
  out->units = units_of_ties(j, j->kind->row_units, tied_forces);
}
static const Components joint_rows = {0, NULL, find_joint_rows};

// A single rate needs no name besides that of the quantity.
static void find_rates(Model m, const Probe *p, ProbeColumns *out) {
  const ModelJoint *j = model_joint(m, p->id);
  out->width = j->joint.ncoord, out->columns = j->kind->coord_names;
  out->units = units_of_ties(j, j->kind->rate_units, tied_rates);
  if (out->width == 1) out->unit = out->units[0], out->columns = out->units = NULL;
}
static const Components rates = {0, NULL, find_rates};

static void find_coordinates(Model m, const Probe *p, ProbeColumns *out) {
  const ModelJoint *j = model_joint(m, p->id);
  out->width = j->joint.ncoord, out->columns = j->kind->coord_names;
  out->units = units_of_ties(j, j->kind->coord_units, tied_coordinates);
  if (out->width == 1) out->name = out->columns[0], out->unit = out->units[0], out->columns = out->units = NULL;
}
static const Components coordinates = {0, NULL, find_coordinates};

// ---- forces of joints and loads ----

// Whether the last node of a joint takes a moment.
static bool joint_turns(Model m, const Probe *p) {
  const ModelJoint *j = model_joint(m, p->id);
  return j->points || model_node(m, j->node[j->last])->kind != NODE_POINT;
}

static const char *const reaction_names[] = {"F1", "F2", "F3", "M1", "M2", "M3"};
static void find_reactions(Model m, const Probe *p, ProbeColumns *out) {
  out->width = joint_turns(m, p) ? 6 : 3, out->columns = reaction_names, out->units = resultant_units;
}
static const Components reactions = {0, NULL, find_reactions};

// The joint of a probe of a joint or of a load on a joint, and the coordinate on which the load acts.
static const ModelJoint *probed_joint(Model m, const Probe *p, int *coord) {
  const Load *l = p->kind == PROBE_LOAD ? &model_load(m, p->id)->load : NULL;
  *coord = l ? l->coord : 0;
  return model_joint(m, l ? l->id : p->id);
}

// Units, indexed by which coordinates are angles.
static const char *const force_units[16][4] = {
    {"N", "N", "N", "N"},     {"N m", "N", "N", "N"},     {"N", "N m", "N", "N"},     {"N m", "N m", "N", "N"},
    {"N", "N", "N m", "N"},   {"N m", "N", "N m", "N"},   {"N", "N m", "N m", "N"},   {"N m", "N m", "N m", "N"},
    {"N", "N", "N", "N m"},   {"N m", "N", "N", "N m"},   {"N", "N m", "N", "N m"},   {"N m", "N m", "N", "N m"},
    {"N", "N", "N m", "N m"}, {"N m", "N", "N m", "N m"}, {"N", "N m", "N m", "N m"}, {"N m", "N m", "N m", "N m"}};

// Forces along each coordinate; a single one needs no name besides that of the quantity.
static void find_coord_forces(Model m, const Probe *p, ProbeColumns *out) {
  int coord, mask = 0;
  const ModelJoint *j = probed_joint(m, p, &coord);
  for (int c = 0; c < j->joint.ncoord; c++) mask |= !strcmp(j->kind->coord_units[c], "rad") << c;
  out->width = p->kind == PROBE_LOAD ? 1 : j->joint.ncoord, out->columns = j->kind->coord_names;
  out->units = units_of_ties(j, force_units[mask], tied_forces);
  if (out->width == 1) out->unit = out->units[coord], out->columns = out->units = NULL;
}
static const Components coord_forces = {0, NULL, find_coord_forces};

static void find_drive_force(Model m, const Probe *p, ProbeColumns *out) {
  find_coord_forces(m, p, out);
  if (!strcmp(out->unit, "N m")) out->name = "torque";
}
static const Components drive_force = {0, NULL, find_drive_force};

static void find_value(Model m, const Probe *p, ProbeColumns *out) {
  (void)m;
  out->width = 1, out->unit = p->unit;
}
static const Components value = {0, NULL, find_value};

// ---- the table ----

enum {
  USUAL = 1,             // recorded by default
  OF_STEP = 2,           // belongs to the last step: none at the start
  SEEN = 4,              // motion relative to a node ...
  TURNED = 8,            // ... or a vector in its axes
  TURNS = 16,            // only for things that have axes
  FOLLOWED = 32,         // updated at every step
  HAS_COORDINATES = 64,  // only for joints with coordinates
  CARRIED = 128,         // relative to the first section of its beam, or the node of `axes`
  PLACED = 256,          // further components give the location of the first
  GAUGED = 512,          // only for probes with a gauge
  TURNED_NOW = 1024,     // a vector in the axes of a node at the time of the row
  IN_JOINT = 2048,       // in the axes of the joint
  ON_JOINT = 4096,       // only for loads on a coordinate of a joint ...
  OFF_JOINT = 8192,      // ... or only for other loads
  DRIVEN = 1 << 14,      // only for joints with loads on their coordinates or prescribed coordinates ...
  SPRUNG = 1 << 15,      // ... with a spring or limits ...
  DAMPED = 1 << 16,      // ... with a damper ...
  RUBBED = 1 << 17,      // ... or with friction
  NO_OUTPUT = 1 << 18,   // not an output of a linear model, which has no steps or loads
  HAS_OUTPUTS = 1 << 19, // only for element kinds with outputs of their own
  COORD_FORCE = DRIVEN | SPRUNG | DAMPED | RUBBED,
};

static const struct {
  const char *name, *unit, *description;
  const Components *components;
  unsigned kinds, properties;
} table[QUANTITIES] = {
#define QUANTITY(constant, name, unit, components, function, kinds, properties, description) \
  {name, unit, description, &components, kinds, properties},
#include "quantities/quantities.def"
#undef QUANTITY
};

static bool quantity_is(ProbeQuantity q, unsigned property) { return table[q].properties & property; }

// Other names of joint coordinates besides `coordinate`, and of forces on angles besides `force`.
static const struct {
  const char *name;
  ProbeQuantity quantity;
} coords[] = {{"angle", QUANTITY_COORDINATE}, {"slide", QUANTITY_COORDINATE}, {"torque", QUANTITY_DRIVE_FORCE}};
enum { COORDS = sizeof coords / sizeof coords[0] };

int quantity_rank(const char *name) {
  int q = 0;
  for (int i = 0; i < COORDS; i++)
    if (!strcmp(coords[i].name, name)) return coords[i].quantity;
  while (q < QUANTITIES && strcmp(table[q].name, name)) q++;
  return q;
}

const char *quantity_name(int i) {
  for (int q = 0; q < QUANTITIES; q++) {
    bool seen = table[q].kinds == FORMULA;
    for (int k = 0; k < q; k++) seen = seen || !strcmp(table[k].name, table[q].name);
    if (!seen && i-- == 0) return table[q].name;
  }
  return i < COORDS ? coords[i].name : NULL;
}

bool probe_calls(Model m, const Probe *p, ProbeQuantity q, const char *name) {
  if (table[q].components == &drive_force && p->kind == PROBE_LOAD && model_load(m, p->id)->load.target == LOAD_JOINT) {
    ProbeColumns c;
    find_drive_force(m, p, (c = (ProbeColumns){.name = table[q].name}, &c));
    return !strcmp(c.name, name);
  }
  if (table[q].components == &coordinates && p->kind == PROBE_JOINT &&
      joint_coord(model_joint(m, p->id)->kind, name) >= 0)
    return true;
  return !strcmp(table[q].name, name);
}
bool probe_usual(ProbeQuantity q) { return quantity_is(q, USUAL); }

static StressMeasure stress_measure(ProbeQuantity q) {
  return q == QUANTITY_VON_MISES || q == QUANTITY_VON_MISES_ALONG ? STRESS_VON_MISES : STRESS_TSAI_WU;
}

static bool is_mesh_stress(int q) { return q == QUANTITY_MESH_STRESS || q == QUANTITY_MESH_VON_MISES; }

const char *probe_lacks(Model m, const Probe *p, const char *name, char *text, size_t size) {
  for (int q = 0; q < QUANTITIES && p->kind == PROBE_MESH_NODE; q++)
    if (is_mesh_stress(q) && !strcmp(table[q].name, name)) return mesh_stress_lacks(m, p->id, text, size);
  for (int q = 0; q < QUANTITIES; q++)
    if (table[q].kinds & ~MESH_STRESS & 1u << p->kind && quantity_is((ProbeQuantity)q, PLACED) &&
        !strcmp(table[q].name, name))
      return stress_lacks(m, p->id, stress_measure((ProbeQuantity)q), text, size);
  return NULL;
}

// Whether the kind of force that a quantity records acts along a coordinate.
static bool coord_has(const Joint *j, int c, ProbeQuantity q) {
  const Law *l = &j->law[c];
  if (quantity_is(q, DRIVEN)) return j->loaded[c] || j->prescribed[c];
  if (quantity_is(q, SPRUNG)) return l->stiffness != 0 || l->table || (l->limits && l->limit_stiffness != 0);
  return quantity_is(q, DAMPED) ? l->damping != 0 : l->slip_force != 0 || friction_acts(&l->friction);
}

static bool coords_have(Model m, const Probe *p, ProbeQuantity q) {
  int coord;
  const ModelJoint *j = probed_joint(m, p, &coord);
  bool any = false;
  for (int c = 0; c < j->joint.ncoord; c++)
    any = any || ((p->kind == PROBE_JOINT || c == coord) && coord_has(&j->joint, c, q));
  return any;
}

// A point takes no moment.
static bool load_has(Model m, const Probe *p, ProbeQuantity q) {
  const Load *l = &model_load(m, p->id)->load;
  bool on_joint = l->target == LOAD_JOINT;
  if (quantity_is(q, COORD_FORCE)) return on_joint && coords_have(m, p, q);
  if (quantity_is(q, on_joint ? OFF_JOINT : ON_JOINT)) return false;
  return !quantity_is(q, TURNS) || l->target != LOAD_NODE || model_node(m, l->id)->kind != NODE_POINT;
}

bool probe_has(Model m, const Probe *p, ProbeQuantity q) {
  Rows y = {0};
  char text[400];
  if (!(table[q].kinds & 1u << p->kind)) return false;
  if (quantity_is(q, HAS_OUTPUTS)) return model_component(m, p->id)->kind->output.own > 0;
  if (quantity_is(q, PLACED) && p->kind != PROBE_MESH_STRESS)
    return !stress_lacks(m, p->id, stress_measure(q), text, sizeof text);
  bool turns = quantity_is(q, TURNS);
  switch (p->kind) {
  case PROBE_NODE: return !turns || model_node(m, p->id)->kind != NODE_POINT;
  case PROBE_STATION:
    if (quantity_is(q, GAUGED)) return p->gauge != NULL;
    if (turns)
      model_component(m, p->id)->kind->line.station(model_element(m, model_component(m, p->id)->first)->data, 0, &y);
    return !turns || y.ny == 4;
  case PROBE_JOINT:
    if (quantity_is(q, HAS_COORDINATES)) return model_joint(m, p->id)->joint.ncoord > 0;
    if (quantity_is(q, COORD_FORCE)) return coords_have(m, p, q);
    return !turns || joint_turns(m, p);
  case PROBE_LOAD: return load_has(m, p, q);
  case PROBE_MESH_NODE: return !turns && !(is_mesh_stress((int)q) && mesh_stress_lacks(m, p->id, text, sizeof text));
  case PROBE_POINT:
    return (table[q].components != &section_forces && table[q].components != &section_strains) || point_rows(m, p) > 0;
  case PROBE_ENERGY:
  case PROBE_STRESS:
  case PROBE_MESH_STRESS:
  case PROBE_CONTACT:
  case PROBE_WHEEL:
  case PROBE_FORMULA: break;
  }
  return true;
}

// Names the second body of a joint: its last node, or the body of points there.
static void name_second(Model m, const ModelJoint *j, char *text, size_t size) {
  const ModelComponent *body = j->points ? model_component(m, model_node(m, j->node[j->last])->component) : NULL;
  if (body) snprintf(text, size, "%s '%s'", body->kind->name, shown_name(body->name));
  else model_name_node(m, j->node[j->last], text, size);
}

// Moments are about the joint; a coupling has no location.
static const char *moment_point(Model m, const Probe *p) {
  if (p->kind == PROBE_LOAD)
    return model_load(m, p->id)->load.target == LOAD_NODE ? " about its node" : " about the origin of the ground";
  return model_joint(m, p->id)->kind->ties ? " about its position" : "";
}

static void describe_quantity(Model m, const Probe *p, ProbeQuantity q, char *text, size_t size) {
  char node[200];
  bool vector = quantity_is(q, TURNED | TURNED_NOW);
  snprintf(text, size, "%s", table[q].description);
  if (p->kind == PROBE_FORMULA) snprintf(text, size, "%s", p->formula);
  if (quantity_is(q, IN_JOINT) && !(vec3_norm(model_joint(m, p->id)->joint.geometry.axis) > 0))
    snprintf(text, size, "the same force and moment, in ground axes: the joint has no axes of its own");
  if (!quantity_is(q, SEEN | CARRIED) && !vector) return;
  if (quantity_is(q, TURNED)) {
    name_second(m, model_joint(m, p->id), node, sizeof node);
    snprintf(text + strlen(text), size - strlen(text), " %s", node);
  }
  if (vector && quantity_is(q, TURNS)) snprintf(text + strlen(text), size - strlen(text), "%s", moment_point(m, p));
  size_t used = strlen(text);
  if (quantity_is(q, CARRIED)) {
    snprintf(node, sizeof node, "the %s", p->from_root ? "first section of its beam" : "ground");
    if (p->axes != LIMBER_NONE) model_name_node(m, p->axes, node, sizeof node);
    snprintf(text + used, size - used, " %s", node);
  } else if (p->axes == LIMBER_NONE) snprintf(text + used, size - used, "%s in ground axes", vector ? "," : "");
  else {
    model_name_node(m, p->axes, node, sizeof node);
    snprintf(text + used, size - used, quantity_is(q, SEEN) ? " as seen from %s, in its axes" : ", in the axes of %s",
             node);
  }
}

bool probe_columns(Model m, const Probe *p, int i, ProbeColumns *out) {
  int q = 0;
  for (; q < QUANTITIES; q++)
    if (probe_records(p, (ProbeQuantity)q) && i-- == 0) break;
  if (q == QUANTITIES) return false;
  const Components *c = table[q].components;
  *out = (ProbeColumns){.quantity = (ProbeQuantity)q,
                        .name = table[q].name,
                        .width = c->width,
                        .columns = c->names,
                        .unit = table[q].unit,
                        .placed = quantity_is((ProbeQuantity)q, PLACED),
                        .carried = quantity_is((ProbeQuantity)q, CARRIED),
                        .of_step = quantity_is((ProbeQuantity)q, OF_STEP),
                        .no_output = quantity_is((ProbeQuantity)q, NO_OUTPUT),
                        .followed = quantity_is((ProbeQuantity)q, FOLLOWED)};
  if (c->find) c->find(m, p, out);
  describe_quantity(m, p, (ProbeQuantity)q, out->description, sizeof out->description);
  return true;
}

int probe_width(Model m, const Probe *p) {
  ProbeColumns c;
  int width = 0;
  for (int i = 0; probe_columns(m, p, i, &c); i++) width += c.width;
  return width;
}

const char *probe_units(const ProbeColumns *c, char *text, size_t size) {
  snprintf(text, size, "%s", c->units ? "" : c->unit);
  for (int i = 0; c->units && i < c->width; i++)
    snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ", " : "", c->units[i]);
  return text;
}

void probe_about(Model m, const Probe *p, char *text, size_t size) {
  const unsigned of_elements = STATION | POINT | ENERGY | STRESS | MESH_NODE | MESH_STRESS | WHEEL;
  const ModelComponent *component = of_elements >> p->kind & 1 ? model_component(m, p->id) : NULL;
  switch (p->kind) {
  case PROBE_NODE: model_name_node(m, p->id, text, size); break;
  case PROBE_STATION:
    snprintf(text, size, "%s '%s', %g of its length", component->kind->name, component->name, p->at);
    break;
  case PROBE_POINT:
    snprintf(text, size, "%s '%s', integration point %d", component->kind->name, component->name, p->point);
    break;
  case PROBE_JOINT:
    snprintf(text, size, "%s '%s'", model_joint(m, p->id)->kind->name, model_joint(m, p->id)->name);
    break;
  case PROBE_MESH_NODE: {
    ModelMesh of;
    model_component_mesh(m, p->id, &of);
    snprintf(text, size, "%s '%s', node %d of its mesh", component->kind->name, component->name,
             of.mesh->number[p->point]);
    break;
  }
  case PROBE_ENERGY: snprintf(text, size, "energies of %s '%s'", component->kind->name, component->name); break;
  case PROBE_MESH_STRESS:
  case PROBE_STRESS: snprintf(text, size, "stresses of %s '%s'", component->kind->name, component->name); break;
  case PROBE_CONTACT: snprintf(text, size, "contact '%s'", model_contact(m, p->id)->name); break;
  case PROBE_WHEEL: snprintf(text, size, "%s '%s'", component->kind->name, component->name); break;
  case PROBE_LOAD: snprintf(text, size, "%s '%s'", model_load(m, p->id)->kind->name, model_load(m, p->id)->name); break;
  case PROBE_FORMULA: snprintf(text, size, "formula of other columns"); break;
  }
}

// ---- names ----

// Whether `word` is quantity.component of a column; `brief`: its component alone; `whole`: its quantity alone.
static bool is_column(const ProbeColumns *c, int k, const char *word, bool *brief, bool *whole) {
  size_t n = strlen(c->name);
  *whole = !strcmp(word, c->name);
  *brief = c->columns && !strcmp(word, c->columns[k]);
  return !strncmp(word, c->name, n) && word[n] == '.' && c->columns && !strcmp(word + n + 1, c->columns[k]);
}

int probe_mark(Model m, const Probe *p, const char *word, unsigned char *marks) {
  ProbeColumns c;
  int at = 0, found = 0, first = -1;
  for (int i = 0; probe_columns(m, p, i, &c); i++)
    for (int k = 0; k < c.width; k++, at++) {
      bool brief, whole, full = is_column(&c, k, word, &brief, &whole);
      if (full || whole) marks[at] = 1, found++;
      else if (brief && first < 0) first = at;
    }
  if (!found && first >= 0) marks[first] = 1, found = 1;
  return found;
}

// The column of one probe with that name; -1: none.
static int find_column(Model m, const Probe *p, const char *word) {
  ProbeColumns c;
  int at = 0, first = -1;
  for (int i = 0; probe_columns(m, p, i, &c); i++)
    for (int k = 0; k < c.width; k++, at++) {
      bool brief, whole, full = is_column(&c, k, word, &brief, &whole);
      if (full || (whole && !c.columns)) return at;
      if (brief && first < 0) first = at;
    }
  return first;
}

int probes_find(Model m, int count, const Probe *probe, const char *name) {
  int before = 0;
  for (int i = 0; i < count; i++) {
    size_t n = strlen(probe[i].name);
    bool same = !strncmp(name, probe[i].name, n);
    if (same && !name[n] && probe[i].kind == PROBE_FORMULA) return before;
    int at = same && name[n] == '.' ? find_column(m, &probe[i], name + n + 1) : -1;
    if (at >= 0) return before + at;
    before += probe_width(m, &probe[i]);
  }
  return -1;
}

void probe_visit(Model m, const Probe *p, ProbeVisit visit, void *self) {
  char name[400];
  ProbeColumns c;
  int at = 0;
  if (p->kind == PROBE_FORMULA) visit(self, p->name);
  for (int i = 0; p->kind != PROBE_FORMULA && probe_columns(m, p, i, &c); i++)
    for (int k = 0; k < c.width; k++, at++) {
      snprintf(name, sizeof name, c.columns ? "%s.%s.%s" : "%s.%s", p->name, c.name, c.columns ? c.columns[k] : "");
      visit(self, name);
      snprintf(name, sizeof name, "%s.%s", p->name, c.columns ? c.columns[k] : "");
      if (c.columns && probes_find(m, 1, p, name) == at) visit(self, name);
    }
}

const char *probe_example(Model m, const Probe *p, char *text, size_t size) {
  ProbeColumns c;
  text[0] = 0;
  if (probe_columns(m, p, 0, &c))
    snprintf(text, size, c.columns ? "%s.%s" : "%s", c.name, c.columns ? c.columns[0] : "");
  return text;
}
