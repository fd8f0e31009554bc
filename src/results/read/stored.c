// SPDX-License-Identifier: Apache-2.0
// Reads HDF5 files in the child process. Only this file opens files, objects and datasets of results. It does not trust
// what a file declares: a dataset may have another type, rank or size than Limber writes, may declare 10^15 rows, or
// may refer to another file. Functions print nothing and return false, NULL or -1 if the file lacks what it should
// have.
#include "results/read/stored.h"

#include "files/folder.h"
#include "input/diagnostic.h"
#include "results/read/results_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  MOST_ROWS = 1 << 30, // of a dataset
  MOST_INFLATED = 1100 // largest expansion by deflate
};

static hid_t file_open(const char *path) {
  int fd = found_open(path); // a pipe would block forever
  if (fd < 0 || close(fd)) return -1;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
  if (access < 0) return -1;
  if (H5Pset_file_locking(access, 0, 1) >= 0) file = H5Fopen(path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

// Opens a group or dataset. Only hard links are followed: a soft link may form a cycle, an external one may leave the
// file.
static hid_t object_open(hid_t at, const char *path) {
  char part[1024];
  size_t n = strlen(path);
  if (n >= sizeof part) return -1;
  if (!strcmp(path, "/")) return H5Oopen(at, path, H5P_DEFAULT);
  for (size_t end = 1; end <= n; end++) {
    H5L_info_t info;
    if (path[end] && path[end] != '/') continue;
    memcpy(part, path, end), part[end] = 0;
    if (H5Lexists(at, part, H5P_DEFAULT) <= 0 || H5Lget_info(at, part, &info, H5P_DEFAULT) < 0 ||
        info.type != H5L_TYPE_HARD)
      return -1;
  }
  return H5Oopen(at, path, H5P_DEFAULT);
}

static uint64_t size_of_file(hid_t object) {
  hsize_t size = 0;
  hid_t file = H5Iget_file_id(object);
  if (file >= 0) {
    if (H5Fget_filesize(file, &size) < 0) size = 0;
    H5Fclose(file);
  }
  return size;
}

// Whether a type is an integer or IEEE 754 number of a usual size, in any byte order.
static bool is_number(hid_t type, size_t *size) {
  *size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
  case H5T_INTEGER:
    return (*size == 1 || *size == 2 || *size == 4 || *size == 8) && H5Tget_precision(type) == 8 * *size &&
           H5Tget_offset(type) == 0;
  case H5T_FLOAT:
    return H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F32LE) > 0 ||
           H5Tequal(type, H5T_IEEE_F64BE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0;
  default: return false;
  }
}

// Whether the dataset is stored in this file, and an upper bound of its bytes. Only filters built into HDF5 are
// accepted, no plugins.
static bool stored_bytes(hid_t set, hid_t create, uint64_t *bytes) {
  hsize_t chunk[2] = {0, 1};
  uint64_t stored = H5Dget_storage_size(set), piece = 1;
  int filters = H5Pget_nfilters(create), rank = 0;
  H5D_layout_t layout = H5Pget_layout(create);
  if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) return false;
  if (H5Pget_external_count(create) != 0 || filters < 0 || stored > size_of_file(set)) return false;
  for (int i = 0; i < filters; i++) {
    unsigned flags, config;
    size_t none = 0;
    H5Z_filter_t filter = H5Pget_filter2(create, (unsigned)i, &flags, &none, NULL, 0, NULL, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32) return false;
  }
  *bytes = filters ? stored * MOST_INFLATED : stored;
  if (layout != H5D_CHUNKED) return true;
  rank = H5Pget_chunk(create, 2, chunk);
  for (int i = 0; i < rank && i < 2; i++) piece = chunk[i] > UINT32_MAX ? UINT64_MAX : piece * chunk[i];
  return rank <= 2 && (!filters || piece <= *bytes);
}

