// SPDX-License-Identifier: Apache-2.0
// modelDescription.xml of an FMU, for both versions of the standard.
#include "fmu/content.h"

#include "input/yaml/units.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool has_unit(const char *unit) { return *unit && strcmp(unit, "1") != 0; }

// ---- units ----

// A unit of the standard has whole powers of SI base units; another is named only.
static Error PrintUnit(Units **units, const char *unit, FILE *out) {
  static const char *const bases[BASES] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};
  static const int order[BASES] = {1, 0, 2, 3, 4, 5, 6, 7}; // of the attributes in the standard
  UnitsResult result;
  Dimension d = {0};
  bool whole = true;
  TRY(UnitsCompare(units, unit, unit, &result));
  if (result == UNITS_GOOD) TRY(UnitsDimension(units, unit, &d));
  for (int i = 0; i < BASES; i++) whole = whole && d.power[i] == floor(d.power[i]) && fabs(d.power[i]) < 100;
  fputs("    <Unit", out);
  xml_print_text(out, "name", unit);
  if (result != UNITS_GOOD || !whole) return fputs("/>\n", out), 0;
  fputs(">\n      <BaseUnit", out);
  for (int i = 0; i < BASES; i++)
    if (d.power[order[i]] != 0) fprintf(out, " %s=\"%d\"", bases[order[i]], (int)d.power[order[i]]);
  fputs("/>\n    </Unit>\n", out);
  return 0;
}

static bool is_listed(const FmuDescription *d, const char *unit, const FmuVariable *end) {
  if (!strcmp(unit, "s")) return true; // of the time
  for (int k = 0; k < FMU_LISTS; k++)
    for (int i = 0; i < d->list[k].count; i++) {
      if (&d->list[k].item[i] == end) return false;
      if (!strcmp(d->list[k].item[i].unit, unit)) return true;
    }
  return false;
}

static Error PrintUnits(const FmuDescription *d, FILE *out) {
  Units *units = NULL;
  fputs("  <UnitDefinitions>\n", out);
  TRY(PrintUnit(&units, "s", out));
  for (int k = 0; k < FMU_LISTS; k++)
    for (int i = 0; i < d->list[k].count; i++) {
      const FmuVariable *v = &d->list[k].item[i];
      if (has_unit(v->unit) && !is_listed(d, v->unit, v)) TRY(PrintUnit(&units, v->unit, out));
    }
  fputs("  </UnitDefinitions>\n", out);
  return UnitsDestroy(&units);
}

// ---- variables ----

typedef struct {
  const char *causality, *variability, *initial; // initial NULL: the only one that is allowed
  bool starts;
} VariableKind;

static const VariableKind time_kind = {"independent", "continuous", NULL, false},
                          kinds[FMU_LISTS] = {[FMU_PARAMETERS] = {"parameter", "fixed", "exact", true},
                                              [FMU_INPUTS] = {"input", "continuous", NULL, true},
                                              [FMU_OUTPUTS] = {"output", "continuous", "calculated", false},
                                              [FMU_STATES] = {"local", "continuous", "exact", true},
                                              [FMU_RATES] = {"local", "continuous", "calculated", false}};

// The value reference of the first variable of a list.
static int first_of(const FmuDescription *d, int list) {
  int r = 1;
  for (int k = 0; k < list; k++) r += d->list[k].count;
  return r;
}

// `state`: value reference of the state whose derivative it is, or -1. In version 2 variables are counted from 1.
static void print_variable(int version, const FmuVariable *v, int reference, const VariableKind *kind, int state,
                           FILE *out) {
  fputs(version == 2 ? "    <ScalarVariable" : "    <Float64", out);
  xml_print_text(out, "name", v->name);
  fprintf(out, " valueReference=\"%d\" causality=\"%s\" variability=\"%s\"", reference, kind->causality,
          kind->variability);
  if (v->description) xml_print_text(out, "description", v->description);
  if (kind->initial) fprintf(out, " initial=\"%s\"", kind->initial);
  if (version == 2) fputs("><Real", out);
  if (has_unit(v->unit)) xml_print_text(out, "unit", v->unit);
  if (kind->starts) xml_print_number(out, "start", v->start);
  if (state >= 0) fprintf(out, " derivative=\"%d\"", state + (version == 2));
  fputs(version == 2 ? "/></ScalarVariable>\n" : "/>\n", out);
}

static void print_variables(const FmuDescription *d, FILE *out) {
  const FmuVariable time = {.name = "time", .unit = "s"};
  int r = 0, states = first_of(d, FMU_STATES);
  fputs("  <ModelVariables>\n", out);
  print_variable(d->version, &time, r++, &time_kind, -1, out);
  for (int k = 0; k < FMU_LISTS; k++)
    for (int i = 0; i < d->list[k].count; i++)
      print_variable(d->version, &d->list[k].item[i], r++, &kinds[k], k == FMU_RATES ? states + i : -1, out);
  fputs("  </ModelVariables>\n", out);
}

// ---- structure ----

enum { MOST_KINDS = 100000 }; // entries of A and C up to which each is said to be constant

