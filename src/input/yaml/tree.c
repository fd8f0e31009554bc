// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/tree.h"

#include "base/limits.h"
#include "input/yaml/names.h"

#include <ctype.h>
#include <libfyaml.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// ---- before it is parsed ----

// What is looked for in a text before it is parsed: bytes that are no text, and what the parser would take too long
// for.
typedef struct {
  size_t at;      // byte
  char text[100]; // what is wrong; "": nothing is
} TextMistake;

// Bytes of the character of UTF-8 at s, 0: none; control characters are none but for tab and ends of lines.
static size_t character_bytes(const unsigned char *s, size_t n) {
  static const struct {
    unsigned char mask, head;
    unsigned least;
  } forms[] = {{0x80, 0x00, 0x20}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
  if (*s == '\t' || *s == '\n' || *s == '\r') return 1;
  for (size_t k = 0; k < 4 && k < n; k++) {
    if ((s[0] & forms[k].mask) != forms[k].head) continue;
    unsigned code = s[0] & (unsigned char)~forms[k].mask;
    for (size_t i = 1; i <= k; i++) {
      if ((s[i] & 0xC0) != 0x80) return 0;
      code = code << 6 | (s[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code < 0xE000, control = code >= 0x7F && code < 0xA0 && code != 0x85;
    return code < forms[k].least || code > 0x10FFFF || surrogate || control ? 0 : k + 1;
  }
  return 0;
}

typedef struct { // of what the parser of YAML (libfyaml) would look at again and again
  size_t blanks; // in one piece, up to here
  size_t tag;    // characters since a '!' that may begin a tag; 0: none
  size_t line;   // characters of a line that begins with '%'; 0: of another
  int brackets;  // that are open; those in texts and quotes are counted as well
  bool comment, begins;
} Cost;

// Counts one character more. Brackets in quotes are few, so that quotes need not be known here.
static void count_cost(Cost *c, char s, char before) {
  bool blank = s == ' ' || s == '\t' || s == '\n' || s == '\r';
  c->blanks = blank ? c->blanks + 1 : 0;
  if (s == '\n') c->comment = false;
  else if (s == '#' && (c->begins || before == ' ' || before == '\t')) c->comment = true;
  c->line = s == '\n' ? 0 : c->line || (c->begins && s == '%') ? c->line + 1 : 0;
  c->tag = s == '!' || c->tag ? c->tag + 1 : 0;
  if (blank || strchr(",[]{}", s)) c->tag = 0;
  if (!c->comment && (s == '[' || s == '{')) c->brackets++;
  if (!c->comment && (s == ']' || s == '}') && c->brackets) c->brackets--;
  c->begins = s == '\n';
}

static void find_excess(const Cost *c, char *text, size_t size) {
  if (c->blanks > LIMIT_BLANKS)
    snprintf(text, size, "more than %d blanks and ends of lines in one piece", LIMIT_BLANKS);
  else if (c->line > LIMIT_TAG)
    snprintf(text, size, "a directive, a line that begins with '%%', has at most %d characters", LIMIT_TAG);
  else if (c->tag > LIMIT_TAG)
    snprintf(text, size, "a tag, a word that begins with '!', has at most %d characters", LIMIT_TAG);
  else if (c->brackets > LIMIT_BRACKETS) snprintf(text, size, "more than %d brackets are open", LIMIT_BRACKETS);
}

static TextMistake check_text(const char *text, size_t length) {
  Cost cost = {.begins = true};
  TextMistake m = {.text = ""};
  for (size_t n; m.at < length; m.at += n) {
    n = character_bytes((const unsigned char *)text + m.at, length - m.at);
    if (n) count_cost(&cost, text[m.at], m.at ? text[m.at - 1] : '\n'), find_excess(&cost, m.text, sizeof m.text);
    else snprintf(m.text, sizeof m.text, "this is not text: byte %02X is not allowed here", (unsigned char)text[m.at]);
    if (m.text[0]) return m;
  }
  return m;
}

// ---- from events to the tree ----

typedef struct {
  struct fy_parser *parser;
  struct fy_event *event; // the next one, NULL at the end or at a mistake
  Store *store;
  Diagnostics *diagnostics;
  TreeCount *count;
  int depth;     // of the lists and maps that are open
  bool too_much; // a limit is passed, which has been noted: nothing more is read
  Names anchors;
  Tree **anchored; // by the ids of `anchors`
  int anchors_room;
  SourceLocation piece; // that is read
  const char *text;     // of it ...
  size_t length;
  size_t last;         // where in it the last event ended
  SourceLocation open; // where the innermost bracket opens that a mistake of syntax leaves open
} Builder;

static void next_event(Builder *b) {
  if (b->event) {
    const struct fy_mark *end = fy_event_end_mark(b->event);
    if (end) b->last = end->input_pos;
    fy_parser_event_free(b->parser, b->event);
  }
  b->event = fy_parser_parse(b->parser);
}

static void drop_event(Builder *b) {
  if (b->event) fy_parser_event_free(b->parser, b->event);
  b->event = NULL;
}

static void stop_reading(Builder *b) {
  drop_event(b);
  b->too_much = true;
}

static SourceLocation make_location(const Builder *b, size_t begin, size_t end) {
  return (SourceLocation){b->piece.begin + begin, b->piece.begin + end, b->piece.file};
}

static SourceLocation event_location(const Builder *b) {
  const struct fy_mark *begin = fy_event_start_mark(b->event), *end = fy_event_end_mark(b->event);
  return begin && end ? make_location(b, begin->input_pos, end->input_pos) : make_location(b, b->last, b->last);
}

static Error TokenText(Builder *b, struct fy_token *token, const char **out, size_t *length) {
  *length = 0;
  const char *text = token ? fy_token_get_text(token, length) : NULL;
  if (!text) *length = 0;
  TRY(StoreText(b->store, text, *length, out));
  return 0;
}

// The later of two anchors of one name counts, as YAML has it.
static Error StoreAnchor(Builder *b, const char *name, Tree *tree) {
  const Name *found = name ? names_find(&b->anchors, name) : NULL;
  if (!name) return 0;
  if (found) {
    b->anchored[found->id] = tree;
    return 0;
  }
  if (b->anchors.count == b->anchors_room) {
    b->anchors_room = b->anchors_room ? 2 * b->anchors_room : 16;
    TRY(MemoryResize((size_t)b->anchors_room * sizeof *b->anchored, &b->anchored));
  }
  b->anchored[b->anchors.count] = tree;
  TRY(NamesAdd(&b->anchors, name, b->anchors.count, tree->at));
  return 0;
}

typedef struct { // entries of a list or map while it is read
  Tree **key, **entry;
  int count, room;
} Growing;

static Error AppendToTree(Growing *g, Tree *key, Tree *entry) {
  if (g->count == g->room) {
    g->room = g->room ? 2 * g->room : 8;
    TRY(MemoryResize((size_t)g->room * sizeof *g->key, &g->key));
    TRY(MemoryResize((size_t)g->room * sizeof *g->entry, &g->entry));
  }
  g->key[g->count] = key, g->entry[g->count++] = entry;
  return 0;
}

static Error FinishTree(Builder *b, Growing *g, Tree *t) {
  size_t bytes = (size_t)g->count * sizeof *g->key;
  unsigned long long size = 1;
  for (int i = 0; i < g->count; i++) size += (t->kind == TREE_MAP ? g->key[i]->size : 0) + g->entry[i]->size;
  t->count = g->count, t->size = size < UINT_MAX ? (unsigned)size : UINT_MAX;
  TRY(StoreAllocate(b->store, bytes, &t->entry));
  if (bytes) memcpy(t->entry, g->entry, bytes);
  if (t->kind == TREE_MAP) {
    TRY(StoreAllocate(b->store, bytes, &t->key));
    if (bytes) memcpy(t->key, g->key, bytes);
  }
  return 0;
}

static Error MergeMap(Growing *g, Names *known, const Tree *from) {
  for (int i = 0; i < from->count; i++) {
    if (names_find(known, from->key[i]->text)) continue;
    TRY(NamesAdd(known, from->key[i]->text, 0, from->at));
    TRY(AppendToTree(g, from->key[i], from->entry[i]));
  }
  return 0;
}

// <<: *base  or  <<: [*a, *b]: the keys that the map does not have itself.
static Error MergeKeys(Builder *b, Growing *g, const Tree *from) {
  Names known = {0};
  if (from->broken) return 0;
  for (int i = 0; i < g->count; i++) TRY(NamesAdd(&known, g->key[i]->text, 0, from->at));
  bool list = from->kind == TREE_LIST;
  for (int i = 0; i < (list ? from->count : 1); i++) {
    const Tree *one = list ? from->entry[i] : from;
    if (one->kind == TREE_MAP) TRY(MergeMap(g, &known, one));
    else if (!one->broken)
      TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, one->at, "'<<' takes a map, such as *name"));
  }
  TRY(NamesDestroy(&known));
  return 0;
}

// The mark of an entry that holds nothing: its dash, or what stands before it.
static SourceLocation dash_location(const Builder *b, SourceLocation at) {
  size_t begin = at.begin - b->piece.begin, dash = begin;
  while (dash < b->length && strchr(" \t\r\n", b->text[dash])) dash++;
  if (dash < b->length && b->text[dash] == '-') return make_location(b, dash, dash + 1);
  return begin ? make_location(b, begin - 1, begin) : at;
}

static Error ReadNode(Builder *b, Tree **out);

// The entries of a list or map up to its end. Not `good` where the text ends in a mistake of syntax.
static Error ReadEntries(Builder *b, Tree *t, enum fy_event_type end, Growing *g, bool *good) {
  Tree *key = NULL, *entry = NULL, *merge = NULL;
  bool map = t->kind == TREE_MAP, flow = t->at.end > t->at.begin;
  *good = false;
  while (b->event && b->event->type != end) {
    if (map) TRY(ReadNode(b, &key));
    if (map && !key) return 0;
    TRY(ReadNode(b, &entry));
    if (!entry) return 0;
    if (map && tree_empty(entry)) entry->at = key->at; // nothing has no place of its own
    if (!map && tree_empty(entry)) entry->at = dash_location(b, entry->at);
    if (map && key->kind != TREE_WORD)
      TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, key->at, "a key must be a word"));
    else if (map && !key->quoted && !strcmp(key->text, "<<")) merge = entry;
    else if (!map || !key->broken) TRY(AppendToTree(g, key, entry));
  }
  if (!b->event) return 0;
  *good = true;
  if (flow) t->at.end = event_location(b).end;
  else if (g->count) t->at.end = map ? g->key[0]->at.end : g->entry[0]->at.end;
  if (merge) TRY(MergeKeys(b, g, merge));
  return 0;
}

