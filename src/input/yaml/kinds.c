// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/kinds.h"

#include "base/functions/function.h"
#include "mechanics/element.h"
#include "mechanics/joint.h"
#include "mechanics/load.h"
#include "model/model.h"

#include <string.h>

#define CATALOGUE(function, kinds) \
  static bool function(int i, Kind *out) { \
    if (!kinds[i]) return false; \
    *out = (Kind){kinds[i]->name, kinds[i]->help, &kinds[i]->fields}; \
    return true; \
  }
CATALOGUE(function_kind, function_kinds)
CATALOGUE(element_kind, element_kinds)
CATALOGUE(load_kind, load_kinds)

static bool joint_kind(int i, Kind *out) {
  int n = 0;
  while (joint_kinds[n]) n++;
  const JointKind *k = i < n ? joint_kinds[i] : joint_aliases[i - n].name ? joint_find(joint_aliases[i - n].of) : NULL;
  if (k) *out = (Kind){i < n ? k->name : joint_aliases[i - n].name, k->help, &k->fields};
  return k;
}

#define ONE(function, kind) \
  static bool function(int i, Kind *out) { \
    if (i > 0) return false; \
    *out = kind; \
    return true; \
  }
ONE(node_kind, kind_node)
ONE(material_kind, kind_material)
ONE(mesh_kind, kind_mesh)
ONE(section_kind, kind_section)
ONE(motion_kind, kind_motion)
ONE(probe_kind, kind_probe)
ONE(run_kind, kind_run)

const Part parts[] = {
    {"nodes", "node", PART_NAMED, node_kind, NULL, false, "at", false},
    {"functions", "function", PART_NAMED, function_kind, ModelAddFunction, false, NULL, false},
    {"materials", "material", PART_NAMED, material_kind, NULL, false, NULL, false},
    {"meshes", "mesh", PART_NAMED, mesh_kind, NULL, false, NULL, false},
    {"sections", "section", PART_NAMED, section_kind, NULL, false, NULL, true},
    {"elements", "element", PART_LIST, element_kind, ModelAddElement, true, NULL, false},
    {"joints", "joint", PART_LIST, joint_kind, ModelAddJoint, true, NULL, false},
    {"loads", "load", PART_LIST, load_kind, ModelAddLoad, true, NULL, false},
    {"motion", "motion", PART_ONE, motion_kind, NULL, false, NULL, false},
    {"probes", "probe", PART_LIST, probe_kind, NULL, false, NULL, false},
    {"run", "run", PART_ONE, run_kind, NULL, false, NULL, false},
    {0},
};

const Part *part_find(const char *key) {
  for (const Part *p = parts; p->key; p++)
    if (!strcmp(p->key, key)) return p;
  return NULL;
}

bool kind_find(const Part *part, const char *name, Kind *out) {
  for (int i = 0; part->kind(i, out); i++)
    if (!strcmp(out->name, name)) return true;
  return false;
}

const Field *kind_brief(const Part *part, const Kind *kind) {
  const Field *brief = NULL;
  for (int i = 0; i < kind->fields->count; i++) {
    const Field *f = &kind->fields->field[i];
    if (!f->required) continue;
    if (brief) return NULL;
    brief = f;
  }
  return part->add == ModelAddFunction ? brief : NULL;
}
