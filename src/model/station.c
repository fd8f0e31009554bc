// SPDX-License-Identifier: Apache-2.0
// Places along components of several elements.
#include "model/model.h"

// The weights of an element's points add up to its length.
static double element_length(const ModelElement *e) {
  double length = 0;
  for (int g = 0; g < e->kind->points(e->data); g++) {
    ElementPoint p = {0};
    e->kind->point(e->data, g, &p);
    length += p.weight;
  }
  return length;
}

const ModelElement *model_component_station(Model m, int id, double *at) {
  const ModelComponent *component = model_component(m, id);
  double all = 0, before = 0;
  for (int e = component->first; e < component->first + component->count; e++)
    all += element_length(model_element(m, e));
  for (int e = component->first; e < component->first + component->count; e++) {
    const ModelElement *el = model_element(m, e);
    double length = element_length(el);
    if (*at * all <= before + length || e + 1 == component->first + component->count) {
      *at = fmin(1, fmax(0, (*at * all - before) / length));
      return el;
    }
    before += length;
  }
  return NULL;
}