// The inputs and states on which a row of a linear model depends. An output of a run is that of the end of a step: it
// depends on no input that is set after it.
static void print_dependencies(const FmuDescription *d, int list, int row, FILE *out) {
  const LinearModel *m = d->linear;
  bool output = list == FMU_OUTPUTS, kinds_too = m && (double)m->states * (m->states + m->outputs) <= MOST_KINDS;
  int count = 0, first[] = {first_of(d, FMU_INPUTS), first_of(d, FMU_STATES)};
  fputs(" dependencies=\"", out);
  for (int k = 0; m && k < 2; k++) {
    int columns = k ? m->states : m->inputs;
    const double *value = (k ? (output ? m->c : m->a) : (output ? m->d : m->b)) + (size_t)row * (size_t)columns;
    for (int j = 0; j < columns; j++)
      if (value[j] != 0) fprintf(out, "%s%d", count++ ? " " : "", first[k] + j + (d->version == 2));
  }
  putc('"', out);
  if (!kinds_too || !count) return;
  fputs(" dependenciesKind=\"", out);
  for (int j = 0; j < count; j++) fputs(j ? " constant" : "constant", out);
  putc('"', out);
}

static void print_unknowns(const FmuDescription *d, int list, const char *group, const char *name, bool depends,
                           FILE *out) {
  int first = first_of(d, list), count = d->list[list].count;
  if (d->version == 2 && group && count) fprintf(out, "    <%s>\n", group);
  for (int i = 0; i < count; i++) {
    if (d->version == 2) fprintf(out, "      <Unknown index=\"%d\"", first + i + 1);
    else fprintf(out, "    <%s valueReference=\"%d\"", name, first + i);
    if (depends) print_dependencies(d, list, i, out);
    fputs("/>\n", out);
  }
  if (d->version == 2 && group && count) fprintf(out, "    </%s>\n", group);
}

static void print_structure(const FmuDescription *d, FILE *out) {
  bool initial = d->version == 2 && (d->list[FMU_OUTPUTS].count || d->list[FMU_RATES].count);
  fputs("  <ModelStructure>\n", out);
  print_unknowns(d, FMU_OUTPUTS, "Outputs", "Output", true, out);
  print_unknowns(d, FMU_RATES, "Derivatives", "ContinuousStateDerivative", true, out);
  if (initial) fputs("    <InitialUnknowns>\n", out);
  print_unknowns(d, FMU_OUTPUTS, NULL, "InitialUnknown", false, out);
  print_unknowns(d, FMU_RATES, NULL, "InitialUnknown", false, out);
  if (initial) fputs("    </InitialUnknowns>\n", out);
  fputs("  </ModelStructure>\n", out);
}

// ---- the whole ----

static void print_run(const FmuDescription *d, FILE *out) {
  fputs("  <CoSimulation", out);
  xml_print_text(out, "modelIdentifier", d->identifier);
  fputs(" canHandleVariableCommunicationStepSize=\"true\"", out);
  if (d->version == 2) {
    fputs(" canInterpolateInputs=\"true\" canNotUseMemoryManagementFunctions=\"true\""
          " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"/>\n",
          out);
    return;
  }
  if (!d->in->options.control.on) xml_print_number(out, "fixedInternalStepSize", d->in->options.step);
  fputs(" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesIntermediateUpdate=\"true\""
        " canReturnEarlyAfterIntermediateUpdate=\"true\"/>\n",
        out);
}

static void print_linear(const FmuDescription *d, FILE *out) {
  static const char *const state[] = {" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
                                      " canNotUseMemoryManagementFunctions=\"true\""
                                      " providesDirectionalDerivative=\"true\"",
                                      " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""
                                      " providesDirectionalDerivatives=\"true\" providesAdjointDerivatives=\"true\""};
  bool second = d->version == 2;
  fputs("  <ModelExchange", out);
  xml_print_text(out, "modelIdentifier", d->identifier);
  fprintf(out, "%s%s/>\n", state[!second],
          second ? " completedIntegratorStepNotNeeded=\"true\"" : " needsCompletedIntegratorStep=\"false\"");
  fputs("  <CoSimulation", out);
  xml_print_text(out, "modelIdentifier", d->identifier);
  fprintf(out, " canHandleVariableCommunicationStepSize=\"true\"%s%s/>\n",
          second ? " canInterpolateInputs=\"true\"" : "", state[!second]);
}

Error DescribeFmu(const FmuDescription *d, FILE *out) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription", out);
  fprintf(out, " fmiVersion=\"%s\"", d->version == 2 ? "2.0" : "3.0");
  xml_print_text(out, "modelName", d->identifier);
  xml_print_text(out, d->version == 2 ? "guid" : "instantiationToken", d->token);
  if (*d->title) xml_print_text(out, "description", d->title);
  xml_print_text(out, "generationTool", "Limber " LIMBER_VERSION);
  fputs(" variableNamingConvention=\"flat\"", out);
  if (d->linear && d->version == 2) fputs(" numberOfEventIndicators=\"0\"", out);
  fputs(">\n", out);
  if (d->linear) print_linear(d, out);
  else print_run(d, out);
  TRY(PrintUnits(d, out));
  fputs("  <LogCategories>\n    <Category name=\"logStatusWarning\"/>\n    <Category name=\"logStatusError\"/>\n"
        "  </LogCategories>\n  <DefaultExperiment startTime=\"0\"",
        out);
  if (d->in->end > 0) xml_print_number(out, "stopTime", d->in->end);
  if (d->in->end > 0 && d->in->options.step > 0) xml_print_number(out, "stepSize", d->in->options.step);
  fputs("/>\n", out);
  print_variables(d, out);
  print_structure(d, out);
  fputs("</fmiModelDescription>\n", out);
  return 0;
}
