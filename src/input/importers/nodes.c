// SPDX-License-Identifier: Apache-2.0
// Nodes without cells, for matrices: a CSV file with the head `node,x,y,z` or `node,x,y,z,group`. The last column names
// the group of a node, or several divided by blanks; it may be empty.
#include "input/importers/mesh.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1000, MOST_GROUPS = 1000 };

// The next item of a line, without blanks around it; NULL at the end.
static char *next_item(char **p) {
  char *item = *p, *end;
  if (!item) return NULL;
  char *comma = strchr(item, ',');
  if (comma) *comma = 0;
  *p = comma ? comma + 1 : NULL;
  while (isspace((unsigned char)*item)) item++;
  for (end = item + strlen(item); end > item && isspace((unsigned char)end[-1]);) *--end = 0;
  return item;
}

static bool is_head(const char *text, size_t length) {
  static const char head[] = "node,x,y,z";
  size_t k = 0;
  for (size_t i = 0; i < length && head[k]; i++) {
    if (text[i] == ' ' || text[i] == '\t') continue;
    if (tolower((unsigned char)text[i]) != head[k++]) return false;
  }
  return !head[k];
}

static bool recognises(const char *first, size_t length) { return is_head(first, length); }

// A line that is not blank.
static bool next_line(Words *w, char *line) {
  while (w->good && words_line(w, line, LINE))
    if (line[strspn(line, " \t\r")]) return true;
  return false;
}

static Error ReadNode(Words *w, char *line, Mesh *m, char **groups) {
  char *at = line;
  double x[3];
  long number = 0;
  char *item = next_item(&at);
  TRY(WordInt(w, item, "the number of a node", &number));
  for (int c = 0; c < 3 && w->good; c++) {
    item = next_item(&at);
    if (!item) TRY(ReportMistake(w, "a line is NODE, X, Y, Z, and a group or none"));
    else TRY(WordReal(w, item, "a coordinate", &x[c]));
  }
  if (w->good && number < 1) TRY(ReportMistake(w, "the number of a node is positive, not %ld", number));
  *groups = at;
  if (w->good) TRY(MeshAddNode(m, number, vec3_of(x)));
  return 0;
}

static int group_named(const Mesh *m, const char *name) {
  for (int i = 0; i < m->groups; i++)
    if (!strcmp(m->group[i].name, name)) return i;
  return -1;
}

// Groups are cells of one node. Those of the first pass are added once all nodes are known.
static Error AddToGroups(Words *w, Mesh *m, char *names, int node) {
  for (char *rest, *name = strtok_r(names, " \t\r,", &rest); name && w->good; name = strtok_r(NULL, " \t\r,", &rest)) {
    int group = group_named(m, name), set;
    if (group < 0 && m->groups == MOST_GROUPS) TRY(ReportMistake(w, "the file has more than %d groups", MOST_GROUPS));
    if (!w->good) return 0;
    if (group < 0) TRY(MeshAddGroup(m, 0, name, &group));
    TRY(MeshAddSet(m, &set));
    TRY(MeshAddMember(m, group));
    TRY(MeshAddCell(m, (MeshCell){.dimension = 0, .shape = CELL_WITHOUT_SHAPE, .set = set}, 1, &node));
  }
  return 0;
}

static Error Read(const char *text, size_t length, Mesh *m, ImportMistake *mistake) {
  char line[LINE], *groups;
  long twice;
  Words w = words_of(text, length, mistake);
  if (!next_line(&w, line) || !is_head(line, strlen(line))) {
    TRY(ReportMistake(&w, "a list of nodes begins with the line 'node,x,y,z' or 'node,x,y,z,group'"));
    return 0;
  }
  while (next_line(&w, line)) TRY(ReadNode(&w, line, m, &groups));
  if (w.good && !m->nodes) TRY(ReportMistake(&w, "the file has no nodes"));
  if (w.good && !mesh_sort_nodes(m, &twice)) TRY(ReportMistake(&w, "two nodes have the number %ld", twice));
  if (!w.good) return 0;
  w = words_of(text, length, mistake);
  next_line(&w, line);
  while (next_line(&w, line)) {
    char *at = line, *number = next_item(&at);
    int node = mesh_node(m, strtol(number, NULL, 10));
    for (int c = 0; c < 3; c++) next_item(&at);
    if (at && node >= 0) TRY(AddToGroups(&w, m, at, node));
  }
  return 0;
}

static const char *const extensions[] = {".csv", NULL};

const Importer importer_nodes = {.name = "nodes",
                                 .help = "Nodes with groups, a CSV file `node,x,y,z,group`, for matrices.",
                                 .program = "a list of nodes",
                                 .group = "group",
                                 .extensions = extensions,
                                 .recognises = recognises,
                                 .read = Read};