static Error ReadCollection(Builder *b, Tree *t, bool *good) {
  Growing g = {0};
  bool map = b->event->type == FYET_MAPPING_START;
  *good = b->depth < LIMIT_DEPTH;
  if (!*good) {
    TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, t->at, "lists and maps are nested more than %d deep",
                       LIMIT_DEPTH));
    stop_reading(b);
    return 0;
  }
  t->kind = map ? TREE_MAP : TREE_LIST;
  b->depth++;
  next_event(b);
  TRY(ReadEntries(b, t, map ? FYET_MAPPING_END : FYET_SEQUENCE_END, &g, good));
  if (*good) {
    TRY(FinishTree(b, &g, t));
    next_event(b);
  } else if (b->open.end == 0 && t->at.end > t->at.begin) b->open = t->at;
  b->depth--;
  memory_free(&g.key);
  memory_free(&g.entry);
  return 0;
}

static Error ReadAlias(Builder *b, Tree *t, const char *name, Tree **out) {
  const Name *a = names_find(&b->anchors, name);
  if (t->at.begin > b->piece.begin) t->at.begin--; // the *
  if (!a)
    TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, t->at, "there is no anchor '&%s' before this line", name));
  t->broken = !a;
  *out = a ? b->anchored[a->id] : t;
  b->count->aliased += (*out)->size;
  if (b->count->aliased > LIMIT_ALIASED + LIMIT_ALIASED_PER_NODE * b->count->nodes) {
    TRY(DiagnosticsAdd(
        b->diagnostics, DIAGNOSTIC_ERROR, t->at,
        "up to here aliases stand for more than %d words, lists and maps, and %d for each that is written",
        LIMIT_ALIASED, LIMIT_ALIASED_PER_NODE));
    stop_reading(b);
    *out = NULL;
  } else next_event(b);
  return 0;
}

