// SPDX-License-Identifier: Apache-2.0
// The matrices of a mesh: stiffness and mass of the body that its nodes stand for, from files of other programs.
#include "input/importers/matrix.h"
#include "input/yaml/files.h"
#include "input/yaml/meshes.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

typedef struct {
  Reader *r;
  bool good;
} MatrixReading;

// The text of a file that an entry names; NULL where there is none, or after a mistake.
static Error ReadText(MatrixReading *q, const Tree *word, const char **path, const char **text, size_t *length) {
  *text = NULL;
  if (!word) return 0;
  TRY(ReadSource(q->r, word, path, text, length));
  q->good = q->good && *text;
  return 0;
}

static Error ReportFile(MatrixReading *q, const Tree *word, const char *path, const ImportMistake *mistake) {
  if (!mistake->text[0]) return 0;
  q->good = false;
  TRY(ReportError(q->r, word->at, "line %d of '%s': %s", mistake->line, path, mistake->text));
  return 0;
}

static Error ReadOne(MatrixReading *q, const Tree *word, char letter, const Mesh *m, FileMatrix *out) {
  const char *path, *text;
  size_t length;
  ImportMistake mistake = {0};
  TRY(ReadText(q, word, &path, &text, &length));
  if (!text) return 0;
  TRY(ReadMatrix(text, length, letter, m, &q->r->store, out, &mistake));
  return ReportFile(q, word, path, &mistake);
}

Error ReadMeshMatrices(Reader *r, const Tree *entry, double unit, Mesh *m, bool *good) {
  const Tree *stiffness = tree_find(entry, "stiffness"), *mass = tree_find(entry, "mass");
  const Tree *unknowns = tree_find(entry, "unknowns");
  MatrixReading q = {r, true};
  FileMatrix k = {0}, of_mass = {0};
  Unknowns u = {0};
  char wrong[500];
  if (!stiffness && !mass && !unknowns) return 0;
  if (!stiffness || !mass) {
    *good = false;
    TRY(ReportError(r, entry->at, "a mesh with matrices needs both `stiffness` and `mass`"));
    return 0;
  }
  TRY(ReadOne(&q, stiffness, 'K', m, &k));
  TRY(ReadOne(&q, mass, 'M', m, &of_mass));
  if (unknowns) {
    const char *path, *text;
    size_t length;
    ImportMistake mistake = {0};
    TRY(ReadText(&q, unknowns, &path, &text, &length));
    if (text) TRY(ReadUnknowns(text, length, &r->store, &u, &mistake));
    TRY(ReportFile(&q, unknowns, path, &mistake));
  }
  if (unknowns && (k.of_nodes || of_mass.of_nodes)) {
    q.good = false;
    TRY(ReportError(r, unknowns->at, "the entries of DMIG name their nodes: leave `unknowns` out"));
  }
  *good = *good && q.good;
  if (!*good) return 0;
  Vec3 e[3];
  for (int c = 0; c < 3; c++) e[c] = scope_direction(r->scope, vec3(c == 0, c == 1, c == 2));
  BodyMatrices of = {&k, &of_mass, unknowns ? &u : NULL, 1 / unit, mat3_columns(e[0], e[1], e[2])};
  TRY(PlaceMatrices(&of, m, &r->store, &m->stiffness, &m->mass, wrong, sizeof wrong));
  if (!*wrong) return 0;
  *good = false;
  TRY(ReportError(r, stiffness->at, "mesh '%s': %s", m->name, wrong));
  return 0;
}
