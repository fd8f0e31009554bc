// SPDX-License-Identifier: Apache-2.0
// The form of a model file as a JSON Schema (draft 7), from the field tables: editors complete and check by it.
#include "cli/command.h"
#include "input/yaml/kinds.h"

#include <stdio.h>
#include <string.h>

typedef struct { // a JSON text under way
  int depth;
  bool first; // nothing stands yet in the innermost braces
} Json;

static void print_text(const char *s) {
  putchar('"');
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') putchar('\\');
    putchar(*s);
  }
  putchar('"');
}

static void next_line(Json *j) {
  printf("%s\n%*s", j->first ? "" : ",", 2 * j->depth, "");
  j->first = false;
}

static void key(Json *j, const char *name) {
  next_line(j);
  print_text(name);
  printf(": ");
}

static void open(Json *j, char brace) {
  putchar(brace);
  j->depth++, j->first = true;
}

static void close(Json *j, char brace) {
  j->depth--;
  if (!j->first) printf("\n%*s", 2 * j->depth, "");
  putchar(brace);
  j->first = false;
}

static void pair(Json *j, const char *name, const char *value) {
  key(j, name);
  print_text(value);
}

static void raw(Json *j, const char *name, const char *value) {
  key(j, name);
  fputs(value, stdout);
}

// By allOf, because what stands beside a bare reference does not count.
static void reference(Json *j, const char *name) {
  key(j, "allOf");
  printf("[{\"$ref\": \"#/definitions/%s\"}]", name);
}

// In SI, or a text: a number with its unit, or a formula.
#define NUMBER "[\"number\", \"string\"]"

// ---- fields ----

// A list of numbers, `least` to `most` of them.
static void numbers(Json *j, int least, int most) {
  char text[24];
  pair(j, "type", "array");
  raw(j, "items", "{\"type\": " NUMBER "}");
  snprintf(text, sizeof text, "%d", least);
  if (least) raw(j, "minItems", text);
  snprintf(text, sizeof text, "%d", most);
  if (most) raw(j, "maxItems", text);
}

// The same, or rows of such lists.
static void numbers_or_rows(Json *j, int least, int most, int rows) {
  char text[24];
  key(j, "anyOf");
  open(j, '[');
  if (least) {
    next_line(j);
    open(j, '{');
    numbers(j, least, most);
    close(j, '}');
  }
  next_line(j);
  open(j, '{');
  pair(j, "type", "array");
  key(j, "items");
  open(j, '{');
  numbers(j, rows, rows);
  close(j, '}');
  snprintf(text, sizeof text, "%d", rows);
  raw(j, "minItems", text);
  raw(j, "maxItems", text);
  close(j, '}');
  close(j, ']');
}

static void fields(Json *j, int count, const FieldTable *const *table);

static void words(Json *j, const FieldMore *more) {
  key(j, "enum");
  putchar('[');
  for (int i = 0; more->word(i); i++) {
    if (i) printf(", ");
    print_text(more->word(i));
  }
  putchar(']');
}

static void field_type(Json *j, const Field *f);

// A list of maps, in which a list is a map's first field; or one map.
static void maps(Json *j, const FieldTable *t) {
  key(j, "anyOf");
  open(j, '[');
  next_line(j);
  open(j, '{');
  fields(j, 1, &t);
  close(j, '}');
  next_line(j);
  open(j, '{');
  pair(j, "type", "array");
  key(j, "items");
  open(j, '{');
  key(j, "anyOf");
  open(j, '[');
  next_line(j);
  open(j, '{');
  fields(j, 1, &t);
  close(j, '}');
  if (t->field[0].type == FIELD_REALS || t->field[0].type == FIELD_ROWS) {
    next_line(j);
    open(j, '{');
    field_type(j, &t->field[0]);
    close(j, '}');
  }
  close(j, ']');
  close(j, '}');
  close(j, '}');
  close(j, ']');
}

static void word_or_words(Json *j, const FieldMore *more) {
  key(j, "anyOf");
  open(j, '[');
  next_line(j);
  open(j, '{');
  words(j, more);
  close(j, '}');
  next_line(j);
  open(j, '{');
  pair(j, "type", "array");
  key(j, "items");
  open(j, '{');
  words(j, more);
  close(j, '}');
  close(j, '}');
  close(j, ']');
}

