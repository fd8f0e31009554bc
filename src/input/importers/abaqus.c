// SPDX-License-Identifier: Apache-2.0
// Meshes of Abaqus and CalculiX, input files without parts. A file is keyword lines, `*NODE, NSET=ALL`, with lines of data
// divided by commas behind them; `**` begins a comment, a line that ends with a comma goes on in the next one. Letters
// are as good as capitals. The file is read four times, so that blocks may come in any order: nodes, elements, sets and
// materials, then what refers to sets. Sets and surfaces become groups: of points, of cells, of faces of cells.
// Keywords that say nothing about the mesh, such as steps, are passed over.
#include "input/importers/abaqus.h"

#include "input/importers/mesh.h"
#include "input/yaml/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// ---- words ----

// Moves to the next line that is no comment and not blank; false at the end of the file.
static bool line_begins(Inp *f) {
  Words *w = &f->words;
  w->ended = false;
  while (w->p < w->end) {
    while (w->p < w->end && isspace((unsigned char)*w->p)) w->line += *w->p++ == '\n';
    if (w->end - w->p < 2 || w->p[0] != '*' || w->p[1] != '*') break;
    while (w->p < w->end && *w->p != '\n') w->p++;
  }
  return w->p < w->end;
}

bool inp_data(Inp *f) { return f->words.good && line_begins(f) && *f->words.p != '*'; }

Error InpItem(Inp *f, InpWord out, bool *found) {
  Words *w = &f->words;
  size_t n = 0;
  *found = false, out[0] = 0;
  if (!w->good || w->p >= w->end || *w->p == '\n') return 0;
  for (; w->p < w->end && *w->p != ',' && *w->p != '\n'; w->p++) {
    if (n == 0 && isspace((unsigned char)*w->p)) continue;
    if (n + 1 < sizeof(InpWord)) out[n] = *w->p;
    n++;
  }
  if (w->p < w->end && *w->p == ',') w->p++;
  if (n >= sizeof(InpWord)) TRY(ReportMistake(w, "a name or number has at most %zu characters", sizeof(InpWord) - 1));
  n = n < sizeof(InpWord) ? n : 0;
  while (n && isspace((unsigned char)out[n - 1])) n--;
  out[n] = 0;
  *found = w->good && (n || (w->p < w->end && *w->p != '\n' && *w->p != '\r'));
  return 0;
}

// The numbers of a record, which may go on in further lines; what is on the line behind them is a mistake.
static Error ReadNumbers(Inp *f, const char *what, int count, long *out) {
  InpWord word;
  bool found;
  for (int i = 0; i < count && f->words.good;) {
    TRY(InpItem(f, word, &found));
    if (found) TRY(WordInt(&f->words, word, what, &out[i++]));
    else if (f->words.good && !inp_data(f)) TRY(ReportMistake(&f->words, "%s is missing before this line", what));
  }
  TRY(InpItem(f, word, &found));
  if (found) TRY(ReportMistake(&f->words, "the line has more than the %d numbers that are expected", count));
  return 0;
}

static void to_capitals(char *text) {
  for (; *text; text++) *text = (char)toupper((unsigned char)*text);
}

// ---- keywords ----

const char *inp_parameter(const Inp *f, const char *key) {
  for (int i = 0; i < f->parameters; i++)
    if (!strcmp(f->key[i], key)) return f->value[i];
  return NULL;
}

// `KEY = VALUE`, or a key alone.
static void split_parameter(Inp *f, InpWord word) {
  char *key = f->key[f->parameters], *value = f->value[f->parameters];
  char *equals = strchr(word, '=');
  size_t n = 0;
  f->parameters++;
  for (const char *p = word; *p && p != equals; p++)
    if (!isspace((unsigned char)*p)) key[n++] = *p;
  key[n] = 0, value[0] = 0;
  to_capitals(key);
  if (!equals) return;
  const char *from = equals + 1;
  size_t last = strlen(from);
  while (isspace((unsigned char)*from)) from++, last--;
  if (last > 1 && *from == '"' && from[last - 1] == '"') from++, last -= 2;
  memcpy(value, from, last);
  value[last] = 0;
}

