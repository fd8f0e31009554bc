// SPDX-License-Identifier: Apache-2.0
// What a model file may hold, printed from the field tables.
#include "cli/command.h"
#include "input/kinds.h"
#include "input/names.h"
#include "schemes/scheme.h"

#include <string.h>

static const char *type_name(const Field *f, char *text, size_t size) {
  switch (f->type) {
  case FIELD_REAL: return "number";
  case FIELD_INT: return "whole number";
  case FIELD_REALS: snprintf(text, size, f->count == 9 ? "3 rows of 3" : "%d numbers", f->count); return text;
  case FIELD_MATRIX: snprintf(text, size, "%d or %dx%d numbers", f->count, f->count, f->count); return text;
  case FIELD_TENSOR: return "3, 6 or 3x3 numbers";
  case FIELD_LIST: return "list of numbers";
  case FIELD_NODE: return "node";
  case FIELD_NODES: snprintf(text, size, "%d nodes", f->count); return text;
  case FIELD_SECTION: return "section";
  case FIELD_FUNCTION: return "function";
  case FIELD_JOINT: return "joint";
  case FIELD_ELEMENT: return "element";
  case FIELD_TEXT: return "word";
  case FIELD_MAP: return "map";
  case FIELD_MAPS: return "list of maps";
  case FIELD_ANY: return "";
  }
  return "";
}

static void print_words(const FieldMore *more) {
  printf("  %-13s ", "");
  for (int i = 0; more->word(i); i++) printf("%s%s", i ? ", " : "", more->word(i));
  puts("");
}

static void print_fields(const FieldTable *t) {
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    char text[40], unit[48] = "", value[40] = "";
    size_t n = 0;
    for (const char *u = f->unit; *u && n + 3 < sizeof unit; u++) { // "N|N m2" reads "N, N m2"
      unit[n++] = *u == '|' ? ',' : *u;
      if (*u == '|') unit[n++] = ' ';
    }
    if (f->required) snprintf(value, sizeof value, "required");
    else if ((f->type == FIELD_REAL || f->type == FIELD_INT) && f->value != 0)
      snprintf(value, sizeof value, "%.6g", f->value);
    printf("  %-13s %-20s %-9s %-9s %s\n", f->name, type_name(f, text, sizeof text), strlen(unit) > 9 ? "" : unit,
           value, f->help);
    if (strlen(unit) > 9) printf("  %-13s %-20s in %s\n", "", "", unit);
    if (f->type == FIELD_TEXT && f->more) print_words(f->more);
  }
}

// The fields of maps within a map, each under its name.
static void print_inner(const FieldTable *t) {
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (f->type != FIELD_MAP && f->type != FIELD_MAPS) continue;
    printf("\n%s: %s\n\n", f->name, f->help);
    print_fields(f->more->fields);
    print_inner(f->more->fields);
  }
}

static void print_kind(const Part *part, const Kind *kind) {
  printf("%s%s%s%s. %s\n\n", kind->name, part && part->add ? ", a kind of " : "", part && part->add ? part->one : "",
         "", kind->help);
  printf("  %-13s %-20s %-9s %-9s %s\n", "field", "type", "unit", "default", "");
  print_fields(kind->fields);
  if (part && part->named) print_fields(kind_item.fields);
  print_inner(kind->fields);
}

static void print_schemes(void) {
  puts("\nschemes:");
  for (int i = 0; scheme_kinds[i]; i++) printf("  %-18s %s\n", scheme_kinds[i]->name, scheme_kinds[i]->help);
}

static void print_overview(void) {
  puts("A model file is a YAML map of these parts; limber describe <name> tells more of a part or kind.\n");
  for (int i = 0; i < kind_file.fields->count; i++) {
    const Field *f = &kind_file.fields->field[i];
    const Part *part = part_find(f->name);
    Kind kind;
    printf("%-10s %s%s\n", f->name, f->help, f->required ? " (required)" : "");
    for (int k = 0; part && part->add && part->kind(k, &kind); k++) printf("  %-18s %s\n", kind.name, kind.help);
  }
}

// Prints all that bears the name; returns how much.
static int print_named(const char *name) {
  int found = 0;
  Kind kind;
  for (const Part *p = parts; p->key; p++) {
    bool whole = !strcmp(p->key, name) || !strcmp(p->one, name);
    for (int i = 0; p->kind(i, &kind); i++) {
      if (!whole && strcmp(kind.name, name)) continue;
      if (found++) puts("");
      print_kind(p, &kind);
      if (!strcmp(kind.name, "run")) print_schemes();
    }
  }
  return found;
}

static ExitCode unknown(const char *name) {
  Nearest n;
  Kind kind;
  nearest_begin(&n, name);
  for (const Part *p = parts; p->key; p++)
    for (int i = 0; p->kind(i, &kind); i++) nearest_try(&n, kind.name);
  complain("describe", "there is no '%s'%s", name, nearest_hint(&n, "there are"));
  return EXIT_MISTAKE;
}

static ExitCode run(const Arguments *a) {
  if (!prints()) return EXIT_GOOD;
  if (!a->words) print_overview();
  for (int i = 0; i < a->words; i++) {
    if (i) puts("");
    if (!print_named(a->word[i])) return unknown(a->word[i]);
  }
  return EXIT_GOOD;
}

static const Option options[] = {{0}};

const Command command_describe = {
    "describe",
    "Tells what a model file may hold.",
    "describe [part or kind] ...",
    "Without a name it lists the parts of a model file and all kinds of elements, joints,\n"
    "loads and functions. With names it prints the fields of each.",
    "  limber describe beam",
    options,
    0,
    MAX_WORDS,
    "name",
    false,
    run,
    NULL};
