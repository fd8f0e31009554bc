// SPDX-License-Identifier: Apache-2.0
// Refuses models that the exponential scheme does not support, and names the part.
#include "analyses/exponential/exponential.h"
#include "assembly/ranks.h"
#include "model/refusal.h"

static const char *load_error(const Load *l) {
  if (l->target == LOAD_JOINT && !load_prescribes(l)) return "acts on a coordinate of a joint";
  return l->target != LOAD_JOINT && l->follower ? "is a follower load" : NULL;
}

// A free coordinate must be alone in its row and have no law: then that row constrains nothing.
static const char *joint_error(const Joint *j) {
  for (int c = 0; c < j->ncoord; c++)
    if (!j->prescribed[c] && law_acts(&j->law[c])) return "has a spring, a damper, limits or friction";
  for (int t = 0; t < j->rows.nterm; t++) {
    const RowTerm *q = &j->rows.term[t];
    if (q->factor != FACTOR_ONE && !j->prescribed[q->coord] && q->row != j->pivot[q->coord])
      return "couples two of its coordinates";
  }
  if (j->rows.nroot > 0) return "constrains a length";
  return NULL;
}

static const char *element_error(Model m, const ModelElement *e) {
  ElementPoint p;
  if (model_find_wheel(m, e->component) >= 0) return "spins";
  for (int g = 0; g < element_points(e->kind, e->data); g++) {
    element_point(e->kind, e->data, g, &p);
    if (p.response->losses(&p) & LOSS_FRICTION) return "has friction";
    if (p.drag) return "has drag or friction";
    if (p.flow) return "has air around it";
  }
  return NULL;
}

static PetscErrorCode NodesFit(Stepper *p, Refusal *wrong) {
  const Layout *layout = &p->s->motion.layout;
  PetscInt *light, first;
  char name[256];
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(layout->model->nodes.count, &light));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    const Inertia *q = &layout->inertia[i];
    bool frame = model_node(layout->model, layout->node[i])->kind == NODE_FRAME;
    bool turns = q->j.m[0][0] > 0 && q->j.m[1][1] > 0 && q->j.m[2][2] > 0;
    light[layout->node[i]] = layout->node_block[i] >= 0 && (!(q->m > 0) || (frame && !turns));
  }
  PetscCall(ReduceArray(layout->comm, light, layout->model->nodes.count, MPIU_INT, MPI_MAX));
  for (first = 0; first < layout->model->nodes.count; first++) {
    bool frame = model_node(layout->model, first)->kind == NODE_FRAME;
    model_name_node(layout->model, first, name, sizeof name);
    if (light[first])
      refuse(wrong, "run: `exponential` needs mass at every node, and %s has %s. Add mass, or choose another scheme",
             name, frame ? "too little: a frame needs moments of inertia too" : "none");
    else if (frame && !p->options.linear)
      refuse(wrong,
             "run: `exponential` assumes small rotations, and %s is a frame, which rotates. `linear: 1` treats the "
             "structure as linear about its reference; otherwise choose another scheme",
             name);
    if (is_refused(wrong)) break;
  }
  PetscCall(PetscFree(light));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialFits(Stepper *p, Refusal *wrong) {
  Model m = p->s->motion.layout.model;
  PetscInt n = 0;
  const char *why = NULL, *kind = "", *name = "";
  PetscFunctionBegin;
  wrong->text[0] = 0;
  for (int i = 0; i < m->nodes.count; i++) n += 3 * node_blocks(model_node(m, i)->kind);
  if (n == 0 || (n > EXPONENTIAL_MOST && p->options.modes == 0)) {
    refuse(wrong,
           "run: without `modes`, `exponential` computes all modes of a model, and its nodes may have "
           "1 to %d unknowns; this model has %d. %s",
           EXPONENTIAL_MOST, (int)n,
           n == 0 ? "Choose another scheme"
                  : "Give the number of the lowest modes, as in `modes: 50`, or choose another scheme");
    PetscFunctionReturn(0);
  }
  if (p->options.equilibrium) {
    refuse(wrong, "run: `start: equilibrium` is not supported by `exponential`, which works about the reference");
    PetscFunctionReturn(0);
  }
  for (int i = 0; i < m->elements.count && !why; i++) {
    const ModelElement *e = model_element(m, i);
    const char *component = model_component(m, e->component)->name;
    why = element_error(m, e), kind = e->kind->name, name = shown_name(component);
  }
  for (int i = 0; i < m->joints.count && !why; i++) {
    const ModelJoint *j = model_joint(m, i);
    why = joint_error(&j->joint), kind = j->kind->name, name = shown_name(j->name);
  }
  for (int i = 0; i < m->loads.count && !why; i++) {
    const ModelLoad *l = model_load(m, i);
    why = load_error(&l->load), kind = l->kind->name, name = shown_name(l->name);
  }
  if (why)
    refuse(wrong, "run: `exponential` does not support %s '%s', which %s. Choose another scheme", kind, name, why);
  else PetscCall(NodesFit(p, wrong));
  PetscFunctionReturn(0);
}