static bool measure_stored(StoredNumbers *s) {
  hsize_t size[2] = {0, 1};
  uint64_t bytes = 0;
  size_t each = 0;
  hid_t space = H5Dget_space(s->set), type = H5Dget_type(s->set), create = H5Dget_create_plist(s->set);
  int rank = space < 0 ? 0 : H5Sget_simple_extent_ndims(space);
  bool good = type >= 0 && create >= 0 && (rank == 1 || rank == 2) && is_number(type, &each) &&
              stored_bytes(s->set, create, &bytes) && H5Sget_simple_extent_dims(space, size, NULL) == rank &&
              size[1] > 0 && size[1] <= MOST_ROWS;
  if (good) { // limited to what the file can contain
    uint64_t rows = bytes / (each * size[1]);
    s->rank = rank, s->rows = (long)(size[0] < rows ? size[0] : rows), s->width = (int)size[1];
    good = s->rows <= MOST_ROWS;
  }
  if (create >= 0) H5Pclose(create);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return good;
}

static void numbers_close(StoredNumbers *s) {
  if (s->set >= 0) H5Dclose(s->set);
  *s = (StoredNumbers){.set = -1};
}

static bool numbers_open(hid_t file, const char *path, StoredNumbers *s) {
  *s = (StoredNumbers){.set = object_open(file, path)};
  if (s->set >= 0 && H5Iget_type(s->set) != H5I_DATASET) H5Oclose(s->set), s->set = -1;
  if (s->set >= 0 && !measure_stored(s)) numbers_close(s);
  return s->set >= 0;
}

// Reads columns `first` to `first + width - 1` of rows `from` to `from + count - 1`.
static bool numbers_read(const StoredNumbers *s, hid_t type, long from, long count, int first, int width, void *out) {
  hsize_t at[2] = {(hsize_t)from, (hsize_t)first}, size[2] = {(hsize_t)count, (hsize_t)width}, all = size[0] * size[1];
  if (s->set < 0 || from < 0 || count < 0 || count > s->rows - from || from > s->rows) return false;
  if (first < 0 || width < 1 || width > s->width - first) return false;
  if (!count) return true;
  // With the same shape in memory as in the file; otherwise HDF5 looks up the chunk of each number.
  hid_t space = H5Dget_space(s->set), memory = H5Screate_simple(s->rank, size, NULL);
  bool good = space >= 0 && memory >= 0 && H5Sget_simple_extent_ndims(space) == s->rank &&
              H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL) >= 0 && H5Sselect_valid(space) > 0 &&
              H5Sget_select_npoints(space) == (hssize_t)all &&
              H5Dread(s->set, type, memory, space, H5P_DEFAULT, out) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  return good;
}

// ---- texts ----

// The number of texts of variable length in a space; 0: it contains something else, or more than the file can contain.
static int count_texts(hid_t object, hid_t space, hid_t stored) {
  enum { REFERENCE = 8 }; // least bytes per text
  hssize_t n = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  if (n <= 0 || n > INT_MAX / 2 || stored < 0 || H5Tget_class(stored) != H5T_STRING) return 0;
  return H5Tis_variable_str(stored) > 0 && (uint64_t)n <= size_of_file(object) / REFERENCE ? (int)n : 0;
}

static hid_t text_type(hid_t stored) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5Tget_cset(stored));
  return type;
}

// Copies texts allocated by HDF5, and frees the originals.
static char **take_texts(char **read, int count, bool good, bool lines) {
  char **text = good ? calloc((size_t)count + 1, sizeof *text) : NULL;
  for (int i = 0; i < count; i++) {
    if (text && (text[i] = strdup(read[i] ? read[i] : ""))) text_clean(text[i], lines, ' ');
    good = good && text && text[i];
    if (read[i]) H5free_memory(read[i]);
  }
  free(read);
  if (good) return text;
  return texts_free(text, count), NULL;
}

static bool has_lines(const char *attribute) {
  return !strcmp(attribute, "remarks") || !strcmp(attribute, "mode_names") || !strcmp(attribute, "words") ||
         !strcmp(attribute, "changes");
}