static const Part *part_of(const Field *f) { return f->type == FIELD_ANY ? part_find(f->name) : NULL; }
static void part(Json *j, const Part *p);

static void one_or_several(Json *j, const char *one) {
  char text[300];
  snprintf(text, sizeof text, "[%s, {\"type\": \"array\", \"items\": %s, \"minItems\": 1}]", one, one);
  raw(j, "anyOf", text);
}

// A list of numbers, or where a column of them stands.
static void numbers_or_column(Json *j) {
  const FieldTable *t = kind_column.fields;
  key(j, "anyOf");
  open(j, '[');
  next_line(j);
  open(j, '{');
  numbers(j, 1, 0);
  close(j, '}');
  next_line(j);
  open(j, '{');
  fields(j, 1, &t);
  close(j, '}');
  close(j, ']');
}

static void field_type(Json *j, const Field *f) {
  switch (f->type) {
  case FIELD_REAL: raw(j, "type", NUMBER); break;
  case FIELD_INT: raw(j, "type", "[\"integer\", \"string\"]"); break;
  case FIELD_CHOICE:
  case FIELD_REALS:
    if (f->count == 1) raw(j, "type", NUMBER);
    else if (f->count == 9) numbers_or_rows(j, 9, 9, 3);
    else numbers(j, f->count, f->count);
    break;
  case FIELD_MATRIX: numbers_or_rows(j, f->count, f->count, f->count); break;
  case FIELD_TENSOR: numbers_or_rows(j, 3, 6, 3); break;
  case FIELD_LIST: numbers_or_column(j); break;
  case FIELD_ROWS:
    pair(j, "type", "array");
    key(j, "items");
    open(j, '{');
    numbers(j, f->count, f->count);
    close(j, '}');
    break;
  case FIELD_NODES: {
    char text[24];
    snprintf(text, sizeof text, "%d", f->count);
    pair(j, "type", "array");
    raw(j, "items", "{\"type\": \"string\"}");
    raw(j, "minItems", text);
    raw(j, "maxItems", text);
    break;
  }
  case FIELD_NODE:
  case FIELD_SECTION:
  case FIELD_MATERIAL:
  case FIELD_BULK:
  case FIELD_JOINT:
  case FIELD_ELEMENT: pair(j, "type", "string"); break;
  case FIELD_TEXT:
    if (f->more && f->more->word) words(j, f->more);
    else raw(j, "type", NUMBER);
    break;
  case FIELD_FUNCTION: reference(j, "function"); break;
  case FIELD_FUNCTIONS: one_or_several(j, "{\"$ref\": \"#/definitions/function\"}"); break;
  case FIELD_ELEMENTS: one_or_several(j, "{\"type\": \"string\"}"); break;
  case FIELD_CELLS: one_or_several(j, "{\"type\": [\"string\", \"object\"]}"); break;
  case FIELD_FORMULA: raw(j, "type", NUMBER); break;
  case FIELD_MAP: fields(j, 1, &f->more->fields); break;
  case FIELD_MAPS: maps(j, f->more->fields); break;
  case FIELD_ANY:
    if (part_of(f)) part(j, part_of(f));
    else if (f->more && f->more->word) word_or_words(j, f->more);
    break;
  }
}

static void field(Json *j, const Field *f) {
  char text[1000], unit[80];
  field_units(f, unit, sizeof unit);
  snprintf(text, sizeof text, "%s%s%s%s", f->help, *unit ? " [" : "", unit, *unit ? "]" : "");
  key(j, f->name);
  open(j, '{');
  pair(j, "description", text);
  if ((f->type == FIELD_REAL || f->type == FIELD_INT) && !f->required && f->value != 0) {
    snprintf(text, sizeof text, "%.6g", f->value);
    raw(j, "default", text);
  }
  field_type(j, f);
  close(j, '}');
}

