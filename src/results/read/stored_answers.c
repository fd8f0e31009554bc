// SPDX-License-Identifier: Apache-2.0
// The answers of the child process (stored.h): one function for each question of stored_questions.c.
#include "input/diagnostic.h"
#include "results/read/results_private.h"
#include "results/read/stored.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void close_slots(StoredFile *f) {
  for (int i = 0; i < f->slots; i++) numbers_close(&f->opened[i]);
  free(f->opened);
  f->opened = NULL, f->slots = 0;
}

void stored_file_close(StoredFile *f) {
  close_slots(f);
  if (f->other >= 0) H5Fclose(f->other);
  if (f->file >= 0) H5Fclose(f->file);
  f->other = f->file = -1;
}

static hid_t file_used(const StoredFile *f) { return f->other >= 0 ? f->other : f->file; }

static void answer_open(StoredFile *f, Message *q, Message *a) {
  (void)q;
  stored_file_close(f);
  f->file = file_open(f->path);
  message_put_count(a, f->file >= 0 ? STORED_OPEN : H5Fis_hdf5(f->path) > 0 ? STORED_DAMAGED : STORED_NO_HDF5);
}

static void answer_use(StoredFile *f, Message *q, Message *a) {
  char *path = message_take_text(q);
  if (f->other >= 0) H5Fclose(f->other);
  f->other = path ? file_open(path) : -1;
  message_put_count(a, !path || f->other >= 0);
  free(path);
}

static void answer_exists(StoredFile *f, Message *q, Message *a) {
  char *path = message_take_text(q);
  hid_t object = path ? object_open(file_used(f), path) : -1;
  message_put_count(a, object >= 0);
  if (object >= 0) H5Oclose(object);
  free(path);
}

static StoredSize size_of(const StoredNumbers *s) { return (StoredSize){s->rank, s->width, s->rows}; }

static void answer_size(StoredFile *f, Message *q, Message *a) {
  char *path = message_take_text(q);
  StoredNumbers s = {.set = -1};
  bool good = path && numbers_open(file_used(f), path, &s);
  message_put_count(a, good);
  message_put(a, &(StoredSize){s.rank, s.width, s.rows}, sizeof(StoredSize));
  numbers_close(&s);
  free(path);
}

// The dataset of a slot, which is opened the first time.
static StoredNumbers *find_slot(StoredFile *f, long slot, const char *path) {
  if (slot >= f->slots) {
    int slots = (int)slot + 1 > 2 * f->slots ? (int)slot + 1 : 2 * f->slots;
    StoredNumbers *more = realloc(f->opened, (size_t)slots * sizeof *more);
    if (!more) return NULL;
    for (int i = f->slots; i < slots; i++) more[i] = (StoredNumbers){.set = -1};
    f->opened = more, f->slots = slots;
  }
  StoredNumbers *s = &f->opened[slot];
  return s->set >= 0 || numbers_open(f->file, path, s) ? s : NULL;
}

static void answer_rows(StoredFile *f, Message *q, Message *a) {
  static const size_t bytes[] = {
      [STORED_REAL] = sizeof(double), [STORED_LONG] = sizeof(long), [STORED_INT] = sizeof(int)};
  const hid_t types[] = {
      [STORED_REAL] = H5T_NATIVE_DOUBLE, [STORED_LONG] = H5T_NATIVE_LONG, [STORED_INT] = H5T_NATIVE_INT};
  char *path = message_take_text(q);
  long slot = message_take_count(q), type = message_take_count(q), from = message_take_count(q);
  long count = message_take_count(q), first = message_take_count(q), width = message_take_count(q);
  StoredNumbers once = {.set = -1}, *s = NULL;
  if (path && !q->bad)
    s = slot >= 0 ? find_slot(f, slot, path) : numbers_open(file_used(f), path, &once) ? &once : NULL;
  bool good = s && count >= 0 && count <= s->rows && width >= 1 && width <= s->width;
  void *values = good ? malloc((size_t)count * (size_t)width * bytes[type] + 1) : NULL;
  good = values && numbers_read(s, types[type], from, count, (int)first, (int)width, values);
  message_put_count(a, good);
  if (good) message_put(a, values, (size_t)count * (size_t)width * bytes[type]);
  numbers_close(&once);
  free(values), free(path);
}

static void answer_fixed_texts(StoredFile *f, Message *q, Message *a) {
  char *path = message_take_text(q);
  long from = message_take_count(q), count = message_take_count(q), size = message_take_count(q);
  bool good = path && !q->bad && from >= 0 && count >= 0 && size > 0 && count < INT_MAX / size;
  char *texts = good ? calloc((size_t)count + 1, (size_t)size) : NULL;
  good = texts && fixed_texts_read(file_used(f), path, from, count, (size_t)size, texts);
  message_put_count(a, good);
  if (good) message_put(a, texts, (size_t)count * (size_t)size);
  free(texts), free(path);
}

static void answer_texts(StoredFile *f, Message *q, Message *a) {
  char *path = message_take_text(q), **text;
  int count = 0;
  text = path ? dataset_texts(file_used(f), path, &count) : NULL;
  message_put_texts(a, text, count);
  texts_free(text, count);
  free(path);
}