// A word with what would control a terminal is none.
static Error CheckWord(Builder *b, Tree *t, size_t length) {
  const unsigned char *s = (const unsigned char *)t->text;
  for (size_t i = 0; i < length; i++) {
    bool control = (s[i] < 0x20 && s[i] != '\t' && s[i] != '\n' && s[i] != '\r') || s[i] == 0x7F;
    if (s[i] == 0xC2 && i + 1 < length && s[i + 1] >= 0x80 && s[i + 1] < 0xA0 && s[i + 1] != 0x85) control = true;
    if (!control) continue;
    TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, t->at, "a word cannot contain the control character %02X",
                       s[i] == 0xC2 ? s[i + 1] : s[i]));
    t->broken = true, t->text = "";
    return 0;
  }
  return 0;
}

// One node, from its first event to the event after it. NULL where the text ends in a mistake of syntax.
static Error ReadNode(Builder *b, Tree **out) {
  Tree *t;
  const char *anchor = NULL;
  size_t length = 0;
  bool good = true;
  *out = NULL;
  if (!b->event) return 0;
  TRY(StoreAllocate(b->store, sizeof *t, &t));
  t->at = event_location(b), t->text = "", t->size = 1;
  if (++b->count->nodes > LIMIT_NODES) {
    TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, t->at, "a model has at most %d words, lists and maps",
                       LIMIT_NODES));
    stop_reading(b);
    return 0;
  }
  struct fy_token *token = b->event->type == FYET_ALIAS ? b->event->alias.anchor : fy_event_get_anchor_token(b->event);
  if (token) TRY(TokenText(b, token, &anchor, &length));
  switch (b->event->type) {
  case FYET_SCALAR: {
    struct fy_token *value = b->event->scalar.value;
    enum fy_scalar_style style = value ? fy_token_scalar_style(value) : FYSS_PLAIN;
    TRY(TokenText(b, value, &t->text, &length));
    t->quoted = style != FYSS_PLAIN;
    if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && t->at.begin > b->piece.begin)
      t->at.begin--, t->at.end++;
    TRY(CheckWord(b, t, length));
    next_event(b);
    break;
  }
  case FYET_ALIAS: TRY(ReadAlias(b, t, anchor ? anchor : "", out)); return 0;
  case FYET_SEQUENCE_START:
  case FYET_MAPPING_START: TRY(ReadCollection(b, t, &good)); break;
  case FYET_NONE:
  case FYET_STREAM_START:
  case FYET_STREAM_END:
  case FYET_DOCUMENT_START:
  case FYET_DOCUMENT_END:
  case FYET_MAPPING_END:
  case FYET_SEQUENCE_END: good = false; break;
  }
  if (!good) return 0;
  TRY(StoreAnchor(b, anchor, t));
  *out = t;
  return 0;
}

