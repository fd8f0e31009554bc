// SPDX-License-Identifier: Apache-2.0
// Any text is read to its end, with notes or without: a target for libFuzzer, run by run.sh. Lines after the first that
// begins with "@@" are changes, as --set has them. A few files can be included. The same text is read as the plan of a study.
#include "input/input.h"
#include "study/plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libfyaml.h>
#include <sanitizer/lsan_interface.h>
#include <udunits2.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

// These two forget memory of their own: libfyaml 0.7.12 in quoted texts with many escapes, UDUNITS 2.2.28 in texts that
// are no unit. The linker leads our calls through here.
const char *__real_fy_token_get_text(struct fy_token *token, size_t *length);
const char *__wrap_fy_token_get_text(struct fy_token *token, size_t *length);
ut_unit *__real_ut_parse(const ut_system *system, const char *text, ut_encoding encoding);
ut_unit *__wrap_ut_parse(const ut_system *system, const char *text, ut_encoding encoding);

const char *__wrap_fy_token_get_text(struct fy_token *token, size_t *length) {
  __lsan_disable();
  const char *text = __real_fy_token_get_text(token, length);
  __lsan_enable();
  return text;
}

ut_unit *__wrap_ut_parse(const ut_system *system, const char *text, ut_encoding encoding) {
  __lsan_disable();
  ut_unit *unit = __real_ut_parse(system, text, encoding);
  __lsan_enable();
  return unit;
}

static const struct {
  const char *name, *text;
} files[] = {
    {"let.yaml", "limber: 1\nlet: {R: 1 m, n: 2}\n"},
    {"parts.yaml", "limber: 1\ninclude: let.yaml\nnodes: {p: [R, 0, 0]}\nelements: [mass: {node: p, mass: n}]\n"
                   "sections: {q: {E: 1, G: 1, density: 1, rectangle: [1, 1]}}\n"},
    {"cycle.yaml", "limber: 1\ninclude: [cycle.yaml, fuzz.yaml]\n"},
    {"odd.yaml", "limber: 1\nnodes: [1]\nrun: {step: 1, end: 1}\nelements: {}\n"},
    {"broken.yaml", "limber: [\n"},
    {"other.txt", "root:x:0:0\n"},
    {"anchors.yaml",
     "limber: 1\nlet: &l {k: 2}\nfunctions: {g: &g {sum: [1, 1]}, h: &h {sum: [*g, *g]}, i: {sum: [*h, *h]}}\n"},
    {"mesh.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n0 1 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n"
                 "1 1 1 1\n0 1 15 1\n1 1\n$EndElements\n"},
    {"empty.yaml", ""},
    {"a.stl", "solid\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"},
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
    {"data.csv", "t,x\n0,1\n1,2\n"},
    {"k.mtx", "%%MatrixMarket matrix coordinate real symmetric\n12 12 33\n1 1 1\n2 2 1\n3 3 1\n4 1 -1\n4 4 3\n"
              "5 4 -1\n5 5 1\n6 4 -1\n6 6 1\n7 4 -1\n7 5 1\n7 7 1\n8 2 -1\n8 4 1\n8 5 -1\n8 7 -1\n8 8 3\n"
              "9 8 -1\n9 9 1\n10 4 -1\n10 6 1\n10 10 1\n11 8 -1\n11 9 1\n11 11 1\n12 3 -1\n12 4 1\n12 6 -1\n"
              "12 8 1\n12 9 -1\n12 10 -1\n12 11 -1\n12 12 3\n"},
    {"m.mas", "1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n6 6 1\n7 7 1\n8 8 1\n9 9 1\n10 10 1\n11 11 1\n12 12 1\n"},
    {"k.dof", "1.1\n1.2\n1.3\n2.1\n2.2\n2.3\n3.1\n3.2\n3.3\n4.1\n4.2\n4.3\n"},
    {"nodes.csv", "node,x,y,z,group\n1,0,0,0,A\n2,1,0,0,A\n3,0,1,0,A\n4,0,0,1,\n"},
};

static Error Serve(const char *path, const SourceRule *rule, SourceText *out) {
  (void)rule;
  *out = (SourceText){.error = ENOENT};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (!strcmp(path, files[i].name)) {
      out->error = 0, out->length = strlen(files[i].text);
      TRY(MemoryNew(out->length + 1, &out->text));
      memcpy(out->text, files[i].text, out->length);
    }
  return 0;
}

enum { MOST_CHANGES = 8 };

// Cuts the changes off the text.
static int cut_changes(char *text, size_t *length, const char **change) {
  int count = 0;
  char *at = strncmp(text, "@@", 2) ? strstr(text, "\n@@") : text;
  if (!at) return 0;
  *length = (size_t)(at - text);
  while (at && count < MOST_CHANGES) {
    char *end = strchr(at + 3, '\n');
    change[count++] = at + 3;
    if (end) *end = 0;
    at = end && end[1] == '@' && end[2] == '@' ? end : NULL;
  }
  return count;
}

// Reads a plan, and asks for the values of its first and last run.
static void read_plan(const char *text, size_t length) {
  Diagnostics d = {0};
  Plan *p = NULL;
  char change[4000];
  if (PlanRead("fuzz.yaml", text, length, Serve, &d, &p)) abort();
  double *value = malloc((size_t)(p->variables + 1) * sizeof *value);
  for (int last = 0; last < 2 && !d.errors; last++) {
    uint64_t run = last ? p->runs - 1 : 0;
    plan_values(p, run, value);
    if (!(plan_weight(p, run) >= 0)) abort();
    for (int i = 0; i < p->variables; i++) plan_change(p, i, value[i], change, sizeof change);
  }
  free(value);
  if (PlanDestroy(&p) || DiagnosticsDestroy(&d)) abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  const char *change[MOST_CHANGES];
  char *text = malloc(size + 4), *printed = NULL;
  size_t length = size, all = 0;
  Input *in = NULL;
  if (size) memcpy(text, data, size);
  memset(text + size, 0, 4);
  InputOptions o = {.read = Serve, .change = change};
  o.changes = cut_changes(text, &length, change);
  if (InputRead("fuzz.yaml", text, length, &o, &in)) abort();
  FILE *out = open_memstream(&printed, &all);
  if (DiagnosticsPrint(&in->diagnostics, out, NULL)) abort();
  fclose(out);
  if (InputDestroy(&in)) abort();
  read_plan(text, length);
  free(printed), free(text);
  return 0;
}
