// SPDX-License-Identifier: Apache-2.0
// What a model file may hold, printed from the field tables.
#include "cli/command.h"
#include "input/analyses/point_analysis.h"
#include "input/importers/mesh.h"
#include "input/yaml/parts.h"
#include "input/yaml/names.h"
#include "schemes/scheme.h"

#include <stdio.h>
#include <string.h>

static const char *type_name(const Field *f, char *text, size_t size) {
  switch (f->type) {
  case FIELD_REAL: return "number";
  case FIELD_INT: return "whole number";
  case FIELD_OPTIONAL_REALS:
  case FIELD_REALS:
    if (f->count == 1) return "number";
    snprintf(text, size, f->count == 9 ? "3 rows of 3" : "%d numbers", f->count);
    return text;
  case FIELD_ONE_OR_REALS: snprintf(text, size, "1 or %d numbers", f->count); return text;
  case FIELD_MATRIX: snprintf(text, size, "%d or %dx%d numbers", f->count, f->count, f->count); return text;
  case FIELD_TENSOR: return "3, 6 or 3x3 numbers";
  case FIELD_LIST: return "list or column";
  case FIELD_ROWS: snprintf(text, size, "rows of %d numbers%s", f->count, f->more ? " or a map" : ""); return text;
  case FIELD_NODE: return "node";
  case FIELD_NODES: snprintf(text, size, "%d nodes", f->count); return text;
  case FIELD_SECTION: return "section";
  case FIELD_FUNCTION: return "function";
  case FIELD_FUNCTIONS: return "list of functions";
  case FIELD_FORMULA: return f->more ? "formula" : "formula of t";
  case FIELD_JOINT: return "joint";
  case FIELD_LOAD: return "load";
  case FIELD_EVENT: return "event";
  case FIELD_ELEMENT: return "element";
  case FIELD_ELEMENTS: return "list of elements";
  case FIELD_SURFACES: return "list of surfaces";
  case FIELD_MATERIAL: return "material";
  case FIELD_CELLS: return "mesh or list of cells";
  case FIELD_BULK: return "mesh";
  case FIELD_MESH: return f->count ? "mesh" : "group of a mesh";
  case FIELD_TEXT:
  case FIELD_WORD: return "word";
  case FIELD_FLAG: return "true or false";
  case FIELD_MAP: return "map";
  case FIELD_MAPS: return "list of maps";
  case FIELD_DAMPING: return "number or map";
  case FIELD_ANY: return f->more && f->more->fields ? "map of maps" : "";
  }
  return "";
}

static const char *default_name(const Field *f, char *text, size_t size) {
  bool number = f->type == FIELD_REAL || f->type == FIELD_INT;
  snprintf(text, size, "%s", f->required ? "required" : "");
  if (!f->required && number && f->value != 0) snprintf(text, size, "%.6g", f->value);
  return text;
}

static void print_words(const FieldMore *more) {
  printf("  %-15s ", "");
  for (int i = 0; more->word(i); i++) printf("%s%s", i ? ", " : "", more->word(i));
  puts("");
}

static void print_fields(const FieldTable *t) {
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    char text[40], unit[80], value[40];
    field_units(f, unit, sizeof unit), default_name(f, value, sizeof value);
    printf("  %-15s %-20s %-9s %-9s %s\n", f->name, type_name(f, text, sizeof text), strlen(unit) > 9 ? "" : unit,
           value, f->help);
    if (strlen(unit) > 9) printf("  %-15s %-20s in %s\n", "", "", unit);
    if (f->more && f->more->word) print_words(f->more);
  }
}

static bool is_map(const Field *f) {
  return f->type == FIELD_MAP || f->type == FIELD_MAPS || f->type == FIELD_DAMPING ||
         ((f->type == FIELD_ANY || f->type == FIELD_ROWS) && f->more && f->more->fields);
}

// The fields of maps within a map, each under its name.
static void print_inner(const FieldTable *t) {
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    if (!is_map(f)) continue;
    printf("\n%s: %s\n\n", f->name, f->help);
    print_fields(f->more->fields);
    print_inner(f->more->fields);
  }
}

static void print_kind(const Part *part, const Kind *kind) {
  printf("%s%s%s%s. %s\n\n", kind->name, part && part->add ? ", a kind of " : "", part && part->add ? part->one : "",
         "", kind->help);
  printf("  %-15s %-20s %-9s %-9s %s\n", "field", "type", "unit", "default", "");
  print_fields(kind->fields);
  if (part && part->named) print_fields(kind_component.fields);
  print_inner(kind->fields);
}

static void print_schemes(void) {
  puts("\nschemes:");
  for (int i = 0; scheme_kinds[i]; i++) printf("  %-18s %s\n", scheme_kinds[i]->name, scheme_kinds[i]->help);
}

// Prints the columns of results of an analysis, each by a format of name, unit and help.
static void print_columns(const char *part, const char *head, void (*print)(const char *, const char *, const char *)) {
  int i = point_analysis_find(part);
  const PointColumn *c = i < 0 ? NULL : point_analyses[i]->columns;
  char name[80];
  if (c) puts(head);
  for (; c && c->name; c++) {
    snprintf(name, sizeof name, "%s.%s", c->group, c->name);
    print(name, c->units ? c->units : "as varied", c->help);
  }
}

