// SPDX-License-Identifier: Apache-2.0
// The form of a model file as a JSON Schema (draft 7), from the field tables: editors complete and check by it.
#include "cli/command.h"
#include "input/yaml/parts.h"

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

static void write_key(Json *j, const char *name) {
  next_line(j);
  print_text(name);
  printf(": ");
}

static void open_brace(Json *j, char brace) {
  putchar(brace);
  j->depth++, j->first = true;
}

static void close_brace(Json *j, char brace) {
  j->depth--;
  if (!j->first) printf("\n%*s", 2 * j->depth, "");
  putchar(brace);
  j->first = false;
}

static void write_pair(Json *j, const char *name, const char *value) {
  write_key(j, name);
  print_text(value);
}

static void write_raw(Json *j, const char *name, const char *value) {
  write_key(j, name);
  fputs(value, stdout);
}

// By allOf, because what stands beside a bare reference does not count.
static void write_reference(Json *j, const char *name) {
  write_key(j, "allOf");
  printf("[{\"$ref\": \"#/definitions/%s\"}]", name);
}

// In SI, or a text: a number with its unit, or a formula.
#define NUMBER "[\"number\", \"string\"]"

// ---- fields ----

// A list of numbers, `least` to `most` of them.
static void write_numbers(Json *j, int least, int most) {
  char text[24];
  write_pair(j, "type", "array");
  write_raw(j, "items", "{\"type\": " NUMBER "}");
  snprintf(text, sizeof text, "%d", least);
  if (least) write_raw(j, "minItems", text);
  snprintf(text, sizeof text, "%d", most);
  if (most) write_raw(j, "maxItems", text);
}

// The same, or rows of such lists.
static void numbers_or_rows(Json *j, int least, int most, int rows) {
  char text[24];
  write_key(j, "anyOf");
  open_brace(j, '[');
  if (least) {
    next_line(j);
    open_brace(j, '{');
    write_numbers(j, least, most);
    close_brace(j, '}');
  }
  next_line(j);
  open_brace(j, '{');
  write_pair(j, "type", "array");
  write_key(j, "items");
  open_brace(j, '{');
  write_numbers(j, rows, rows);
  close_brace(j, '}');
  snprintf(text, sizeof text, "%d", rows);
  write_raw(j, "minItems", text);
  write_raw(j, "maxItems", text);
  close_brace(j, '}');
  close_brace(j, ']');
}

static void write_fields(Json *j, int count, const FieldTable *const *table);

static void write_words(Json *j, const FieldMore *more) {
  write_key(j, "enum");
  putchar('[');
  for (int i = 0; more->word(i); i++) {
    if (i) printf(", ");
    print_text(more->word(i));
  }
  putchar(']');
}

static void field_type(Json *j, const Field *f);

// A list of maps, in which a list is a map's first field; or one map.
static void write_maps(Json *j, const FieldTable *t) {
  write_key(j, "anyOf");
  open_brace(j, '[');
  next_line(j);
  open_brace(j, '{');
  write_fields(j, 1, &t);
  close_brace(j, '}');
  next_line(j);
  open_brace(j, '{');
  write_pair(j, "type", "array");
  write_key(j, "items");
  open_brace(j, '{');
  write_key(j, "anyOf");
  open_brace(j, '[');
  next_line(j);
  open_brace(j, '{');
  write_fields(j, 1, &t);
  close_brace(j, '}');
  if (t->field[0].type == FIELD_REALS || t->field[0].type == FIELD_ROWS) {
    next_line(j);
    open_brace(j, '{');
    field_type(j, &t->field[0]);
    close_brace(j, '}');
  }
  close_brace(j, ']');
  close_brace(j, '}');
  close_brace(j, '}');
  close_brace(j, ']');
}

static void word_or_words(Json *j, const FieldMore *more) {
  write_key(j, "anyOf");
  open_brace(j, '[');
  next_line(j);
  open_brace(j, '{');
  write_words(j, more);
  close_brace(j, '}');
  next_line(j);
  open_brace(j, '{');
  write_pair(j, "type", "array");
  write_key(j, "items");
  open_brace(j, '{');
  write_words(j, more);
  close_brace(j, '}');
  close_brace(j, '}');
  close_brace(j, ']');
}

static const Part *part_of(const Field *f) { return f->type == FIELD_ANY ? part_find(f->name) : NULL; }
static void write_part(Json *j, const Part *p);

static void write_one_or_list(Json *j, const char *one) {
  char text[300];
  snprintf(text, sizeof text, "[%s, {\"type\": \"array\", \"items\": %s, \"minItems\": 1}]", one, one);
  write_raw(j, "anyOf", text);
}

static void write_rows(Json *j, int count) {
  write_pair(j, "type", "array");
  write_key(j, "items");
  open_brace(j, '{');
  write_numbers(j, count, count);
  close_brace(j, '}');
}

static void write_list(Json *j, int least) { write_numbers(j, least, 0); }