// A keyword without its blanks and with capitals, and its parameters.
static Error ReadKeyword(Inp *f, InpWord keyword) {
  InpWord word;
  bool found;
  Words *w = &f->words;
  f->parameters = 0;
  TRY(InpItem(f, word, &found));
  size_t n = 0;
  for (const char *p = word + (word[0] == '*'); *p; p++)
    if (!isspace((unsigned char)*p)) keyword[n++] = *p;
  keyword[n] = 0;
  to_capitals(keyword);
  for (;;) {
    TRY(InpItem(f, word, &found));
    if (!w->good) return 0;
    bool goes_on = w->p[-1] == ',' && (w->p >= w->end || *w->p == '\n' || *w->p == '\r');
    if (found && f->parameters == INP_PARAMETERS)
      TRY(ReportMistake(w, "*%s has more than %d parameters", keyword, INP_PARAMETERS));
    if (found && word[0] && w->good) split_parameter(f, word);
    if (!found && !(goes_on && inp_data(f))) break;
  }
  return 0;
}

static Error RefuseParameter(Inp *f, const char *keyword, const char *key, const char *advice) {
  if (inp_parameter(f, key)) TRY(ReportMistake(&f->words, "%s of *%s is not supported: %s", key, keyword, advice));
  return 0;
}

// ---- nodes ----

static Error ReadNode(Inp *f) {
  InpWord word;
  bool found;
  long number = 0;
  double x[3] = {0};
  TRY(InpItem(f, word, &found));
  TRY(WordInt(&f->words, word, "the number of a node", &number));
  for (int k = 0; k < 4; k++) {
    TRY(InpItem(f, word, &found));
    if (!found) break;
    if (k == 3) TRY(ReportMistake(&f->words, "a node has its number and three coordinates"));
    else TRY(WordReal(&f->words, word, "a coordinate of a node", &x[k]));
  }
  if (f->words.good) TRY(MeshAddNode(f->m, number, vec3_of(x)));
  if (f->words.good && f->block) TRY(InpAddMember(f, f->block, number));
  return 0;
}

static Error ReadNodes(Inp *f) {
  TRY(RefuseParameter(f, "NODE", "INPUT", "put the nodes into this file"));
  TRY(RefuseParameter(f, "NODE", "SYSTEM", "give Cartesian coordinates"));
  TRY(InpBlockSet(f, "NSET", false));
  while (inp_data(f)) TRY(ReadNode(f));
  return 0;
}

// ---- elements ----

// Nodes are in the order of VTK already.
static const struct {
  const char *name;
  int dimension, nodes, shape, plane;
  LimberHexahedra hexahedra;
} types[] = {{"C3D4", 3, 4, LIMBER_TETRAHEDRON, 0, 0},
             {"C3D10", 3, 10, LIMBER_TETRAHEDRON_10, 0, 0},
             {"C3D8", 3, 8, LIMBER_HEXAHEDRON, 0, LIMBER_HEXAHEDRA_FULL},
             {"C3D8I", 3, 8, LIMBER_HEXAHEDRON, 0, LIMBER_HEXAHEDRA_ENHANCED},
             {"C3D20", 3, 20, LIMBER_HEXAHEDRON_20, 0, 0},
             {"C3D20R", 3, 20, LIMBER_HEXAHEDRON_20, 0, 0},
             {"C3D6", 3, 6, CELL_WITHOUT_SHAPE, 0, 0},
             {"C3D15", 3, 15, CELL_WITHOUT_SHAPE, 0, 0},
             {"S3", 2, 3, LIMBER_TRIANGLE, 3, 0},
             {"S4", 2, 4, LIMBER_QUADRILATERAL, 4, 0},
             {"S4R", 2, 4, LIMBER_QUADRILATERAL, 4, 0},
             {"S6", 2, 6, CELL_WITHOUT_SHAPE, 6, 0},
             {"S8", 2, 8, CELL_WITHOUT_SHAPE, 8, 0},
             {"S8R", 2, 8, CELL_WITHOUT_SHAPE, 8, 0},
             {"M3D3", 2, 3, LIMBER_TRIANGLE, 3, 0},
             {"M3D4", 2, 4, LIMBER_QUADRILATERAL, 4, 0},
             {"CPS3", 2, 3, LIMBER_TRIANGLE, 3, 0}, // as which Gmsh writes groups of surfaces
             {"CPS4", 2, 4, LIMBER_QUADRILATERAL, 4, 0},
             {"CPS6", 2, 6, CELL_WITHOUT_SHAPE, 6, 0},
             {"CPS8", 2, 8, CELL_WITHOUT_SHAPE, 8, 0},
             {"B31", 1, 2, CELL_WITHOUT_SHAPE, 0, 0},
             {"B32", 1, 3, CELL_WITHOUT_SHAPE, 0, 0},
             {"T3D2", 1, 2, CELL_WITHOUT_SHAPE, 0, 0},
             {"T3D3", 1, 3, CELL_WITHOUT_SHAPE, 0, 0},
             {"point", 0, 1, CELL_WITHOUT_SHAPE, 0, 0},
             {"face of 3 nodes", 2, 3, LIMBER_TRIANGLE, 3, 0},
             {"face of 4 nodes", 2, 4, LIMBER_QUADRILATERAL, 4, 0},
             {"face of 6 nodes", 2, 6, CELL_WITHOUT_SHAPE, 6, 0},
             {"face of 8 nodes", 2, 8, CELL_WITHOUT_SHAPE, 8, 0}};