static void print_column_line(const char *name, const char *unit, const char *help) {
  printf("  %-25s %-9s %s\n", name, unit, help);
}

static void print_column_row(const char *name, const char *unit, const char *help) {
  printf("| `%s` | %s | %s |\n", name, unit, help);
}

static void print_importers(void) {
  for (int i = 0; importers[i]; i++) printf("  %-18s %s\n", importers[i]->name, importers[i]->help);
}

static void print_overview(void) {
  puts("A model file is a YAML map of these parts; limber describe <name> explains a part or kind.\n");
  for (int i = 0; i < kind_file.fields->count; i++) {
    const Field *f = &kind_file.fields->field[i];
    const Part *part = part_find(f->name);
    Kind kind;
    printf("%-10s %s%s\n", f->name, f->help, f->required ? " (required)" : "");
    for (int k = 0; part && part->add && part->kind(k, &kind); k++) printf("  %-18s %s\n", kind.name, kind.help);
    if (part == &part_meshes) print_importers();
  }
}

// ---- the reference page ----

// In a table a bar would begin another column.
static void print_cell(const char *text) {
  for (; *text; text++) {
    if (*text == '|') putchar('\\');
    putchar(*text);
  }
}

// Tables of maps that the page has already, such as the law of an angle, and the kind under which each stands.
enum { MAX_PRINTED = 64 };
static struct {
  const FieldTable *table;
  const char *kind, *field;
} printed[MAX_PRINTED];
static int printed_count;

// Prints where a table stands, if it does; else it is taken to stand under this kind.
static bool print_reference(const FieldTable *table, const char *kind, const char *field) {
  for (int i = 0; i < printed_count; i++)
    if (printed[i].table == table) {
      printf("\n`%s`: the same fields as `%s` of [%s](#%s).\n", field, printed[i].field, printed[i].kind,
             printed[i].kind);
      return true;
    }
  if (kind && printed_count < MAX_PRINTED) {
    printed[printed_count].table = table;
    printed[printed_count].kind = kind, printed[printed_count++].field = field;
  }
  return false;
}

// Whether all kinds of a part have this field, with the same meaning: the page has it once, below the title of the part.
static bool is_common(const Part *p, const Field *f) {
  Kind kind;
  int count = 0;
  for (; p && p->add && p->kind(count, &kind); count++) {
    const Field *other = field_find(kind.fields, f->name);
    if (!other || other->type != f->type || strcmp(other->unit, f->unit) || strcmp(other->help, f->help)) return false;
  }
  return count > 1;
}

static void print_row(const Field *f) {
  char type[40], unit[80], value[40];
  printf("| `%s` | %s | %s | %s | ", f->name, type_name(f, type, sizeof type), field_units(f, unit, sizeof unit),
         default_name(f, value, sizeof value));
  print_cell(f->help);
  bool words = (f->type == FIELD_TEXT || f->type == FIELD_WORD) && f->more && f->more->word;
  for (int w = 0; words && f->more->word(w); w++) printf("%s`%s`", w ? ", " : "; one of ", f->more->word(w));
  puts(" |");
}

static void print_table(const FieldTable *table, const Part *part, bool common, const char *kind);

static void print_maps(const FieldTable *table, const Part *part, bool common, const char *kind) {
  for (int i = 0; i < table->count; i++) {
    const Field *f = &table->field[i];
    if (is_common(part, f) != common || !is_map(f) || print_reference(f->more->fields, kind, f->name)) continue;
    printf("\n`%s`:\n\n", f->name);
    print_table(f->more->fields, NULL, false, NULL);
  }
}

static bool has_common(const Part *p) {
  Kind kind;
  bool found = p->named;
  for (int i = 0; p->kind(0, &kind) && i < kind.fields->count; i++)
    found = found || is_common(p, &kind.fields->field[i]);
  return found;
}

// The fields that all kinds of the part have, or the others; without a part, all.
static void print_table(const FieldTable *table, const Part *part, bool common, const char *kind) {
  puts("| field | type | unit | default | |\n|---|---|---|---|---|");
  for (int i = 0; i < table->count; i++)
    if (is_common(part, &table->field[i]) == common) print_row(&table->field[i]);
  for (int i = 0; common && part->named && i < kind_component.fields->count; i++)
    print_row(&kind_component.fields->field[i]);
  print_maps(table, part, common, kind);
}

// The kind that the i-th one is an alias of, as hinge is of revolute; NULL if it is no alias.
static const char *first_name(const Part *p, int i, const Kind *kind) {
  Kind first;
  for (int k = 0; k < i && p->kind(k, &first); k++)
    if (first.fields == kind->fields && !strcmp(first.help, kind->help)) return first.name;
  return NULL;
}

