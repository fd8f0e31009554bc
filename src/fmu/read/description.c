// SPDX-License-Identifier: Apache-2.0
// Reads modelDescription.xml.
#include "fmu/read/description.h"

#include "fmu/read/unzip.h"
#include "fmu/read/xml_reader.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DESCRIPTION = 64 << 20 }; // bytes
enum { MOST_VARIABLES = 200000, MOST_TYPES = 10000 };

typedef struct { // SimpleType, Float64Type
  const char *name, *unit;
} NamedType;

typedef struct { // an unknown of ModelStructure
  uint32_t at;   // index, from 1, or reference
  bool direct;
} Unknown;

typedef struct {
  XmlReader xml;
  FmuDescription *d;
  NamedType *type;
  int types, type_room;
  Unknown *unknown; // outputs
  int unknowns, unknown_room;
} Reading;

static uint32_t read_count(Reading *x, XmlAttributes list, const char *name) {
  const char *text = xml_attribute(list, name);
  char *end;
  unsigned long long value = text && *text != '-' ? strtoull(text, &end, 10) : 0;
  if (!text) xml_stop(&x->xml, "'%s' is missing", name);
  else if (*text == '-' || end == text || *end || value > UINT32_MAX)
    xml_stop(&x->xml, "'%s' must be a whole number, not '%.60s'", name, text);
  return (uint32_t)value;
}

// ---- elements ----

static void begin_root(Reading *x, const char *name, XmlAttributes list) {
  FmuDescription *d = x->d;
  const char *version = xml_attribute(list, "fmiVersion"), *token;
  if (strcmp(name, "fmiModelDescription"))
    return xml_stop(&x->xml, "it does not describe an FMU: it begins with <%.40s>", name);
  d->version = !version ? 0 : !strcmp(version, "2.0") ? 2 : !strncmp(version, "3.", 2) ? 3 : 0;
  if (!d->version)
    return xml_stop(&x->xml, "the FMU has version %.20s of the interface; Limber reads 2.0 and 3.0",
                    version ? version : "?");
  token = xml_attribute(list, d->version == 2 ? "guid" : "instantiationToken");
  if (!token) return xml_stop(&x->xml, "'%s' is missing", d->version == 2 ? "guid" : "instantiationToken");
  if (d->version == 2 && xml_attribute(list, "numberOfEventIndicators")) {
    uint32_t count = read_count(x, list, "numberOfEventIndicators");
    if (count > INT_MAX) return xml_stop(&x->xml, "it has %u event indicators", count);
    d->indicators = (int)count;
  }
  d->token = xml_keep(&x->xml, token), d->name = xml_keep(&x->xml, xml_attribute(list, "modelName"));
}

// It becomes the name of a file.
static bool is_identifier(const char *text) {
  size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return n && n < 200 && !text[n];
}

static void begin_interface(Reading *x, XmlAttributes list, bool exchange) {
  bool second = x->d->version == 2;
  const char *identifier = xml_attribute(list, "modelIdentifier");
  if (!identifier || !is_identifier(identifier)) return xml_stop(&x->xml, "'modelIdentifier' must be a name of C");
  const char *silent = second ? "completedIntegratorStepNotNeeded" : "needsCompletedIntegratorStep";
  *(exchange ? &x->d->exchange : &x->d->step) = (FmuInterface){
      .identifier = xml_keep(&x->xml, identifier),
      .can_save = xml_is_true(list, second ? "canGetAndSetFMUstate" : "canGetAndSetFMUState"),
      .can_serialize = xml_is_true(list, second ? "canSerializeFMUstate" : "canSerializeFMUState"),
      .variable_step = exchange || xml_is_true(list, "canHandleVariableCommunicationStepSize"),
      .announces_steps =
          second ? !xml_is_true(list, silent) : !xml_attribute(list, silent) || xml_is_true(list, silent),
      .needs_tool = xml_is_true(list, "needsExecutionTool"),
  };
}