enum { TYPES = sizeof types / sizeof types[0], ELEMENT_TYPES = TYPES - 5 };

static const char *type_name(int type) { return types[type].name; }

MeshCell inp_cell(int dimension, int nodes) {
  int t = ELEMENT_TYPES;
  while (types[t].dimension != dimension || types[t].nodes != nodes) t++;
  return (MeshCell){.dimension = dimension, .shape = types[t].shape, .plane = types[t].plane, .type = t, .set = -1};
}

static Error FindType(Inp *f, int *type) {
  InpWord name;
  Nearest n;
  const char *given = inp_parameter(f, "TYPE");
  snprintf(name, sizeof name, "%s", given ? given : "");
  to_capitals(name);
  for (*type = 0; *type < ELEMENT_TYPES; ++*type)
    if (!strcmp(types[*type].name, name)) return 0;
  if (!strcmp(name, "C3D8R")) {
    TRY(ReportMistake(&f->words,
                      "elements of the type C3D8R, with one integration point and hourglass control, are not "
                      "supported: write C3D8I, which bends too, or C3D8"));
    return 0;
  }
  nearest_begin(&n, name);
  for (int t = 0; t < ELEMENT_TYPES; t++) nearest_try(&n, types[t].name);
  if (!given) TRY(ReportMistake(&f->words, "*ELEMENT needs a TYPE"));
  else
    TRY(ReportMistake(&f->words, "elements of the type '%s' are not supported%s", name,
                      nearest_hint(&n, "supported are")));
  return 0;
}

static Error ReadElement(Inp *f, int type) {
  long number[1 + CELL_MOST_NODES];
  int node[CELL_MOST_NODES], count = types[type].nodes;
  TRY(ReadNumbers(f, "the number of an element or node", 1 + count, number));
  for (int a = 0; a < count && f->words.good; a++) {
    node[a] = mesh_node(f->m, number[1 + a]);
    if (node[a] < 0)
      TRY(ReportMistake(&f->words, "element %ld has node %ld, which does not exist", number[0], number[1 + a]));
  }
  if (!f->words.good) return 0;
  MeshCell cell = {.dimension = types[type].dimension,
                   .shape = types[type].shape,
                   .plane = types[type].plane,
                   .hexahedra = types[type].hexahedra,
                   .type = type,
                   .set = -1};
  TRY(StoreGrow(&f->store, sizeof *f->element, f->elements, f->elements + 1, &f->elements_room, &f->element));
  f->element[f->elements++] = (InpElement){number[0], f->m->cells};
  TRY(MeshAddCell(f->m, cell, count, node));
  if (f->block) TRY(InpAddMember(f, f->block, number[0]));
  return 0;
}

static Error ReadElements(Inp *f) {
  int type;
  TRY(RefuseParameter(f, "ELEMENT", "INPUT", "put the elements into this file"));
  if (f->words.good) TRY(FindType(f, &type));
  TRY(InpBlockSet(f, "ELSET", true));
  while (inp_data(f)) TRY(ReadElement(f, type));
  return 0;
}

// ---- materials ----

// Of the material under way; `more`: what it has beside an isotropic, linear law.
static Error NoteLaw(Inp *f, const char *more) {
  if (f->material >= 0 && !f->m->material[f->material].more) f->m->material[f->material].more = more;
  return 0;
}