// A map with the fields of some tables.
static void fields(Json *j, int count, const FieldTable *const *table) {
  int required = 0;
  pair(j, "type", "object");
  raw(j, "additionalProperties", "false");
  key(j, "properties");
  open(j, '{');
  for (int k = 0; k < count; k++)
    for (int i = 0; i < table[k]->count; i++) field(j, &table[k]->field[i]);
  close(j, '}');
  for (int k = 0; k < count; k++)
    for (int i = 0; i < table[k]->count; i++) {
      if (!table[k]->field[i].required) continue;
      if (required++) printf(", ");
      else key(j, "required"), putchar('[');
      print_text(table[k]->field[i].name);
    }
  if (required) putchar(']');
}

// ---- parts ----

// The value of a field, or a map with all of the table.
static void value_or_fields(Json *j, const Field *f, const FieldTable *t) {
  key(j, "anyOf");
  open(j, '[');
  next_line(j);
  open(j, '{');
  field_type(j, f);
  close(j, '}');
  next_line(j);
  open(j, '{');
  fields(j, 1, &t);
  close(j, '}');
  close(j, ']');
}

// An entry that names its kind: {beam: {...}}.
static void entry_of_kind(Json *j, const Part *p) {
  Kind kind;
  pair(j, "type", "object");
  raw(j, "additionalProperties", "false");
  raw(j, "minProperties", "1");
  raw(j, "maxProperties", "1");
  key(j, "properties");
  open(j, '{');
  for (int i = 0; p->kind(i, &kind); i++) {
    const FieldTable *tables[] = {kind.fields, kind_item.fields};
    key(j, kind.name);
    open(j, '{');
    pair(j, "description", kind.help);
    if (kind_brief(p, &kind)) value_or_fields(j, kind_brief(p, &kind), kind.fields);
    else fields(j, p->named ? 2 : 1, tables);
    close(j, '}');
  }
  close(j, '}');
}

static void entry(Json *j, const Part *p) {
  Kind kind;
  if (p->add) {
    entry_of_kind(j, p);
    return;
  }
  p->kind(0, &kind);
  if (!p->brief) {
    fields(j, 1, &kind.fields);
    return;
  }
  value_or_fields(j, field_find(kind.fields, p->brief), kind.fields);
}

static void part(Json *j, const Part *p) {
  switch (p->form) {
  case PART_ONE: reference(j, p->one); break;
  case PART_LIST:
    pair(j, "type", "array");
    key(j, "items");
    open(j, '{');
    reference(j, p->one);
    close(j, '}');
    break;
  case PART_NAMED:
    pair(j, "type", "object");
    key(j, "additionalProperties");
    open(j, '{');
    if (p->several) {
      char text[200];
      snprintf(text, sizeof text,
               "[{\"$ref\": \"#/definitions/%s\"}, {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}}]",
               p->one, p->one);
      raw(j, "anyOf", text);
    } else reference(j, p->one);
    close(j, '}');
    break;
  }
}

// A function is also a number or the name of one.
static void function(Json *j, const Part *p) {
  key(j, "anyOf");
  open(j, '[');
  next_line(j);
  printf("{\"type\": " NUMBER "}");
  next_line(j);
  open(j, '{');
  entry_of_kind(j, p);
  close(j, '}');
  close(j, ']');
}

static ExitCode run(const Arguments *a) {
  Json j = {0, true};
  (void)a;
  if (!prints()) return EXIT_GOOD;
  open(&j, '{');
  pair(&j, "$schema", "http://json-schema.org/draft-07/schema#");
  pair(&j, "title", kind_file.help);
  fields(&j, 1, &kind_file.fields);
  key(&j, "definitions");
  open(&j, '{');
  for (const Part *p = parts; p->key; p++) {
    key(&j, p->one);
    open(&j, '{');
    if (!strcmp(p->one, "function")) function(&j, p);
    else entry(&j, p);
    close(&j, '}');
  }
  close(&j, '}');
  close(&j, '}');
  putchar('\n');
  return EXIT_GOOD;
}

static const Option options[] = {{0}};

const Command command_schema = {
    "schema",
    "Prints the form of a model file as a JSON Schema, for editors.",
    "schema",
    "An editor that knows JSON Schema completes the fields of a model file while it is written,\n"
    "explains them and marks mistakes. The schema comes from the same tables as the reader.",
    "  limber schema >limber.schema.json\n"
    "and as the first line of a model, for editors with the YAML language server:\n"
    "  # yaml-language-server: $schema=limber.schema.json",
    options,
    0,
    0,
    "word",
    false,
    run,
    NULL};