static void begin_experiment(Reading *x, XmlAttributes list) {
  x->d->start = xml_number(&x->xml, list, "startTime", NAN), x->d->stop = xml_number(&x->xml, list, "stopTime", NAN);
  x->d->tolerance = xml_number(&x->xml, list, "tolerance", NAN),
  x->d->length = xml_number(&x->xml, list, "stepSize", NAN);
}

static void add_type(Reading *x, const char *name, const char *unit) {
  if (!name) return xml_stop(&x->xml, "'name' is missing");
  if (!xml_make_room(&x->xml, sizeof *x->type, x->types, MOST_TYPES, &x->type_room, &x->type)) return;
  x->type[x->types++] = (NamedType){xml_keep(&x->xml, name), xml_keep(&x->xml, unit)};
}

static const struct {
  const char *name;
  int version;
  FmuType type;
} types[] = {
    {"Real", 2, FMU_FLOAT64},      {"Integer", 2, FMU_INT32},   {"Enumeration", 2, FMU_INT32},
    {"Float64", 3, FMU_FLOAT64},   {"Float32", 3, FMU_FLOAT32}, {"Int8", 3, FMU_INT8},
    {"UInt8", 3, FMU_UINT8},       {"Int16", 3, FMU_INT16},     {"UInt16", 3, FMU_UINT16},
    {"Int32", 3, FMU_INT32},       {"UInt32", 3, FMU_UINT32},   {"Int64", 3, FMU_INT64},
    {"Enumeration", 3, FMU_INT64}, {"UInt64", 3, FMU_UINT64},   {"Boolean", 0, FMU_BOOLEAN},
    {"String", 0, FMU_STRING},     {"Binary", 3, FMU_BINARY},   {"Clock", 3, FMU_CLOCK},
};

static FmuType find_type(const FmuDescription *d, const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if ((!types[i].version || types[i].version == d->version) && !strcmp(types[i].name, name)) return types[i].type;
  return FMU_NO_TYPE;
}

const char *fmu_type_name(FmuType t) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (types[i].version != 2 && types[i].type == t) return types[i].name;
  return "?";
}

static FmuCausality read_causality(XmlAttributes list) {
  static const char *const word[] = {"local", "input", "output", "parameter", "calculatedParameter", "independent"};
  const char *text = xml_attribute(list, "causality");
  for (int i = 0; text && i < 6; i++)
    if (!strcmp(text, word[i])) return (FmuCausality)i;
  return text && !strcmp(text, "structuralParameter") ? FMU_CALCULATED : FMU_LOCAL; // needs a mode of its own to be set
}

// NaN: none, or no single number.
static double read_start(XmlAttributes list) {
  const char *text = xml_attribute(list, "start");
  char *end;
  if (!text) return NAN;
  if (!strcmp(text, "true") || !strcmp(text, "false")) return text[0] == 't';
  double value = strtod(text, &end);
  return end == text || end[strspn(end, " \t\r\n")] ? NAN : value;
}

static bool is_real(FmuType t) { return t == FMU_FLOAT64 || t == FMU_FLOAT32 || t == FMU_NO_TYPE; }

static void begin_variable(Reading *x, XmlAttributes list, FmuType type) {
  FmuDescription *d = x->d;
  const char *name = xml_attribute(list, "name"), *varies = xml_attribute(list, "variability"),
             *initial = xml_attribute(list, "initial");
  if (!name) return xml_stop(&x->xml, "'name' is missing");
  uint32_t reference = read_count(x, list, "valueReference");
  if (!xml_make_room(&x->xml, sizeof *d->variable, d->variables, MOST_VARIABLES, &d->room, &d->variable)) return;
  FmuCausality causality = read_causality(list);
  d->variable[d->variables++] = (FmuVariable){.name = xml_keep(&x->xml, name),
                                              .reference = reference,
                                              .type = type,
                                              .causality = causality,
                                              .declared = xml_keep(&x->xml, xml_attribute(list, "declaredType")),
                                              .unit_name = xml_keep(&x->xml, xml_attribute(list, "unit")),
                                              .constant = varies && !strcmp(varies, "constant"),
                                              .exact = initial ? !strcmp(initial, "exact") || !strcmp(initial, "approx")
                                                               : causality == FMU_PARAMETER || causality == FMU_INPUT,
                                              .direct = true,
                                              .start = read_start(list),
                                              .sampled = varies ? strcmp(varies, "continuous") != 0 : !is_real(type)};
}