// What `write` writes, or a map with fields: where the numbers stand.
static void or_fields(Json *j, void (*write)(Json *j, int count), int count, const FieldTable *t) {
  write_key(j, "anyOf");
  open_brace(j, '[');
  next_line(j);
  open_brace(j, '{');
  write(j, count);
  close_brace(j, '}');
  next_line(j);
  open_brace(j, '{');
  write_fields(j, 1, &t);
  close_brace(j, '}');
  close_brace(j, ']');
}

// A number, or what is written between the two.
static void begin_number_or(Json *j) {
  write_key(j, "anyOf");
  open_brace(j, '[');
  next_line(j);
  printf("{\"type\": " NUMBER "}");
  next_line(j);
  open_brace(j, '{');
}

static void end_number_or(Json *j) {
  close_brace(j, '}');
  close_brace(j, ']');
}

static void write_number_or_fields(Json *j, const FieldTable *t) {
  begin_number_or(j);
  write_fields(j, 1, &t);
  end_number_or(j);
}

static void number_or_numbers(Json *j, int count) {
  begin_number_or(j);
  write_numbers(j, count, count);
  end_number_or(j);
}

// A map of names to lists or to maps with some fields.
static void write_named_maps(Json *j, const FieldTable *t) {
  write_pair(j, "type", "object");
  write_key(j, "additionalProperties");
  open_brace(j, '{');
  write_key(j, "anyOf");
  open_brace(j, '[');
  next_line(j);
  printf("{\"type\": \"array\", \"minItems\": 1}");
  next_line(j);
  open_brace(j, '{');
  write_fields(j, 1, &t);
  close_brace(j, '}');
  close_brace(j, ']');
  close_brace(j, '}');
}

static void field_type(Json *j, const Field *f) {
  switch (f->type) {
  case FIELD_REAL: write_raw(j, "type", NUMBER); break;
  case FIELD_INT: write_raw(j, "type", "[\"integer\", \"string\"]"); break;
  case FIELD_OPTIONAL_REALS:
  case FIELD_REALS:
    if (f->count == 1) write_raw(j, "type", NUMBER);
    else if (f->count == 9) numbers_or_rows(j, 9, 9, 3);
    else write_numbers(j, f->count, f->count);
    break;
  case FIELD_ONE_OR_REALS: number_or_numbers(j, f->count); break;
  case FIELD_MATRIX: numbers_or_rows(j, f->count, f->count, f->count); break;
  case FIELD_TENSOR: numbers_or_rows(j, 3, 6, 3); break;
  case FIELD_LIST: or_fields(j, write_list, 1, kind_column.fields); break;
  case FIELD_ROWS:
    if (f->more) or_fields(j, write_rows, f->count, f->more->fields);
    else write_rows(j, f->count);
    break;
  case FIELD_NODES: {
    char text[24];
    snprintf(text, sizeof text, "%d", f->count);
    write_pair(j, "type", "array");
    write_raw(j, "items", "{\"type\": \"string\"}");
    write_raw(j, "minItems", text);
    write_raw(j, "maxItems", text);
    break;
  }
  case FIELD_NODE:
  case FIELD_SECTION:
  case FIELD_MATERIAL:
  case FIELD_BULK:
  case FIELD_MESH:
  case FIELD_JOINT:
  case FIELD_LOAD:
  case FIELD_EVENT:
  case FIELD_ELEMENT: write_pair(j, "type", "string"); break;
  case FIELD_WORD: write_words(j, f->more); break;
  case FIELD_FLAG: write_pair(j, "type", "boolean"); break;
  case FIELD_TEXT:
    if (f->more && f->more->word) write_words(j, f->more);
    else write_raw(j, "type", NUMBER);
    break;
  case FIELD_FUNCTION: write_reference(j, "function"); break;
  case FIELD_FUNCTIONS: write_one_or_list(j, "{\"$ref\": \"#/definitions/function\"}"); break;
  case FIELD_SURFACES:
  case FIELD_ELEMENTS: write_one_or_list(j, "{\"type\": \"string\"}"); break;
  case FIELD_CELLS: write_one_or_list(j, "{\"type\": [\"string\", \"object\"]}"); break;
  case FIELD_FORMULA: write_raw(j, "type", NUMBER); break;
  case FIELD_MAP: write_fields(j, 1, &f->more->fields); break;
  case FIELD_MAPS: write_maps(j, f->more->fields); break;
  case FIELD_DAMPING: write_number_or_fields(j, f->more->fields); break;
  case FIELD_ANY:
    if (part_of(f)) write_part(j, part_of(f));
    else if (f->more && f->more->word) word_or_words(j, f->more);
    else if (f->more) write_named_maps(j, f->more->fields);
    break;
  }
}

static void write_field(Json *j, const Field *f) {
  char text[1000], unit[80];
  field_units(f, unit, sizeof unit);
  snprintf(text, sizeof text, "%s%s%s%s", f->help, *unit ? " [" : "", unit, *unit ? "]" : "");
  write_key(j, f->name);
  open_brace(j, '{');
  write_pair(j, "description", text);
  if ((f->type == FIELD_REAL || f->type == FIELD_INT) && !f->required && f->value != 0) {
    snprintf(text, sizeof text, "%.6g", f->value);
    write_raw(j, "default", text);
  }
  field_type(j, f);
  close_brace(j, '}');
}