static void answer_attribute_texts(StoredFile *f, Message *q, Message *a) {
  char *path = message_take_text(q), *name = message_take_text(q), **text = NULL;
  int count = 0;
  hid_t object = path && name ? object_open(file_used(f), path) : -1;
  if (object >= 0) text = attribute_texts(object, name, &count), H5Oclose(object);
  message_put_texts(a, text, count);
  texts_free(text, count);
  free(path), free(name);
}

static void answer_attribute_reals(StoredFile *f, Message *q, Message *a) {
  char *path = message_take_text(q), *name = message_take_text(q);
  int count = 0;
  hid_t object = path && name ? object_open(file_used(f), path) : -1;
  double *value = object >= 0 ? attribute_reals(object, name, &count) : NULL;
  if (object >= 0) H5Oclose(object);
  message_put_count(a, count);
  message_put(a, value, (size_t)count * sizeof *value);
  free(value), free(path), free(name);
}

// ---- tables ----

enum { MOST_OBJECTS = 200000, DEPTH = 8 }; // groups in groups

typedef struct { // the group that is visited
  hid_t file;
  const char *path, *name, *subject;
  Message *to;
  int depth, *objects, *tables;
} Visit;

static void put_first(Message *to, hid_t object, const char *attribute) {
  int count;
  char **text = attribute_texts(object, attribute, &count);
  message_put_text(to, count ? text[0] : "");
  texts_free(text, count);
}

static bool put_table(const Visit *v, const char *path, const char *name) {
  StoredNumbers s;
  int count;
  if (!numbers_open(v->file, path, &s)) return false;
  char **columns = attribute_texts(s.set, "columns", &count);
  message_put_text(v->to, path), message_put_text(v->to, name);
  message_put_text(v->to, v->name), message_put_text(v->to, v->subject);
  put_first(v->to, s.set, "units"), put_first(v->to, s.set, "description");
  message_put_texts(v->to, columns, count);
  StoredSize size = size_of(&s);
  message_put(v->to, &size, sizeof size);
  texts_free(columns, count);
  numbers_close(&s);
  ++*v->tables;
  return true;
}

static bool put_group(Visit v);

static herr_t put_link(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  const Visit *v = context;
  char below[1024], clean[300];
  hid_t object = -1;
  bool good = info->type == H5L_TYPE_HARD && ++*v->objects <= MOST_OBJECTS && strlen(name) < sizeof clean &&
              snprintf(below, sizeof below, "%s/%s", v->path, name) < (int)sizeof below;
  if (good) object = H5Oopen(group, name, H5P_DEFAULT);
  H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
  if (object >= 0) H5Oclose(object);
  snprintf(clean, sizeof clean, "%s", name);
  text_clean(clean, false, ' ');
  if (type == H5I_GROUP)
    good = put_group((Visit){.file = v->file,
                             .path = below,
                             .name = clean,
                             .to = v->to,
                             .depth = v->depth + 1,
                             .objects = v->objects,
                             .tables = v->tables});
  else good = type == H5I_DATASET && put_table(v, below, clean);
  return good ? 0 : -1;
}

static bool put_group(Visit v) {
  hid_t id = v.depth < DEPTH ? object_open(v.file, v.path) : -1;
  int count = 0;
  bool good = id >= 0 && H5Iget_type(id) == H5I_GROUP;
  char **text = good && *v.name ? attribute_texts(id, "description", &count) : NULL;
  v.subject = count ? text[0] : "";
  if (good) good = H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, NULL, put_link, &v) >= 0;
  texts_free(text, count);
  if (id >= 0) H5Oclose(id);
  return good;
}

static void answer_tables(StoredFile *f, Message *q, Message *a) {
  char *path = message_take_text(q);
  int objects = 0, tables = 0;
  Message list = {0};
  bool good =
      path &&
      put_group((Visit){
          .file = file_used(f), .path = path, .name = "", .to = &list, .objects = &objects, .tables = &tables}) &&
      !list.bad;
  message_put_count(a, good ? tables : -1);
  if (good) message_put(a, list.data, list.size);
  message_free(&list);
  free(path);
}

// ---- all ----

void stored_answer(void *self, Message *question, Message *answer) {
  static void (*const answers[ASKS])(StoredFile * f, Message * q, Message * a) = {
      [ASK_OPEN] = answer_open,
      [ASK_USE] = answer_use,
      [ASK_EXISTS] = answer_exists,
      [ASK_SIZE] = answer_size,
      [ASK_ROWS] = answer_rows,
      [ASK_FIXED_TEXTS] = answer_fixed_texts,
      [ASK_TEXTS] = answer_texts,
      [ASK_ATTRIBUTE_TEXTS] = answer_attribute_texts,
      [ASK_ATTRIBUTE_REALS] = answer_attribute_reals,
      [ASK_TABLES] = answer_tables,
  };
  long ask = message_take_count(question);
  if (ask >= 0 && ask < ASKS) answers[ask](self, question, answer);
}