// Within a variable: its type in version 2.0; dimensions and other names in version 3.0.
static void in_variable(Reading *x, const char *name, XmlAttributes list) {
  FmuDescription *d = x->d;
  if (!d->variables) return;
  FmuVariable *v = &d->variable[d->variables - 1];
  if (d->version == 2) {
    FmuType type = find_type(d, name);
    if (type == FMU_NO_TYPE) return;
    v->start = read_start(list), v->type = type, v->sampled = v->sampled || !is_real(type),
    v->declared = xml_keep(&x->xml, xml_attribute(list, "declaredType"));
    v->unit_name = xml_keep(&x->xml, xml_attribute(list, "unit"));
  } else if (!strcmp(name, "Dimension")) v->array = true;
  else if (!strcmp(name, "Alias")) {
    const char *other = xml_attribute(list, "name");
    FmuVariable copy = *v;
    if (!other) return xml_stop(&x->xml, "'name' is missing");
    if (!xml_make_room(&x->xml, sizeof copy, d->variables, MOST_VARIABLES, &d->room, &d->variable)) return;
    copy.name = xml_keep(&x->xml, other);
    FmuVariable first = d->variable[d->variables - 1]; // stays the last, for what else is within it
    d->variable[d->variables - 1] = copy, d->variable[d->variables++] = first;
  }
}

static void begin_unknown(Reading *x, XmlAttributes list) {
  const char *needs = xml_attribute(list, "dependencies");
  uint32_t at = read_count(x, list, x->d->version == 2 ? "index" : "valueReference");
  if (!xml_make_room(&x->xml, sizeof *x->unknown, x->unknowns, MOST_VARIABLES, &x->unknown_room, &x->unknown)) return;
  x->unknown[x->unknowns++] = (Unknown){at, !needs || needs[strspn(needs, " \t\r\n")]};
}

static void begin_element(void *self, const char *name, XmlAttributes list) {
  Reading *x = self;
  FmuDescription *d = x->d;
  const char *above = xml_above(&x->xml), (*path)[XML_NAME] = x->xml.path;
  int depth = x->xml.depth;
  bool in_structure = depth > 1 && !strcmp(path[1], "ModelStructure");
  if (depth == 0) begin_root(x, name, list);
  else if (depth == 1 && !strcmp(name, "CoSimulation")) begin_interface(x, list, false);
  else if (depth == 1 && !strcmp(name, "ModelExchange")) begin_interface(x, list, true);
  else if (depth == 1 && !strcmp(name, "DefaultExperiment")) begin_experiment(x, list);
  else if (depth == 2 && !strcmp(above, "UnitDefinitions") && !strcmp(name, "Unit"))
    xml_add_unit(&x->xml, list, &d->unit, &d->units, &d->unit_room);
  else if (depth == 3 && !strcmp(above, "Unit") && !strcmp(name, "BaseUnit"))
    xml_add_base_unit(&x->xml, list, d->unit, d->units);
  else if (depth == 2 && !strcmp(above, "TypeDefinitions"))
    add_type(x, xml_attribute(list, "name"), xml_attribute(list, "unit"));
  else if (depth == 3 && !strcmp(above, "SimpleType") && x->types)
    x->type[x->types - 1].unit = xml_keep(&x->xml, xml_attribute(list, "unit"));
  else if (depth == 2 && !strcmp(above, "ModelVariables")) {
    FmuType type = d->version == 2 ? FMU_NO_TYPE : find_type(d, name);
    if (d->version == 3 ? type != FMU_NO_TYPE : !strcmp(name, "ScalarVariable")) begin_variable(x, list, type);
  } else if (depth == 3 && !strcmp(path[1], "ModelVariables")) in_variable(x, name, list);
  else if (in_structure && d->version == 2 && !strcmp(above, "Derivatives")) d->states++;
  else if (in_structure && (d->version == 3 ? !strcmp(name, "Output") : !strcmp(above, "Outputs")))
    begin_unknown(x, list);
}

