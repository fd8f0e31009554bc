// SPDX-License-Identifier: Apache-2.0
// Sends questions about an HDF5 file to the child process and unpacks its answers (results_private.h).
#include "results/read/results_private.h"
#include "results/read/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Stored {
  Reader *reader;
  StoredFile file; // used by the child
};

Stored *stored_start(const char *path) {
  Stored *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->file = (StoredFile){.path = strdup(path), .file = -1, .other = -1};
  s->reader = s->file.path ? reader_start(path, stored_answer, &s->file) : NULL;
  if (s->reader) return s;
  return free(s->file.path), free(s), NULL;
}

bool stored_is_lost(const Stored *s) { return reader_has_ended(s->reader); }

void stored_end(Stored **s) {
  if (!*s) return;
  reader_end(&(*s)->reader);
  stored_file_close(&(*s)->file);
  free((*s)->file.path);
  free(*s);
  *s = NULL;
}

// ---- questions ----

static Message begin_question(Ask what, const char *path) {
  Message m = {0};
  message_put_count(&m, what);
  message_put_text(&m, path);
  return m;
}

// The count at the start of an answer; -1: there is no answer.
static long answer_count(Stored *s, Message question, Message *answer) {
  if (!reader_ask(s->reader, &question, answer)) return -1;
  long n = message_take_count(answer);
  return answer->bad ? -1 : n;
}

// Reads an answer that is 1 followed by bytes.
static bool answer_bytes(Stored *s, Message question, void *out, size_t size) {
  Message answer;
  bool good = answer_count(s, question, &answer) == 1;
  if (good) message_take(&answer, out, size), good = !answer.bad;
  message_free(&answer);
  return good;
}

StoredState stored_open(Stored *s) {
  Message answer;
  long state = answer_count(s, begin_question(ASK_OPEN, ""), &answer);
  message_free(&answer);
  return state == STORED_OPEN || state == STORED_NO_HDF5 ? (StoredState)state : STORED_DAMAGED;
}

bool stored_use(Stored *s, const char *path) { return answer_bytes(s, begin_question(ASK_USE, path), NULL, 0); }
bool stored_exists(Stored *s, const char *path) { return answer_bytes(s, begin_question(ASK_EXISTS, path), NULL, 0); }

bool stored_size(Stored *s, const char *path, StoredSize *out) {
  bool good = answer_bytes(s, begin_question(ASK_SIZE, path), out, sizeof *out);
  if (!good) *out = (StoredSize){0};
  return good;
}

bool stored_rows(Stored *s, const char *path, int slot, StoredType type, long from, long count, int first, int width,
                 void *out) {
  static const size_t bytes[] = {
      [STORED_REAL] = sizeof(double), [STORED_LONG] = sizeof(long), [STORED_INT] = sizeof(int)};
  const long numbers[] = {slot, type, from, count, first, width};
  Message m = begin_question(ASK_ROWS, path);
  if (count < 0 || width < 1) return message_free(&m), false;
  message_put(&m, numbers, sizeof numbers);
  return answer_bytes(s, m, out, (size_t)count * (size_t)width * bytes[type]);
}

bool stored_fixed_texts(Stored *s, const char *path, long from, long count, size_t size, char *out) {
  const long numbers[] = {from, count, (long)size};
  Message m = begin_question(ASK_FIXED_TEXTS, path);
  message_put(&m, numbers, sizeof numbers);
  if (!answer_bytes(s, m, out, (size_t)count * size)) return false;
  for (long i = 0; i < count; i++) out[(size_t)(i + 1) * size - 1] = 0;
  return true;
}

static char **answer_texts(Stored *s, Message question, int *count) {
  Message answer;
  char **text = NULL;
  *count = 0;
  if (reader_ask(s->reader, &question, &answer)) text = message_take_texts(&answer, count);
  message_free(&answer);
  return text;
}

char **stored_texts(Stored *s, const char *path, int *count) {
  return answer_texts(s, begin_question(ASK_TEXTS, path), count);
}

char **stored_attribute_texts(Stored *s, const char *path, const char *name, int *count) {
  Message m = begin_question(ASK_ATTRIBUTE_TEXTS, path);
  message_put_text(&m, name);
  return answer_texts(s, m, count);
}

bool stored_attribute_text(Stored *s, const char *path, const char *name, char *text, size_t size) {
  int count;
  char **all = stored_attribute_texts(s, path, name, &count);
  snprintf(text, size, "%s", count ? all[0] : "");
  texts_free(all, count);
  return count > 0;
}

double *stored_attribute_reals(Stored *s, const char *path, const char *name, int *count) {
  Message m = begin_question(ASK_ATTRIBUTE_REALS, path), answer;
  message_put_text(&m, name);
  long n = answer_count(s, m, &answer);
  double *value = n > 0 ? message_take_array(&answer, n, sizeof *value) : NULL;
  *count = value ? (int)n : 0;
  message_free(&answer);
  return value;
}

double stored_attribute_real(Stored *s, const char *path, const char *name, double otherwise) {
  int count;
  double *all = stored_attribute_reals(s, path, name, &count), value = count == 1 ? all[0] : otherwise;
  free(all);
  return value;
}

// ---- tables ----

static void take_table(Message *m, StoredTable *t) {
  char **text[] = {&t->path, &t->name, &t->group, &t->subject, &t->units, &t->description};
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
    if (!(*text[i] = message_take_text(m))) m->bad = true;
  t->columns = message_take_texts(m, &t->names);
  message_take(m, &t->size, sizeof t->size);
}

bool stored_tables(Stored *s, const char *path, StoredTable **out, int *count) {
  Message answer;
  long n = answer_count(s, begin_question(ASK_TABLES, path), &answer);
  bool good = n >= 0 && (size_t)n <= answer.size; // each table takes more than a byte
  *out = good ? calloc((size_t)n + 1, sizeof **out) : NULL;
  *count = 0;
  for (good = *out; good && *count < n; good = !answer.bad) take_table(&answer, &(*out)[(*count)++]);
  message_free(&answer);
  if (!good) stored_tables_free(*out, *count), *out = NULL, *count = 0;
  return good;
}

void stored_tables_free(StoredTable *t, int count) {
  for (int i = 0; t && i < count; i++) {
    free(t[i].path), free(t[i].name), free(t[i].group), free(t[i].subject), free(t[i].units), free(t[i].description);
    texts_free(t[i].columns, t[i].names);
  }
  free(t);
}
