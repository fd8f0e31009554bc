// SPDX-License-Identifier: Apache-2.0
#include "fmu/module/contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 4000 };

static bool add_variable(Variables *all, char *text) {
  Variable *more = realloc(all->item, (all->count + 1) * sizeof *more);
  if (!more) return false;
  all->item = more;
  Variable *v = &more[all->count++];
  *v = (Variable){0};
  char *end, *name; // "1.5 [m s-1] name"
  v->start = strtod(text, &end);
  name = strstr(end, "] ");
  if (end == text || strncmp(end, " [", 2) || !name) return false;
  *name = 0;
  v->unit = strdup(end + 2), v->name = strdup(name + 2);
  return v->unit && v->name && *v->name;
}

static bool take_line(Contents *all, char *line) {
  char *value = strchr(line, ' ');
  if (!value) return false;
  *value++ = 0;
  if (!strcmp(line, "token")) return (all->token = strdup(value)) != NULL;
  if (!strcmp(line, "model")) return (all->model = strdup(value)) != NULL;
  if (!strcmp(line, "library")) return (all->library = strdup(value)) != NULL;
  if (!strcmp(line, "parameter")) return add_variable(&all->parameter, value);
  if (!strcmp(line, "input")) return add_variable(&all->input, value);
  if (!strcmp(line, "outputs")) return all->outputs = strtoul(value, NULL, 10), true;
  if (!strcmp(line, "states")) return all->states = strtoul(value, NULL, 10), true;
  if (strcmp(line, "change")) return false;
  char **more = realloc(all->change, ((size_t)all->changes + 1) * sizeof *more);
  if (!more) return false;
  all->change = more;
  return (more[all->changes++] = strdup(value)) != NULL;
}

bool read_contents(const char *path, Contents *all) {
  static const char first[] = "Limber FMU 1\n";
  char line[MOST_LINE];
  FILE *f = fopen(path, "rb");
  bool good = f && fgets(line, sizeof line, f) && !strcmp(line, first);
  while (good && fgets(line, sizeof line, f)) {
    size_t n = strlen(line);
    good = n && line[n - 1] == '\n';
    if (good) line[n - 1] = 0, good = take_line(all, line);
  }
  if (f) fclose(f);
  return good && all->token;
}

static void free_variables(Variables *all) {
  for (size_t i = 0; i < all->count; i++) free(all->item[i].name), free(all->item[i].unit);
  free(all->item);
}

void free_contents(Contents *all) {
  for (int i = 0; i < all->changes; i++) free(all->change[i]);
  free(all->token), free(all->model), free(all->library), free(all->change);
  free_variables(&all->parameter), free_variables(&all->input);
}