// ---- after reading ----

static int compare_units(const void *a, const void *b) {
  return strcmp(((const FmuUnit *)a)->name, ((const FmuUnit *)b)->name);
}

static int compare_types(const void *a, const void *b) {
  return strcmp(((const NamedType *)a)->name, ((const NamedType *)b)->name);
}

static int compare_unknowns(const void *a, const void *b) {
  uint32_t x = ((const Unknown *)a)->at, y = ((const Unknown *)b)->at;
  return (x > y) - (x < y);
}

// Gives variables their units, and outputs what the structure says of them.
static void join(Reading *x) {
  FmuDescription *d = x->d;
  if (d->units) qsort(d->unit, (size_t)d->units, sizeof *d->unit, compare_units);
  if (x->types) qsort(x->type, (size_t)x->types, sizeof *x->type, compare_types);
  if (x->unknowns) qsort(x->unknown, (size_t)x->unknowns, sizeof *x->unknown, compare_unknowns);
  for (int i = 0; i < d->variables; i++) {
    FmuVariable *v = &d->variable[i];
    const NamedType type = {.name = v->declared};
    if (!v->unit_name && v->declared && x->types) {
      const NamedType *t = bsearch(&type, x->type, (size_t)x->types, sizeof type, compare_types);
      if (t) v->unit_name = t->unit;
    }
    const FmuUnit unit = {.name = v->unit_name};
    if (v->unit_name && d->units) v->unit = bsearch(&unit, d->unit, (size_t)d->units, sizeof unit, compare_units);
    if (v->unit && !v->unit->known) v->unit = NULL;
    const Unknown key = {.at = d->version == 2 ? (uint32_t)i + 1 : v->reference};
    const Unknown *u =
        x->unknowns ? bsearch(&key, x->unknown, (size_t)x->unknowns, sizeof key, compare_unknowns) : NULL;
    if (u) v->direct = u->direct;
  }
}

Error FmuDescriptionRead(Store *s, const char *text, size_t length, FmuDescription *out, Refusal *wrong) {
  Reading x = {.xml = {.store = s, .wrong = wrong, .file = "modelDescription.xml", .begin = begin_element}, .d = out};
  x.xml.self = &x;
  *out = (FmuDescription){.start = NAN, .stop = NAN, .tolerance = NAN, .length = NAN};
  wrong->text[0] = 0;
  TRY(XmlRead(&x.xml, text, length));
  if (!is_refused(wrong)) join(&x);
  return 0;
}

Error FmuDescriptionUnpack(Store *s, const void *bytes, size_t size, FmuDescription *out, size_t *length,
                           Refusal *wrong) {
  char *text = NULL;
  Zip z;
  *length = 0;
  TRY(ZipRead(s, bytes, size, &z, wrong));
  if (is_refused(wrong)) return 0;
  const ZipEntry *e = zip_find(&z, "modelDescription.xml");
  if (!e || e->size > MOST_DESCRIPTION) {
    refuse(wrong, e ? "its modelDescription.xml is too large" : "it has no modelDescription.xml");
    return 0;
  }
  *length = e->size;
  TRY(ZipUnpack(e, &text, wrong));
  if (!text) return 0;
  Error error = FmuDescriptionRead(s, text, e->size, out, wrong);
  memory_free(&text);
  return error;
}

const FmuVariable *fmu_variable(const FmuDescription *d, const char *name) {
  for (int i = 0; i < d->variables; i++)
    if (!strcmp(d->variable[i].name, name)) return &d->variable[i];
  return NULL;
}