// A map with the fields of some tables.
static void write_fields(Json *j, int count, const FieldTable *const *table) {
  int required = 0;
  write_pair(j, "type", "object");
  write_raw(j, "additionalProperties", "false");
  write_key(j, "properties");
  open_brace(j, '{');
  for (int k = 0; k < count; k++)
    for (int i = 0; i < table[k]->count; i++) write_field(j, &table[k]->field[i]);
  close_brace(j, '}');
  for (int k = 0; k < count; k++)
    for (int i = 0; i < table[k]->count; i++) {
      if (!table[k]->field[i].required) continue;
      if (required++) printf(", ");
      else write_key(j, "required"), putchar('[');
      print_text(table[k]->field[i].name);
    }
  if (required) putchar(']');
}

// ---- parts ----

// The value of a field, or a map with all of the table.
static void value_or_fields(Json *j, const Field *f, const FieldTable *t) {
  write_key(j, "anyOf");
  open_brace(j, '[');
  next_line(j);
  open_brace(j, '{');
  field_type(j, f);
  close_brace(j, '}');
  next_line(j);
  open_brace(j, '{');
  write_fields(j, 1, &t);
  close_brace(j, '}');
  close_brace(j, ']');
}

// An entry that names its kind: {beam: {...}}.
static void entry_of_kind(Json *j, const Part *p) {
  Kind kind;
  write_pair(j, "type", "object");
  write_raw(j, "additionalProperties", "false");
  write_raw(j, "minProperties", "1");
  write_raw(j, "maxProperties", "1");
  write_key(j, "properties");
  open_brace(j, '{');
  for (int i = 0; p->kind(i, &kind); i++) {
    const FieldTable *tables[] = {kind.fields, kind_component.fields};
    write_key(j, kind.name);
    open_brace(j, '{');
    write_pair(j, "description", kind.help);
    if (kind_brief(p, &kind)) value_or_fields(j, kind_brief(p, &kind), kind.fields);
    else write_fields(j, p->named ? 2 : 1, tables);
    close_brace(j, '}');
  }
  close_brace(j, '}');
}

static void write_entry(Json *j, const Part *p) {
  Kind kind;
  if (p->add) {
    entry_of_kind(j, p);
    return;
  }
  p->kind(0, &kind);
  if (!p->brief) {
    write_fields(j, 1, &kind.fields);
    return;
  }
  value_or_fields(j, field_find(kind.fields, p->brief), kind.fields);
}

static void write_part(Json *j, const Part *p) {
  switch (p->form) {
  case PART_ONE: write_reference(j, p->one); break;
  case PART_LIST:
    write_pair(j, "type", "array");
    write_key(j, "items");
    open_brace(j, '{');
    write_reference(j, p->one);
    close_brace(j, '}');
    break;
  case PART_NAMED:
    write_pair(j, "type", "object");
    write_key(j, "additionalProperties");
    open_brace(j, '{');
    if (p->list_allowed) {
      char text[200];
      snprintf(text, sizeof text,
               "[{\"$ref\": \"#/definitions/%s\"}, {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}}]",
               p->one, p->one);
      write_raw(j, "anyOf", text);
    } else write_reference(j, p->one);
    close_brace(j, '}');
    break;
  }
}

// A function is also a number or the name of one, a control block also a formula.
static void write_function(Json *j, const Part *p) {
  write_key(j, "anyOf");
  open_brace(j, '[');
  next_line(j);
  printf("{\"type\": " NUMBER "}");
  next_line(j);
  open_brace(j, '{');
  entry_of_kind(j, p);
  close_brace(j, '}');
  close_brace(j, ']');
}

static ExitCode run(const Arguments *a) {
  Json j = {0, true};
  (void)a;
  if (!is_printing_process()) return EXIT_GOOD;
  open_brace(&j, '{');
  write_pair(&j, "$schema", "http://json-schema.org/draft-07/schema#");
  write_pair(&j, "title", kind_file.help);
  write_fields(&j, 1, &kind_file.fields);
  write_key(&j, "definitions");
  open_brace(&j, '{');
  for (const Part *const *at = parts, *p = *at; p; p = *++at) {
    write_key(&j, p->one);
    open_brace(&j, '{');
    if (!strcmp(p->one, "function") || !strcmp(p->one, "block")) write_function(&j, p);
    else write_entry(&j, p);
    close_brace(&j, '}');
  }
  close_brace(&j, '}');
  close_brace(&j, '}');
  putchar('\n');
  return EXIT_GOOD;
}

static const Option options[] = {{0}};

const Command command_schema = {
    "schema",
    "Prints a JSON Schema of model files, for editors.",
    "schema",
    "An editor with support for JSON Schema completes and explains the fields of a model file and\n"
    "marks errors. The schema and the reader use the same tables.",
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