char **attribute_texts(hid_t object, const char *name, int *count) {
  hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute), stored = attribute < 0 ? -1 : H5Aget_type(attribute);
  char **text = NULL;
  int n = count_texts(object, space, stored);
  if (n) {
    hid_t type = text_type(stored);
    char **read = calloc((size_t)n, sizeof *read);
    bool good = read && H5Aread(attribute, type, read) >= 0;
    text = read ? take_texts(read, good ? n : 0, good, has_lines(name)) : NULL;
    H5Tclose(type);
  }
  *count = text ? n : 0;
  if (stored >= 0) H5Tclose(stored);
  if (space >= 0) H5Sclose(space);
  if (attribute >= 0) H5Aclose(attribute);
  return text;
}

static char **dataset_texts(hid_t file, const char *path, int *count) {
  hid_t set = object_open(file, path), space = -1, stored = -1, create = -1;
  char **text = NULL;
  int n = 0;
  uint64_t bytes;
  if (set >= 0 && H5Iget_type(set) == H5I_DATASET)
    space = H5Dget_space(set), stored = H5Dget_type(set), create = H5Dget_create_plist(set);
  if (create >= 0 && stored_bytes(set, create, &bytes)) n = count_texts(set, space, stored);
  if (n) {
    hid_t type = text_type(stored);
    char **read = calloc((size_t)n, sizeof *read);
    bool good = read && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) >= 0;
    text = read ? take_texts(read, good ? n : 0, good, true) : NULL;
    H5Tclose(type);
  }
  *count = text ? n : 0;
  if (create >= 0) H5Pclose(create);
  if (stored >= 0) H5Tclose(stored);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Oclose(set);
  return text;
}

// Reads texts of fixed length, rows `from` to `from + count - 1`, each into `size` bytes including a zero.
static bool fixed_texts_read(hid_t file, const char *path, long from, long count, size_t size, char *out) {
  hsize_t at = (hsize_t)from, n = (hsize_t)count, rows = 0;
  hid_t set = object_open(file, path), space = -1, stored = -1, create = -1, memory = -1, type = H5Tcopy(H5T_C_S1);
  uint64_t bytes = 0;
  if (set >= 0 && H5Iget_type(set) == H5I_DATASET)
    space = H5Dget_space(set), stored = H5Dget_type(set), create = H5Dget_create_plist(set);
  bool good = stored >= 0 && create >= 0 && stored_bytes(set, create, &bytes) &&
              H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &rows, NULL) == 1 &&
              at <= rows && n <= rows - at && H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0;
  if (good) {
    memory = H5Screate_simple(1, &n, NULL);
    good = H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5Tget_cset(stored)) >= 0 &&
           H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &n, NULL) >= 0 &&
           H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
  }
  for (long i = 0; good && i < count; i++) text_clean(out + (size_t)i * size, false, ' ');
  if (memory >= 0) H5Sclose(memory);
  if (create >= 0) H5Pclose(create);
  if (stored >= 0) H5Tclose(stored);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Oclose(set);
  H5Tclose(type);
  return good;
}

// All numbers of an attribute, to be freed; NULL: none.
static double *attribute_reals(hid_t object, const char *name, int *count) {
  hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute), type = attribute < 0 ? -1 : H5Aget_type(attribute);
  hssize_t n = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  double *value = NULL;
  size_t each;
  bool good = n > 0 && type >= 0 && is_number(type, &each) && (uint64_t)n <= size_of_file(object) / each;
  if (good && n < INT_MAX / 2) value = malloc((size_t)n * sizeof *value);
  if (value && H5Aread(attribute, H5T_NATIVE_DOUBLE, value) < 0) free(value), value = NULL;
  *count = value ? (int)n : 0;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (attribute >= 0) H5Aclose(attribute);
  return value;
}

// Answers of the child process: one function per question of stored_questions.c.

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

// The dataset of a slot; opens it the first time.
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

enum { MOST_OBJECTS = 200000, DEPTH = 8 }; // depth: nested groups

typedef struct { // the visited group
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
