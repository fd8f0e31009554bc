// SPDX-License-Identifier: Apache-2.0
#include "results/write/event_table.h"

#include "analyses/stepping/events.h"

#include <string.h>

enum { NAME, TIME, LOSS, TABLES };
enum { CHUNK = 32 }; // rows

static const char *const paths[TABLES] = {"/events/name", "/events/time", "/events/loss"};
static const char *const units[TABLES] = {"1", "s", "J"};
static const char *const about[TABLES] = {"which event", "when it happened", "energy that it took"};

struct EventTable {
  File *file;
  const Stepper *p;
  size_t length; // of a name
  hid_t type;    // of a name
  hid_t table[TABLES];
  hsize_t written;
};

// Whether the file has tables that grow. One of an older version may have arrays.
static bool has_tables(hid_t file) {
  if (H5Lexists(file, "/events", H5P_DEFAULT) <= 0) return false;
  bool good = true;
  for (int i = 0; i < TABLES && good; i++) {
    hid_t set = H5Lexists(file, paths[i], H5P_DEFAULT) > 0 ? H5Dopen2(file, paths[i], H5P_DEFAULT) : -1;
    hid_t create = set >= 0 ? H5Dget_create_plist(set) : -1;
    good = create >= 0 && H5Pget_layout(create) == H5D_CHUNKED;
    if (create >= 0) H5Pclose(create);
    if (set >= 0) H5Dclose(set);
  }
  return good;
}

PetscErrorCode EventTableCreate(File *f, const Stepper *p, EventTable **out) {
  EventTable *t;
  PetscFunctionBegin;
  *out = NULL;
  if (!p->events) PetscFunctionReturn(0);
  PetscCall(PetscNew(&t));
  *out = t;
  t->file = f, t->p = p, t->length = 1;
  for (int i = 0; i < p->events->count; i++)
    t->length = PetscMax(t->length, strlen(model_event(p->s->motion.layout.model, i)->name));
  H5Make(t->type, H5Tcopy(H5T_C_S1));
  H5Call(H5Tset_size(t->type, t->length));
  H5Call(H5Tset_strpad(t->type, H5T_STR_NULLPAD));
  H5Call(H5Tset_cset(t->type, H5T_CSET_UTF8));
  if (f->rank || (f->exists && has_tables(f->id))) PetscFunctionReturn(0);
  if (f->exists && H5Lexists(f->id, "/events", H5P_DEFAULT) > 0) H5Call(H5Ldelete(f->id, "/events", H5P_DEFAULT));
  PetscCall(FileGroup(f->id, "/events", "what happened on the way, a row each"));
  for (int i = 0; i < TABLES; i++)
    PetscCall(FileTableCreate(f->id, &(FileTable){.path = paths[i],
                                                  .width = 1,
                                                  .type = i == NAME ? t->type : H5T_IEEE_F64LE,
                                                  .chunk = CHUNK,
                                                  .units = units[i],
                                                  .description = about[i]}));
  PetscFunctionReturn(0);
}

PetscErrorCode EventTableOpen(EventTable *t) {
  hid_t space;
  PetscFunctionBegin;
  if (!t) PetscFunctionReturn(0);
  for (int i = 0; i < TABLES; i++) H5Make(t->table[i], H5Dopen2(t->file->id, paths[i], H5P_DEFAULT));
  H5Make(space, H5Dget_space(t->table[TIME]));
  H5Call(H5Sget_simple_extent_dims(space, &t->written, NULL));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteRows(EventTable *t, hsize_t total, const char *names, const double *numbers) {
  hsize_t count = total - t->written;
  PetscFunctionBegin;
  for (int i = 0; i < TABLES; i++) {
    FileRows rows = {.total = total,
                     .at = t->written,
                     .count = t->file->rank ? 0 : count,
                     .type = i == NAME ? t->type : H5T_NATIVE_DOUBLE,
                     .values = i == NAME ? (const void *)names : numbers,
                     .stride = i == NAME ? 1 : 2,
                     .first = i == LOSS,
                     .width = 1};
    PetscCall(FileWrite(t->file, t->table[i], &rows));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode EventTableWrite(EventTable *t, bool *any) {
  char *names;
  double *numbers; // time and loss of each
  PetscFunctionBegin;
  *any = t && (hsize_t)t->p->events->records > t->written;
  if (!*any) PetscFunctionReturn(0);
  hsize_t total = (hsize_t)t->p->events->records, count = total - t->written;
  PetscCall(PetscCalloc1((size_t)count * t->length + 1, &names));
  PetscCall(PetscMalloc1(2 * count, &numbers));
  for (hsize_t i = 0; i < count; i++) {
    const EventRecord *r = &t->p->events->record[t->written + i];
    const char *name = model_event(t->p->s->motion.layout.model, (int)r->event)->name;
    memcpy(names + i * t->length, name, strlen(name));
    numbers[2 * i] = r->time, numbers[2 * i + 1] = r->loss;
  }
  PetscCall(WriteRows(t, total, names, numbers));
  t->written = total;
  PetscCall(PetscFree(names));
  PetscCall(PetscFree(numbers));
  PetscFunctionReturn(0);
}

PetscErrorCode EventTableClose(EventTable *t) {
  PetscFunctionBegin;
  if (!t) PetscFunctionReturn(0);
  for (int i = 0; i < TABLES; i++) H5Call(H5Dclose(t->table[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode EventTableDestroy(EventTable **table) {
  PetscFunctionBegin;
  if (!*table) PetscFunctionReturn(0);
  H5Call(H5Tclose((*table)->type));
  PetscCall(PetscFree(*table));
  PetscFunctionReturn(0);
}
