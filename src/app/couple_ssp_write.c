// SPDX-License-Identifier: Apache-2.0
// A system of `limber couple` as a system structure (SSP 1.0): models become FMUs of version 2.0, which most programs
// read, and signals become connections. Lines between wave ports have no counterpart there.
#include "app/couple_ssp.h"

#include "app/couple.h"
#include "files/folder.h"
#include "files/output_file.h"
#include "fmu/archive.h"
#include "fmu/read/description.h"
#include "fmu/read/unzip.h"
#include "fmu/write.h"
#include "results/write/output.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *bytes; // the FMU
  size_t size;
  const FmuDescription *fmu; // what it says of itself
  const FmuUse *use;         // of a participant that is an FMU; NULL: a model
  const Input *in;
  SourceText file;
} Component;

typedef struct {
  const Couple *c;
  Component *component;
  const char *(*end)[2]; // variables of each connection
  Store store;
} Export;

// ---- components ----

// What the archive of an FMU says of it.
static Error DescribeComponent(Export *x, Component *p, Refusal *wrong) {
  static const char file[] = "modelDescription.xml";
  FmuDescription *d;
  char *text = NULL;
  Zip z;
  TRY(StoreAllocate(&x->store, sizeof *d, &d));
  p->fmu = d;
  TRY(ZipRead(&x->store, p->bytes, p->size, &z, wrong));
  const ZipEntry *e = is_refused(wrong) ? NULL : zip_find(&z, file);
  if (!e) return is_refused(wrong) ? 0 : (refuse(wrong, "it has no %s", file), 0);
  TRY(ZipUnpack(e, &text, wrong));
  Error error = text ? FmuDescriptionRead(&x->store, text, e->size, d, wrong) : 0;
  memory_free(&text);
  return error;
}

