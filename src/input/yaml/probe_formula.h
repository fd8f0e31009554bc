// SPDX-License-Identifier: Apache-2.0
// Formulae of probes; private to the reader.
#ifndef LIMBER_INPUT_YAML_PROBE_FORMULA_H
#define LIMBER_INPUT_YAML_PROBE_FORMULA_H

#include "quantities/probe.h"
#include "input/yaml/tree.h"

typedef struct Reader Reader;
typedef struct Scope Scope;

// The unit of a formula; NULL: a pure number.
Error ReadUnit(Reader *r, const Tree *unit, Probe *probe, bool *good);

// Checks the formulae of all probes, once these are read: formula[i] is what was written for probe i, or NULL; scope[i]
// is where.
Error ReadFormulae(Reader *r, const Tree *const *formula, const Scope *const *scope);

// Checks a formula of control blocks, which may also name functions; each signal that it names is told. `full`: with
// the names of instances.
typedef void (*SignalSeen)(void *self, int signal);
Error ReadSignalFormula(Reader *r, const Tree *formula, SignalSeen seen, void *seen_by, const char **full);

#endif