// What the parser says of a text that is no YAML, in the words of our diagnostics.
static Error ReportSyntax(Builder *b, struct fy_diag *diag) {
  void *next_error = NULL;
  int found = 0;
  for (const struct fy_diag_error *e; (e = fy_diag_errors_iterate(diag, &next_error));) {
    size_t at = 0;
    if (e->type != FYET_ERROR) continue;
    for (int line = 1; line < e->line && at < b->length; at++) line += b->text[at] == '\n';
    for (int column = 1; column < e->column && at < b->length; column++) // columns count characters
      do at++;
      while (at < b->length && ((unsigned char)b->text[at] & 0xC0) == 0x80);
    bool open = strstr(e->msg, "without a closing") && b->open.end > 0;
    TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, open ? b->open : make_location(b, at, at + 1),
                       "this is not YAML: %s", e->msg));
    found++;
  }
  if (!found)
    TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, make_location(b, b->last, b->last + 1), "this is not YAML"));
  return 0;
}

static Error ReadDocument(Builder *b, Tree **out) {
  Tree *root = NULL;
  while (b->event && (b->event->type == FYET_STREAM_START || b->event->type == FYET_DOCUMENT_START)) next_event(b);
  if (b->event && b->event->type != FYET_STREAM_END) TRY(ReadNode(b, &root));
  *out = root;
  while (b->event && b->event->type == FYET_DOCUMENT_END) next_event(b);
  if (b->event && b->event->type == FYET_DOCUMENT_START) {
    TRY(DiagnosticsAdd(b->diagnostics, DIAGNOSTIC_ERROR, event_location(b),
                       "a model file contains one document; a second one begins here"));
    drop_event(b);
  }
  while (b->event) next_event(b);
  return 0;
}