static PetscErrorCode MakeComponent(Export *x, int i, const char *folder, Refusal *wrong) {
  Component *p = &x->component[i];
  char path[4300];
  FmuSummary summary;
  PetscFunctionBegin;
  p->in = x->c->side[i].in;
  if (x->c->in->participant[i].text) {
    p->use = p->in->network.block[0].use.unit->use;
    p->bytes = p->use->bytes, p->size = p->use->size, p->fmu = p->use->description;
    PetscFunctionReturn(0);
  }
  snprintf(path, sizeof path, "%s/%d.fmu", folder, i);
  PetscCall(FmuWrite(PETSC_COMM_WORLD, p->in, path, 2, &summary, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(SourceRead(path, &source_rule_model, &p->file));
  if (!p->file.text) refuse(wrong, "%s", source_error(p->file.error));
  p->bytes = p->file.text, p->size = p->file.length;
  if (!is_refused(wrong)) PetscCall(DescribeComponent(x, p, wrong));
  PetscFunctionReturn(0);
}

// ---- names of variables ----

// The variable of an FMU behind a probe or a signal of the model that it is alone.
static const char *variable_of_use(const Component *p, const char *end, bool input) {
  const NetworkBlock *b = &p->in->network.block[0];
  for (int i = 0; i < p->use->inputs && input; i++)
    if (!strcmp(b->formula[i], end)) return p->use->input[i].variable->name;
  for (int i = 0; i < p->in->probes && !input; i++) { // one probe for each output, in their order
    if (!strcmp(p->in->probe[i].name, end)) return p->use->output[i].variable->name;
  }
  return NULL;
}

static Error FindVariable(Export *x, const Connection *q, int e, const char **out, Refusal *wrong) {
  const Component *p = &x->component[q->end[e].participant];
  const char *end = q->end[e].name, *who = x->c->side[q->end[e].participant].name;
  char text[1000];
  *out = end;
  if (p->use) return *out = variable_of_use(p, end, e == 1), 0;
  if (fmu_variable(p->fmu, end)) return 0;
  snprintf(text, sizeof text, "%.900s.value", end); // of a probe that is a formula
  if (fmu_variable(p->fmu, text)) return StoreText(&x->store, text, strlen(text), out);
  refuse(wrong, "the FMU of '%s' would have no variable '%s', which a connection names: record it with a probe", who,
         end);
  return 0;
}

static Error FindEnds(Export *x, Refusal *wrong) {
  const Input *in = x->c->in;
  TRY(StoreAllocate(&x->store, ((size_t)in->connections + 1) * sizeof *x->end, &x->end));
  for (int k = 0; k < in->connections && !is_refused(wrong); k++)
    for (int e = 0; e < 2 && !is_refused(wrong); e++) TRY(FindVariable(x, &in->connection[k], e, &x->end[k][e], wrong));
  return 0;
}

// Connectors: outputs that connections name, and those that an FMU records.
static bool is_output(const Export *x, int component, const char *variable) {
  const FmuUse *use = x->component[component].use;
  for (int i = 0; use && i < use->outputs; i++)
    if (!strcmp(use->output[i].variable->name, variable)) return true;
  for (int k = 0; k < x->c->in->connections; k++)
    if (x->c->in->connection[k].end[0].participant == component && !strcmp(x->end[k][0], variable)) return true;
  return false;
}

// ---- SystemStructure.ssd ----

static const char *type_of(const FmuVariable *v) {
  return v->type == FMU_BOOLEAN ? "Boolean" : v->type <= FMU_FLOAT32 ? "Real" : "Integer";
}

static void print_connector(const FmuVariable *v, FILE *out) {
  fputs("            <ssd:Connector", out);
  xml_print_text(out, "name", v->name);
  fprintf(out, " kind=\"%s\"><ssc:%s", v->causality == FMU_INPUT ? "input" : "output", type_of(v));
  if (v->unit && v->type <= FMU_FLOAT32) xml_print_text(out, "unit", v->unit->name);
  fputs("/></ssd:Connector>\n", out);
}

static void print_parameter(const char *variable, const FmuVariable *v, double value, FILE *out) {
  fputs("                  <ssv:Parameter", out);
  xml_print_text(out, "name", variable);
  fprintf(out, "><ssv:%s", type_of(v));
  if (v->type == FMU_BOOLEAN) xml_print_text(out, "value", value != 0 ? "true" : "false");
  else xml_print_number(out, "value", value);
  fputs("/></ssv:Parameter>\n", out); // in the unit of the FMU
}

// Parameters, and inputs that have a number; their formulae are in SI units.
static void print_parameters(const Component *p, FILE *out) {
  bool any = p->use && p->use->parameters > 0;
  for (int i = 0; p->use && i < p->use->inputs; i++) any = any || strncmp(p->in->network.block[0].formula[i], "in_", 3);
  if (!any) return;
  fputs("          <ssd:ParameterBindings>\n            <ssd:ParameterBinding>\n              <ssd:ParameterValues>\n"
        "                <ssv:ParameterSet version=\"1.0\" name=\"values\"><ssv:Parameters>\n",
        out);
  for (int i = 0; i < p->use->parameters; i++) {
    const FmuChannel *c = &p->use->parameter[i];
    print_parameter(c->variable->name, c->variable, c->value, out);
  }
  for (int i = 0; i < p->use->inputs; i++) {
    const FmuChannel *c = &p->use->input[i];
    const char *formula = p->in->network.block[0].formula[i];
    if (strncmp(formula, "in_", 3))
      print_parameter(c->variable->name, c->variable, (strtod(formula, NULL) - c->offset) / c->factor, out);
  }
  fputs("                </ssv:Parameters></ssv:ParameterSet>\n              </ssd:ParameterValues>\n"
        "            </ssd:ParameterBinding>\n          </ssd:ParameterBindings>\n",
        out);
}

static void print_component(const Export *x, int i, FILE *out) {
  const Component *p = &x->component[i];
  char source[400];
  snprintf(source, sizeof source, "resources/%.300s.fmu", x->c->side[i].name);
  fputs("        <ssd:Component", out);
  xml_print_text(out, "name", x->c->side[i].name);
  fputs(" type=\"application/x-fmu-sharedlibrary\" implementation=\"CoSimulation\"", out);
  xml_print_text(out, "source", source);
  fputs(">\n          <ssd:Connectors>\n", out);
  for (int k = 0; k < p->fmu->variables; k++) {
    const FmuVariable *v = &p->fmu->variable[k];
    bool plain = v->type < FMU_STRING && !v->array;
    if (plain && (v->causality == FMU_INPUT || is_output(x, i, v->name))) print_connector(v, out);
  }
  fputs("          </ssd:Connectors>\n", out);
  print_parameters(p, out);
  fputs("        </ssd:Component>\n", out);
}

static void print_unit(const FmuUnit *u, FILE *out) {
  static const char *const base[FMU_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};
  static const int order[FMU_BASES] = {1, 0, 2, 3, 4, 5, 6, 7};
  fputs("    <ssc:Unit", out);
  xml_print_text(out, "name", u->name);
  fputs("><ssc:BaseUnit", out);
  for (int i = 0; i < FMU_BASES; i++)
    if (u->power[order[i]] != 0) fprintf(out, " %s=\"%.0f\"", base[order[i]], u->power[order[i]]);
  if (u->factor != 1) xml_print_number(out, "factor", u->factor);
  if (u->offset != 0) xml_print_number(out, "offset", u->offset);
  fputs("/></ssc:Unit>\n", out);
}

// Units of the connectors; the first one of a name.
static void print_units(const Export *x, FILE *out) {
  const FmuUnit *done[500];
  int count = 0;
  for (int i = 0; i < x->c->sides; i++)
    for (int k = 0; k < x->component[i].fmu->variables && count < 500; k++) {
      const FmuVariable *v = &x->component[i].fmu->variable[k];
      bool listed = !v->unit || v->type > FMU_FLOAT32 || (v->causality != FMU_INPUT && !is_output(x, i, v->name));
      for (int d = 0; d < count && !listed; d++) listed = !strcmp(done[d]->name, v->unit->name);
      if (listed) continue;
      if (!count) fputs("  <ssd:Units>\n", out);
      print_unit(done[count++] = v->unit, out);
    }
  if (count) fputs("  </ssd:Units>\n", out);
}

static void print_structure(const Export *x, FILE *out) {
  const Input *in = x->c->in;
  static const char space[] = "http://ssp-standard.org/SSP1/SystemStructure";
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssd:SystemStructureDescription xmlns:ssd=\"%sDescription\""
          " xmlns:ssc=\"%sCommon\" xmlns:ssv=\"%sParameterValues\" version=\"1.0\"",
          space, space, space);
  xml_print_text(out, "name", *in->title ? in->title : "system");
  xml_print_text(out, "generationTool", "Limber " LIMBER_VERSION);
  fputs(">\n  <ssd:System name=\"system\">\n      <ssd:Elements>\n", out);
  for (int i = 0; i < x->c->sides; i++) print_component(x, i, out);
  fputs("      </ssd:Elements>\n", out);
  if (in->connections) fputs("      <ssd:Connections>\n", out);
  for (int k = 0; k < in->connections; k++) {
    fputs("        <ssd:Connection", out);
    xml_print_text(out, "startElement", x->c->side[in->connection[k].end[0].participant].name);
    xml_print_text(out, "startConnector", x->end[k][0]);
    xml_print_text(out, "endElement", x->c->side[in->connection[k].end[1].participant].name);
    xml_print_text(out, "endConnector", x->end[k][1]);
    fputs("/>\n", out);
  }
  if (in->connections) fputs("      </ssd:Connections>\n", out);
  fputs("  </ssd:System>\n", out);
  print_units(x, out);
  fputs("  <ssd:DefaultExperiment startTime=\"0\"", out);
  xml_print_number(out, "stopTime", in->end);
  fputs("/>\n</ssd:SystemStructureDescription>\n", out);
}

// ---- the file ----

static Error AddAll(const Export *x, ZipWriter *z) {
  char *text = NULL, file[400];
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ENSURE(out, ERROR_MEMORY, "out of memory");
  print_structure(x, out);
  bool good = !ferror(out);
  Error error = fclose(out) || !good ? ERROR_MEMORY : 0;
  if (!error) error = ZipAdd(z, "extra/limber.txt", file_fmu_sign, strlen(file_fmu_sign), false); // known by it
  if (!error) error = ZipAdd(z, "SystemStructure.ssd", text, size, true);
  free(text);
  for (int i = 0; i < x->c->sides && !error; i++) {
    snprintf(file, sizeof file, "resources/%.300s.fmu", x->c->side[i].name);
    error = ZipAdd(z, file, x->component[i].bytes, x->component[i].size, false);
  }
  return error ? error : ZipEnd(z);
}

static Error WriteFile(const Export *x, const char *path, Refusal *wrong) {
  const char *inputs[LIMIT_PARTICIPANTS + 1] = {x->c->in->file};
  OutputRules rules = {.kind = FILE_SSP, .force = output_force(), .input = inputs, .inputs = 1};
  OutputFile f;
  for (int i = 0; i < x->c->sides; i++) inputs[rules.inputs++] = x->c->side[i].in->file;
  if (!output_open(path, &rules, &f, wrong)) return 0;
  ZipWriter z = {.out = f.out};
  Error error = AddAll(x, &z);
  zip_free(&z);
  if (error) return output_discard(&f), error;
  output_finish(&f, wrong);
  return 0;
}

PetscErrorCode SspWrite(const Couple *c, const char *path, Refusal *wrong) {
  Export x = {.c = c};
  char folder[4200];
  Refusal why = {.text = ""};
  PetscErrorCode error = 0;
  PetscFunctionBegin;
  wrong->text[0] = 0;
  for (int k = 0; k < c->in->connections; k++)
    if (c->in->connection[k].wave) {
      refuse(wrong, "a line between wave ports cannot be in a system structure, which has signals only");
      PetscFunctionReturn(0);
    }
  if (!private_folder_make("ssp", folder, sizeof folder)) {
    refuse(wrong, "cannot make a temporary folder in '%s'", temporary_folder());
    PetscFunctionReturn(0);
  }
  PetscCall(PetscCalloc1(c->sides, &x.component));
  for (int i = 0; i < c->sides && !error && !is_refused(wrong); i++) {
    error = MakeComponent(&x, i, folder, &why);
    if (is_refused(&why)) refuse(wrong, "participant '%s': %.900s", c->side[i].name, why.text);
  }
  private_folder_remove(folder);
  if (!error && !is_refused(wrong)) error = FindEnds(&x, wrong);
  if (!error && !is_refused(wrong)) error = WriteFile(&x, path, wrong);
  for (int i = 0; i < c->sides; i++) memory_free(&x.component[i].file.text);
  PetscCall(PetscFree(x.component));
  PetscCall(StoreDestroy(&x.store));
  PetscFunctionReturn(error);
}