static void print_page(void) {
  puts("# Model file reference\n"
       "\n"
       "Printed by `limber describe --markdown` from the tables that the reader uses; [model.md](model.md) explains "
       "the file.\n"
       "\n"
       "## The file\n");
  print_table(kind_file.fields, NULL, false, NULL);
  for (const Part *const *at = parts, *p = *at; p; p = *++at) {
    Kind kind;
    printf("\n## %s\n", p->key);
    if (has_common(p) && p->kind(0, &kind)) {
      puts("\nEvery kind has these fields:\n");
      print_table(kind.fields, p, true, p->key);
    }
    for (int i = 0; p->kind(i, &kind); i++) {
      const char *first = first_name(p, i, &kind);
      if (p->add) printf("\n### %s\n", kind.name);
      if (first) {
        printf("\nAnother name of [%s](#%s).\n", first, first);
        continue;
      }
      printf("\n%s\n\n", kind.help);
      print_table(kind.fields, p, false, p->add ? kind.name : NULL);
    }
    if (!strcmp(p->key, "functions")) {
      puts("\n"
           "### column\n"
           "\n"
           "A column of a file, instead of a list of numbers.\n");
      print_table(kind_column.fields, NULL, false, NULL);
    }
    if (p == &part_meshes) puts("\n| format | |\n|---|---|");
    for (int i = 0; p == &part_meshes && importers[i]; i++)
      printf("| `%s` | %s |\n", importers[i]->name, importers[i]->help);
    print_columns(p->key, "\n| column of the results | unit | |\n|---|---|---|", print_column_row);
    if (strcmp(p->key, "run")) continue;
    puts("\n| scheme | |\n|---|---|");
    for (int i = 0; scheme_kinds[i]; i++) printf("| `%s` | %s |\n", scheme_kinds[i]->name, scheme_kinds[i]->help);
  }
}

// ---- one name ----

// Prints all that bears the name; returns how much.
static int print_named(const char *name) {
  int found = 0;
  Kind kind;
  const Field *plain = part_find(name) ? NULL : field_find(kind_file.fields, name); // of the file, such as let
  if (plain) found++, printf("%s. %s\n", plain->name, plain->help);
  if (!strcmp(name, kind_column.name)) found++, print_kind(NULL, &kind_column);
  for (const Part *const *at = parts, *p = *at; p; p = *++at) {
    bool whole = !strcmp(p->key, name) || !strcmp(p->one, name);
    for (int i = 0; p->kind(i, &kind); i++) {
      if (!whole && strcmp(kind.name, name)) continue;
      if (found++) puts("");
      print_kind(p, &kind);
      if (!strcmp(kind.name, "run")) print_schemes();
      print_columns(p->key, "\ncolumns of the results:", print_column_line);
      if (p == &part_meshes) puts("\nformats:"), print_importers();
    }
  }
  return found;
}

// The same of fields that are maps themselves, such as the shapes of a section. `found`: what has been printed before.
static int print_map(const char *name, int found) {
  Kind kind;
  for (const Part *const *at = parts, *p = *at; p; p = *++at)
    for (int i = 0; p->kind(i, &kind); i++) {
      const Field *f = field_find(kind.fields, name);
      if (!f || !is_map(f)) continue;
      if (found++) puts("");
      printf("%s, a field of %s: %s\n\n", f->name, kind.name, f->help);
      print_fields(f->more->fields);
      print_inner(f->more->fields);
    }
  return found;
}

static ExitCode report_unknown_name(const char *name) {
  Nearest n;
  Kind kind;
  nearest_begin(&n, name);
  for (const Part *const *at = parts, *p = *at; p; p = *++at)
    for (int i = 0; p->kind(i, &kind); i++) {
      nearest_try(&n, kind.name);
      for (int k = 0; k < kind.fields->count; k++)
        if (is_map(&kind.fields->field[k])) nearest_try(&n, kind.fields->field[k].name);
    }
  print_command_error("describe", "there is no '%s'%s", name, nearest_hint(&n, "there are"));
  return EXIT_MISTAKE;
}

static ExitCode run(const Arguments *a) {
  if (!is_printing_process()) return EXIT_GOOD;
  if (argument_value(a, "markdown")) {
    print_page();
    return EXIT_GOOD;
  }
  if (!a->words) print_overview();
  for (int i = 0; i < a->words; i++) {
    if (i) puts("");
    if (!print_map(a->word[i], print_named(a->word[i]))) return report_unknown_name(a->word[i]);
  }
  return EXIT_GOOD;
}

static const Option options[] = {
    {"markdown", NULL, NULL, "prints everything as the page docs/reference.md", OPTION_ONCE},
    {0},
};

const Command command_describe = {
    "describe",
    "Describes the parts, kinds and fields of a model file.",
    "describe [part or kind] ... [--markdown]",
    "Without a name the command lists the parts of a model file and all kinds of elements, joints,\n"
    "loads and functions. With names it prints the fields of each, and of the maps inside them,\n"
    "such as the shapes of a section.",
    "  limber describe beam\n"
    "  limber describe section tube",
    options,
    0,
    MAX_WORDS,
    "name",
    false,
    run,
    NULL};
