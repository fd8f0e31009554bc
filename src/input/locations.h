// SPDX-License-Identifier: Apache-2.0
// Where the things of a model are written, for messages of a run that was read from a file.
#ifndef LIMBER_INPUT_LOCATIONS_H
#define LIMBER_INPUT_LOCATIONS_H

#include "input/data.h"
#include "input/yaml/names.h"

// Keeps the places of names, by id.
Error StoreLocations(const Names *names, InputLocations *out);

// Prints the line of the model file of each thing that a text names as "node 'tip'" or "revolute 'hinge'".
void input_point_at(const Input *in, const char *text, FILE *out);
// Prints the line of the cause of a failure; of a cause that is no single thing, those of all that its name contains.
void input_point_at_cause(const Input *in, const LimberCause *cause, FILE *out);
// Prints the line of the part `run`, where step and scheme are.
void input_point_at_run(const Input *in, const char *text, FILE *out);

#endif