static Error ReadMaterial(Inp *f) {
  const char *name = inp_parameter(f, "NAME");
  if (!name || !*name) {
    TRY(ReportMistake(&f->words, "*MATERIAL needs a NAME"));
    return 0;
  }
  for (f->material = 0; f->material < f->m->materials; f->material++)
    if (inp_same(f->m->material[f->material].name, name)) {
      TRY(ReportMistake(&f->words, "two materials have the name '%s'", name));
      return 0;
    }
  if (f->material == LIMIT_MESH_MATERIALS)
    TRY(ReportMistake(&f->words, "the file has more than %d materials", LIMIT_MESH_MATERIALS));
  else TRY(MeshAddMaterial(f->m, name, &f->material));
  return 0;
}

// One line of data with `count` values at most; those of a second one depend on something.
static Error ReadConstants(Inp *f, const char *what, int count, double *out) {
  InpWord word;
  bool found;
  if (f->material < 0) {
    TRY(ReportMistake(&f->words, "*%s belongs behind a *MATERIAL", what));
    return 0;
  }
  if (!inp_data(f)) TRY(ReportMistake(&f->words, "*%s has no values", what));
  for (int i = 0; f->words.good; i++) {
    TRY(InpItem(f, word, &found));
    if (!found) break;
    if (i < count) TRY(WordReal(&f->words, word, "a constant of a material", &out[i]));
  }
  if (inp_data(f)) TRY(NoteLaw(f, "values that depend on temperature"));
  return 0;
}

static Error ReadElastic(Inp *f) {
  const char *type = inp_parameter(f, "TYPE");
  double value[2] = {0};
  if (type && !inp_same(type, "ISO") && !inp_same(type, "ISOTROPIC"))
    return NoteLaw(f, "*ELASTIC of another TYPE than ISOTROPIC");
  TRY(ReadConstants(f, "ELASTIC", 2, value));
  if (f->words.good) f->m->material[f->material].E = value[0], f->m->material[f->material].nu = value[1];
  return 0;
}

static Error ReadDensity(Inp *f) {
  double value = 0;
  TRY(ReadConstants(f, "DENSITY", 1, &value));
  if (f->words.good) f->m->material[f->material].density = value;
  return 0;
}

static Error ReadSection(Inp *f) {
  const char *material = inp_parameter(f, "MATERIAL"), *elements = inp_parameter(f, "ELSET");
  Nearest n;
  int set;
  if (!material || !elements) {
    TRY(ReportMistake(&f->words, "*SOLID SECTION needs ELSET and MATERIAL"));
    return 0;
  }
  nearest_begin(&n, material);
  bool found = false;
  for (int i = 0; i < f->m->materials; i++) {
    nearest_try(&n, f->m->material[i].name);
    found = found || inp_same(f->m->material[i].name, material);
  }
  if (!found) TRY(ReportMistake(&f->words, "there is no material '%s'%s", material, nearest_hint(&n, "there are")));
  TRY(InpFindSet(f, elements, true, &set));
  return 0;
}

// ---- the file ----

static const char no_parts[] =
    "parts and assemblies are not supported: write the file without them (in Abaqus/CAE: Model, "
    "Edit Attributes, Do not use parts and assemblies in input files)";
static const char no_generated[] = "generated nodes and elements are not supported: write the file with all of them";

static const struct {
  const char *keyword;
  int pass;
  Error (*read)(Inp *f);
  const char *wrong; // what to do instead
} keywords[] = {{"NODE", 1, ReadNodes, NULL},
                {"ELEMENT", 2, ReadElements, NULL},
                {"NSET", 3, InpReadNodeSet, NULL},
                {"ELSET", 3, InpReadElementSet, NULL},
                {"MATERIAL", 3, ReadMaterial, NULL},
                {"ELASTIC", 3, ReadElastic, NULL},
                {"DENSITY", 3, ReadDensity, NULL},
                {"SURFACE", 4, InpReadSurface, NULL},
                {"SOLIDSECTION", 4, ReadSection, NULL},
                {"INCLUDE", 1, NULL, "files that are included are not read: put their lines into this file"},
                {"PART", 1, NULL, no_parts},
                {"INSTANCE", 1, NULL, no_parts},
                {"ASSEMBLY", 1, NULL, no_parts},
                {"NGEN", 1, NULL, no_generated},
                {"NFILL", 1, NULL, no_generated},
                {"NCOPY", 1, NULL, no_generated},
                {"NMAP", 1, NULL, no_generated},
                {"ELGEN", 1, NULL, no_generated},
                {"ELCOPY", 1, NULL, no_generated},
                {"SYSTEM", 1, NULL, "nodes in a system of their own are not supported: write the file without it"},
                {"PARAMETER", 1, NULL, "parameters are not supported: write the file with their values"}};
