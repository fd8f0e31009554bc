// SPDX-License-Identifier: Apache-2.0
// Sets of nodes and elements and surfaces of input files of Abaqus, as groups of a mesh.
#include "input/importers/abaqus.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool inp_same(const char *a, const char *b) {
  while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b)) a++, b++;
  return !*a && !*b;
}

// ---- elements by their numbers ----

static int by_number(const void *a, const void *b) {
  long x = ((const InpElement *)a)->number, y = ((const InpElement *)b)->number;
  return x < y ? -1 : x > y;
}

bool inp_sort_elements(Inp *f, long *twice) {
  if (f->elements) qsort(f->element, (size_t)f->elements, sizeof *f->element, by_number);
  for (int i = 1; i < f->elements; i++)
    if (f->element[i].number == f->element[i - 1].number) return *twice = f->element[i].number, false;
  return true;
}

// Place of the first node or element whose number is not below.
static int first_from(const Inp *f, bool of_elements, long number) {
  int low = 0, high = of_elements ? f->elements : f->m->nodes;
  while (low < high) {
    int middle = low + (high - low) / 2;
    long at = of_elements ? f->element[middle].number : f->m->node[middle].number;
    if (at < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool number_at(const Inp *f, bool of_elements, int place, long *number) {
  if (place >= (of_elements ? f->elements : f->m->nodes)) return false;
  *number = of_elements ? f->element[place].number : f->m->node[place].number;
  return true;
}

static bool exists(const Inp *f, bool of_elements, long number) {
  long found;
  return number_at(f, of_elements, first_from(f, of_elements, number), &found) && found == number;
}

// The cell of an element that exists.
static int cell_of(const Inp *f, long number) { return f->element[first_from(f, true, number)].cell; }

static const char *thing(bool of_elements) { return of_elements ? "element" : "node"; }

// ---- sets ----

static Error CountEntries(Inp *f, long long more) {
  f->entries += more;
  if (f->entries > LIMIT_SET_ENTRIES)
    TRY(ReportMistake(&f->words, "the sets of the file have more than %d entries together", LIMIT_SET_ENTRIES));
  return 0;
}

Error InpAddMember(Inp *f, int block, long number) {
  TRY(CountEntries(f, 1));
  if (!f->words.good) return 0;
  InpSet *s = &f->set[block - 1];
  TRY(StoreGrow(&f->store, sizeof *s->member, s->count, s->count + 1, &s->room, &s->member));
  s->member[s->count++] = number;
  return 0;
}

static void key_of(const char *name, char what, char *key, size_t size) {
  snprintf(key, size, "%c%s", what, name);
  for (char *p = key; *p; p++) *p = (char)toupper((unsigned char)*p);
}

static int set_named(Inp *f, const char *name, bool of_elements) {
  char key[sizeof(InpWord) + 1];
  key_of(name, of_elements ? 'E' : 'N', key, sizeof key);
  const Name *found = names_find(&f->names, key);
  return found ? found->id : -1;
}

Error InpFindSet(Inp *f, const char *name, bool of_elements, int *set) {
  Nearest n;
  *set = set_named(f, name, of_elements);
  if (*set >= 0) return 0;
  nearest_begin(&n, name);
  for (int i = 0; i < f->sets && i < 1000; i++)
    if (f->set[i].of_elements == of_elements) nearest_try(&n, f->set[i].name);
  TRY(ReportMistake(&f->words, "there is no set of %ss '%s'%s", thing(of_elements), name,
                    *n.all ? nearest_hint(&n, "there are") : ""));
  return 0;
}

// The set of that name, which is made if there is none.
static Error MakeSet(Inp *f, const char *name, bool of_elements, int *set) {
  char key[sizeof(InpWord) + 1];
  const char *own;
  *set = set_named(f, name, of_elements);
  if (*set >= 0) return 0;
  if (f->sets == LIMIT_SETS) {
    TRY(ReportMistake(&f->words, "the file has more than %d sets", LIMIT_SETS));
    return 0;
  }
  TRY(StoreGrow(&f->store, sizeof *f->set, f->sets, f->sets + 1, &f->sets_room, &f->set));
  key_of(name, of_elements ? 'E' : 'N', key, sizeof key);
  TRY(StoreText(&f->store, key, strlen(key), &own));
  TRY(NamesAdd(&f->names, own, f->sets, (SourceLocation){0, 0, 0}));
  TRY(StoreText(&f->store, name, strlen(name), &own));
  f->set[ *set = f->sets++] = (InpSet){.name = own, .of_elements = of_elements};
  return 0;
}

Error InpBlockSet(Inp *f, const char *key, bool of_elements) {
  const char *name = inp_parameter(f, key);
  int set = -1;
  if (name && *name && f->words.good) TRY(MakeSet(f, name, of_elements, &set));
  f->block = set + 1;
  return 0;
}

// FIRST, LAST, STEP: those of these numbers that there are.
static Error ReadRange(Inp *f, int set, bool of_elements) {
  InpWord word;
  bool found;
  long range[3] = {0, 0, 1}, number;
  int count = 0, before = f->set[set].count;
  for (; count < 3; count++) {
    TRY(InpItem(f, word, &found));
    if (!found) break;
    TRY(WordInt(&f->words, word, "the number of a node or element", &range[count]));
  }
  if (count == 1) range[1] = range[0];
  if (range[2] < 1 || range[1] < range[0])
    TRY(ReportMistake(&f->words, "a range is FIRST, LAST, STEP with FIRST <= LAST and STEP > 0"));
  for (int i = first_from(f, of_elements, range[0]); f->words.good && number_at(f, of_elements, i, &number); i++) {
    if (number > range[1]) break;
    if (((unsigned long)number - (unsigned long)range[0]) % (unsigned long)range[2]) TRY(CountEntries(f, 1));
    else TRY(InpAddMember(f, set + 1, number));
  }
  if (f->words.good && f->set[set].count == before)
    TRY(ReportMistake(&f->words, "there is no %s from %ld to %ld", thing(of_elements), range[0], range[1]));
  return 0;
}

// All of another set.
static Error AddSet(Inp *f, int set, const char *name, bool of_elements) {
  int other;
  TRY(InpFindSet(f, name, of_elements, &other));
  for (int i = 0, n = f->words.good ? f->set[other].count : 0; i < n && other != set; i++)
    TRY(InpAddMember(f, set + 1, f->set[other].member[i]));
  return 0;
}

static bool is_number(const char *word) { return isdigit((unsigned char)word[word[0] == '-' || word[0] == '+']); }

static Error ReadMember(Inp *f, int set, bool of_elements, const char *word) {
  long number;
  if (!is_number(word)) return AddSet(f, set, word, of_elements);
  TRY(WordInt(&f->words, word, "the number of a node or element", &number));
  if (f->words.good && !exists(f, of_elements, number))
    TRY(ReportMistake(&f->words, "there is no %s %ld", thing(of_elements), number));
  if (f->words.good) TRY(InpAddMember(f, set + 1, number));
  return 0;
}

static Error ReadSet(Inp *f, const char *key, bool of_elements) {
  const char *name = inp_parameter(f, key);
  bool range = inp_parameter(f, "GENERATE"), found = true;
  InpWord word;
  int set = 0;
  if (!name || !*name) TRY(ReportMistake(&f->words, "*%s needs a name, %s=NAME", key, key));
  else TRY(MakeSet(f, name, of_elements, &set));
  while (inp_data(f)) {
    if (range) TRY(ReadRange(f, set, of_elements));
    for (found = !range; found;) {
      TRY(InpItem(f, word, &found));
      if (word[0]) TRY(ReadMember(f, set, of_elements, word));
    }
  }
  return 0;
}

Error InpReadNodeSet(Inp *f) { return ReadSet(f, "NSET", false); }
Error InpReadElementSet(Inp *f) { return ReadSet(f, "ELSET", true); }

// ---- surfaces ----

// Corners of the faces S1, S2 ..., and the node behind each edge.
static const int tetrahedron_face[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
static const int hexahedron_face[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                          {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
static const int tetrahedron_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const int hexahedron_edge[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                           {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

static int node_between(bool hexahedron, int a, int b) {
  const int(*edge)[2] = hexahedron ? hexahedron_edge : tetrahedron_edge;
  int e = 0;
  while (!(edge[e][0] == a && edge[e][1] == b) && !(edge[e][0] == b && edge[e][1] == a)) e++;
  return (hexahedron ? 8 : 4) + e;
}

// The face of a cell of tetrahedra or hexahedra of any order; 0 nodes: it has no such face.
static int face_nodes(const MeshCell *c, int face, int *at) {
  bool hexahedron = c->count == 8 || c->count == 20, curved = c->count > 8;
  int corners = hexahedron ? 4 : 3;
  if (c->dimension != 3 || !(hexahedron || c->count == 4 || c->count == 10)) return 0;
  if (face < 0 || face >= (hexahedron ? 6 : 4)) return 0;
  const int *corner = hexahedron ? hexahedron_face[face] : tetrahedron_face[face];
  for (int k = 0; k < corners; k++) {
    at[k] = corner[k];
    if (curved) at[corners + k] = node_between(hexahedron, corner[k], corner[(k + 1) % corners]);
  }
  return curved ? 2 * corners : corners;
}

static Error AddFace(Inp *f, long element, int face, int set) {
  MeshCell from = f->m->cell[cell_of(f, element)];
  int at[8], node[8], n = face_nodes(&from, face, at);
  TRY(CountEntries(f, 1));
  if (!n) TRY(ReportMistake(&f->words, "element %ld has no face S%d", element, face + 1));
  if (!f->words.good) return 0;
  for (int k = 0; k < n; k++) node[k] = f->m->cell_node[from.first + at[k]];
  MeshCell cell = inp_cell(2, n);
  cell.set = set;
  TRY(MeshAddCell(f->m, cell, n, node));
  return 0;
}

// ELSET, S3 or NUMBER, S3
static Error ReadFaces(Inp *f, int set) {
  InpWord word, face;
  bool found;
  long number = 0;
  int of = -1;
  TRY(InpItem(f, word, &found));
  TRY(InpItem(f, face, &found));
  if (toupper((unsigned char)face[0]) != 'S' || face[1] < '1' || face[1] > '6' || face[2])
    TRY(ReportMistake(&f->words, "a line of a surface is a set or an element and its face, such as %.80s, S1, not '%s'",
                      *word ? word : "TOP", face));
  else if (!is_number(word)) TRY(InpFindSet(f, word, true, &of));
  else TRY(WordInt(&f->words, word, "the number of an element", &number));
  if (f->words.good && of < 0 && !exists(f, true, number))
    TRY(ReportMistake(&f->words, "there is no element %ld", number));
  if (f->words.good && of < 0) TRY(AddFace(f, number, face[1] - '1', set));
  for (int i = 0; f->words.good && of >= 0 && i < f->set[of].count; i++)
    TRY(AddFace(f, f->set[of].member[i], face[1] - '1', set));
  return 0;
}

static Error AddPoint(Inp *f, long number, int set) {
  int node = mesh_node(f->m, number);
  MeshCell cell = inp_cell(0, 1);
  cell.set = set;
  TRY(MeshAddCell(f->m, cell, 1, &node));
  return 0;
}

// Sets of nodes, or nodes.
static Error ReadSurfaceNodes(Inp *f, int set) {
  InpWord word;
  bool found;
  int of;
  TRY(InpItem(f, word, &found));
  if (is_number(word)) {
    long number;
    TRY(WordInt(&f->words, word, "the number of a node", &number));
    if (f->words.good && !exists(f, false, number)) TRY(ReportMistake(&f->words, "there is no node %ld", number));
    if (f->words.good) TRY(AddPoint(f, number, set));
  } else {
    TRY(InpFindSet(f, word, false, &of));
    TRY(CountEntries(f, f->words.good ? f->set[of].count : 0));
    for (int i = 0; f->words.good && i < f->set[of].count; i++) TRY(AddPoint(f, f->set[of].member[i], set));
  }
  while (found) TRY(InpItem(f, word, &found)); // areas
  return 0;
}

static Error AddSurfaceName(Inp *f, const char *name) {
  char key[sizeof(InpWord) + 1];
  const char *own;
  key_of(name, 'S', key, sizeof key);
  if (names_find(&f->names, key)) TRY(ReportMistake(&f->words, "two surfaces have the name '%s'", name));
  TRY(StoreText(&f->store, key, strlen(key), &own));
  return NamesAdd(&f->names, own, 0, (SourceLocation){0, 0, 0});
}

Error InpReadSurface(Inp *f) {
  const char *name = inp_parameter(f, "NAME"), *type = inp_parameter(f, "TYPE");
  bool nodes = type && inp_same(type, "NODE");
  int group, set;
  if (!name || !*name) TRY(ReportMistake(&f->words, "*SURFACE needs a NAME"));
  if (type && !nodes && !inp_same(type, "ELEMENT"))
    TRY(ReportMistake(&f->words, "surfaces of the type '%s' are not supported; supported are ELEMENT, NODE", type));
  if (f->m->groups >= 2 * LIMIT_SETS) TRY(ReportMistake(&f->words, "the file has more than %d surfaces", LIMIT_SETS));
  if (!f->words.good) return 0;
  TRY(AddSurfaceName(f, name));
  TRY(MeshAddGroup(f->m, nodes ? 0 : 2, name, &group));
  TRY(MeshAddSet(f->m, &set));
  TRY(MeshAddMember(f->m, group));
  while (inp_data(f)) TRY(nodes ? ReadSurfaceNodes(f, set) : ReadFaces(f, set));
  return 0;
}

// ---- groups ----

static int by_value(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return x < y ? -1 : x > y;
}

// Its members in order, each once.
static void sort_members(InpSet *s) {
  int n = 0;
  if (s->count) qsort(s->member, (size_t)s->count, sizeof *s->member, by_value);
  for (int i = 0; i < s->count; i++)
    if (i == 0 || s->member[i] != s->member[i - 1]) s->member[n++] = s->member[i];
  s->count = n;
}

static Error MakeNodeGroup(Inp *f, const InpSet *s) {
  int group, set;
  TRY(MeshAddGroup(f->m, 0, s->name, &group));
  TRY(MeshAddSet(f->m, &set));
  TRY(MeshAddMember(f->m, group));
  for (int i = 0; i < s->count; i++) TRY(AddPoint(f, s->member[i], set));
  return 0;
}

typedef struct {
  int cell, group;
} Membership;

static int by_cell(const void *a, const void *b) {
  const Membership *x = a, *y = b;
  return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : (x->group > y->group) - (x->group < y->group);
}

// A group of each dimension of which the set has cells; a membership for each cell.
static Error MakeElementGroups(Inp *f, const InpSet *s, Membership *out, int *count) {
  int group[4] = {-1, -1, -1, -1};
  for (int i = 0; i < s->count; i++) {
    int cell = cell_of(f, s->member[i]), d = f->m->cell[cell].dimension;
    if (group[d] < 0) TRY(MeshAddGroup(f->m, d, s->name, &group[d]));
    out[(*count)++] = (Membership){cell, group[d]};
  }
  return 0;
}

// Cells that belong to the same groups share a set, if they follow each other.
static Error ShareSets(Inp *f, Membership *all, int count) {
  int before = 0, length = 0, set = -1; // groups of the cell before
  if (count) qsort(all, (size_t)count, sizeof *all, by_cell);
  for (int i = 0, n; i < count; i += n) {
    for (n = 1; i + n < count && all[i + n].cell == all[i].cell;) n++;
    bool same = set >= 0 && n == length;
    for (int k = 0; same && k < n; k++) same = all[i + k].group == all[before + k].group;
    if (!same) TRY(MeshAddSet(f->m, &set));
    for (int k = 0; !same && k < n; k++) TRY(MeshAddMember(f->m, all[i + k].group));
    f->m->cell[all[i].cell].set = set, before = i, length = n;
  }
  return 0;
}

Error InpMakeGroups(Inp *f) {
  Membership *all;
  size_t most = 1;
  int count = 0;
  for (int i = 0; i < f->sets; i++) {
    sort_members(&f->set[i]);
    if (f->set[i].of_elements) most += (size_t)f->set[i].count;
  }
  TRY(StoreAllocate(&f->store, most * sizeof *all, &all));
  for (int i = 0; i < f->sets; i++)
    TRY(f->set[i].of_elements ? MakeElementGroups(f, &f->set[i], all, &count) : MakeNodeGroup(f, &f->set[i]));
  return ShareSets(f, all, count);
}
