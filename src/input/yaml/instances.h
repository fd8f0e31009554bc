// SPDX-License-Identifier: Apache-2.0
// Parts that are used again: `parts` are fragments of a model with parameters, `instances` are their uses, each with a name, a
// pose and values of the parameters. A part may have instances of others.
//   parts:
//     wheel: {parameters: {mass: 20 kg}, nodes: {hub: [0, 0, 0]}, elements: [{rigid_body: {node: hub, mass: mass, ...}}]}
//   instances:
//     left: {part: wheel, at: [0, 1, 0]}
// The model calls the node `left.hub`, the part calls it `hub`.
#ifndef LIMBER_INPUT_YAML_INSTANCES_H
#define LIMBER_INPUT_YAML_INSTANCES_H

#include "input/yaml/part.h"

// Lists the scopes of all instances; either may be NULL.
Error ReadInstances(Reader *r, const Tree *parts, const Tree *instances);
// Their poses, which may be formulae of parameters.
Error ReadPoses(Reader *r);
// One part of the file, such as `nodes`, in all instances: those within an instance come before it.
Error ReadInInstances(Reader *r, const Part *part);

#endif
