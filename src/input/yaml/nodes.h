// SPDX-License-Identifier: Apache-2.0
// What may stand where a joint or load wants a node, beside the name of a node.
#ifndef LIMBER_INPUT_YAML_NODES_H
#define LIMBER_INPUT_YAML_NODES_H

#include "limber/limber.h"

#include <stdbool.h>

typedef struct Reader Reader;

typedef struct { // a group of a mesh that stands for a node of a joint or load, which is then made once for each
  bool allowed;  // several nodes may stand here
  bool bodies;   // a body of points will do
  int *target;   // of the node in its structure; NULL: there is no group
  const int *node;
  const double *weight; // of each node in a force on all
  int count;
} NodeGroup;

NodeGroup *node_group(const Reader *r);

#endif