enum { KEYWORDS = sizeof keywords / sizeof keywords[0] };

static const char *const other_laws[] = {"*PLASTIC",   "*HYPERELASTIC",   "*HYPERFOAM",   "*VISCOELASTIC",
                                         "*CREEP",     "*USERMATERIAL",   "*HYPOELASTIC", "*DEFORMATIONPLASTICITY",
                                         "*NOTENSION", "*CYCLICHARDENING"};

static Error ReadBlock(Inp *f, int pass, const char *keyword) {
  for (int i = 0; i < KEYWORDS; i++)
    if (keywords[i].pass == pass && !strcmp(keywords[i].keyword, keyword)) {
      if (keywords[i].wrong) TRY(ReportMistake(&f->words, "*%s: %s", keyword, keywords[i].wrong));
      else TRY(keywords[i].read(f));
      return 0;
    }
  for (size_t i = 0; pass == 3 && i < sizeof other_laws / sizeof other_laws[0]; i++)
    if (!strcmp(other_laws[i] + 1, keyword)) TRY(NoteLaw(f, other_laws[i]));
  return 0;
}

static Error ReadPass(Inp *f, int pass, Words begin) {
  InpWord keyword;
  f->words = begin, f->material = -1, f->block = 0;
  while (f->words.good && line_begins(f)) {
    if (*f->words.p == '*') {
      TRY(ReadKeyword(f, keyword));
      if (f->words.good) TRY(ReadBlock(f, pass, keyword));
    } else
      while (f->words.p < f->words.end && *f->words.p != '\n') f->words.p++; // data of a block that is passed over
  }
  return 0;
}

static bool recognises(const char *first, size_t length) {
  ImportMistake none = {0};
  Inp f = {.words = words_of(first, length, &none)};
  return line_begins(&f) && f.words.end - f.words.p > 1 && f.words.p[0] == '*' && isalpha((unsigned char)f.words.p[1]);
}

static Error ReadAll(Inp *f, const char *text, size_t length) {
  Words begin = f->words;
  long twice;
  if (!recognises(text, length))
    TRY(ReportMistake(&f->words, "an input file of Abaqus begins with a keyword such as *NODE"));
  else if (memchr(text, 0, length)) TRY(ReportMistake(&f->words, "the file is not text"));
  if (f->words.good) TRY(ReadPass(f, 1, begin));
  if (f->words.good && !mesh_sort_nodes(f->m, &twice))
    TRY(ReportMistake(&f->words, "two nodes have the number %ld", twice));
  if (f->words.good) TRY(ReadPass(f, 2, begin));
  if (f->words.good && !inp_sort_elements(f, &twice))
    TRY(ReportMistake(&f->words, "two elements have the number %ld", twice));
  for (int pass = 3; pass < 5 && f->words.good; pass++) TRY(ReadPass(f, pass, begin));
  if (f->words.good && !f->m->nodes) TRY(ReportMistake(&f->words, "the file has no *NODE"));
  if (f->words.good && !f->elements) TRY(ReportMistake(&f->words, "the file has no *ELEMENT"));
  if (f->words.good) TRY(InpMakeGroups(f));
  return 0;
}

static Error ReadFile(const char *text, size_t length, Mesh *m, ImportMistake *mistake) {
  Inp f = {.words = words_of(text, length, mistake), .m = m};
  Error error = ReadAll(&f, text, length);
  TRY(NamesDestroy(&f.names));
  TRY(StoreDestroy(&f.store));
  return error;
}

static const char *const extensions[] = {".inp", NULL};

const Importer importer_abaqus = {.name = "abaqus",
                                  .help = "input files of Abaqus and CalculiX, without parts",
                                  .program = "Abaqus",
                                  .group = "set or surface",
                                  .extensions = extensions,
                                  .recognises = recognises,
                                  .read = ReadFile,
                                  .type_name = type_name};