// Whether a text is one word that means the same to every reader of YAML, such as 1.5, -2e-3, 20 ms or 2*(a + b).
static bool is_plain_word(const char *text, size_t length) {
  static const char inner[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_+-*/^(). ";
  if (!length || length > 200 || text[length - 1] == ' ') return false;
  for (size_t i = 0; i < length; i++)
    if (!text[i] || !strchr(inner, text[i])) return false;
  bool sign = (text[0] == '+' || text[0] == '-' || text[0] == '.') && length > 1;
  return isalnum((unsigned char)text[sign]);
}

// The tree of such a word, for which no parser is needed: changes of values are read often.
static Error ReadPlainWord(Builder *b, Tree **out) {
  Tree *t;
  TRY(StoreAllocate(b->store, sizeof *t, &t));
  TRY(StoreText(b->store, b->text, b->length, &t->text));
  t->kind = TREE_WORD, t->size = 1, t->at = make_location(b, 0, b->length);
  *out = t;
  return 0;
}

Error TreeRead(Store *s, Diagnostics *n, SourceLocation piece, TreeCount *count, Tree **out) {
  struct fy_diag_cfg diag_cfg;
  Builder b = {.store = s, .diagnostics = n, .count = count, .piece = piece, .length = piece.end - piece.begin};
  b.text = n->file[piece.file].text + piece.begin;
  *out = NULL;
  TextMistake mistake = check_text(b.text, b.length);
  if (mistake.text[0]) {
    TRY(DiagnosticsAdd(n, DIAGNOSTIC_ERROR, make_location(&b, mistake.at, mistake.at + 1), "%s", mistake.text));
    return 0;
  }
  if (count->nodes < LIMIT_NODES && is_plain_word(b.text, b.length)) {
    count->nodes++;
    return ReadPlainWord(&b, out);
  }
  fy_diag_cfg_default(&diag_cfg);
  diag_cfg.fp = NULL;
  struct fy_diag *diag = fy_diag_create(&diag_cfg);
  ENSURE(diag, ERROR_MEMORY, "libfyaml gives no diagnostics");
  fy_diag_set_collect_errors(diag, true);
  struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_JSON_NONE, .diag = diag};
  b.parser = fy_parser_create(&cfg);
  ENSURE(b.parser, ERROR_MEMORY, "libfyaml gives no parser");
  ENSURE(!fy_parser_set_string(b.parser, b.text, b.length), ERROR_LIBRARY, "libfyaml takes no text");
  next_event(&b);
  TRY(ReadDocument(&b, out));
  if (b.too_much) *out = NULL;
  else if (fy_parser_get_stream_error(b.parser)) {
    *out = NULL;
    TRY(ReportSyntax(&b, diag));
  }
  memory_free(&b.anchored);
  TRY(NamesDestroy(&b.anchors));
  fy_parser_destroy(b.parser);
  fy_diag_destroy(diag);
  return 0;
}

const Tree *tree_find(const Tree *map, const char *key) {
  for (int i = 0; map->kind == TREE_MAP && i < map->count; i++)
    if (!strcmp(map->key[i]->text, key)) return map->entry[i];
  return NULL;
}

const char *tree_name(const Tree *t, char *text, size_t size) {
  switch (t->kind) {
  case TREE_WORD:
    if (tree_empty(t)) snprintf(text, size, "nothing");
    else snprintf(text, size, "'%s'", t->text);
    break;
  case TREE_LIST: snprintf(text, size, "a list of %d", t->count); break;
  case TREE_MAP: snprintf(text, size, "a map"); break;
  }
  return text;
}

const char *tree_library(void) { return fy_library_version(); }

void tree_print_quoted(FILE *out, const char *text) {
  putc('"', out);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < ' ' || c == 127) fprintf(out, "\\x%02x", c);
    else putc(c, out);
  }
  putc('"', out);
}
