// SPDX-License-Identifier: Apache-2.0
// Saved states, and their bytes.
#include "fmu/module/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void copy_values(double **to, const double *from, size_t count) {
  memcpy(*to, from, count * sizeof *from);
  *to += count;
}

void take_values(const double **from, double *to, size_t count) {
  memcpy(to, *from, count * sizeof *to);
  *from += count;
}

void saved_free(SavedState **state) {
  if (!*state) return;
  free((*state)->part[0]), free((*state)->part[1]);
  free((*state)->value);
  free(*state);
  *state = NULL;
}

SavedState *saved_prepare(Instance *c, SavedState **state) {
  if (*state) return *state;
  *state = calloc(1, sizeof **state);
  if (*state) (*state)->value = calloc(((const Base *)c)->saved + 1, sizeof(double));
  if (*state && !(*state)->value) saved_free(state);
  return *state;
}

// The bytes of a state: this head, the values, the run and the record.
typedef struct {
  char mark[16];
  uint64_t check; // of all bytes after it
  uint64_t token, size, values, run, record;
  double time;
  int32_t phase, failed, flag, has_run;
} StateHead;

static const char mark[16] = "LimberFMUstate1";

static uint64_t key_of(const void *bytes, size_t size) { // FNV-1a
  uint64_t key = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) key = (key ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return key;
}

static uint64_t token_key(const Instance *c) {
  return key_of(((const Base *)c)->has.token, strlen(((const Base *)c)->has.token));
}

static uint64_t state_check(const void *bytes, size_t size) {
  enum { AFTER = offsetof(StateHead, token) };
  return key_of((const char *)bytes + AFTER, size - AFTER);
}

static size_t size_of(const Instance *c, const SavedState *s) {
  return sizeof(StateHead) + ((const Base *)c)->saved * sizeof(double) +
         (s->has_run ? s->part_size[0] + s->part_size[1] : 0);
}

Status saved_size(Instance *c, const SavedState *s, size_t *size) {
  if (!s) return instance_refuse(c, "there is no state");
  *size = size_of(c, s);
  return STATUS_OK;
}

Status saved_write(Instance *c, const SavedState *s, void *bytes, size_t size) {
  if (!s || size < size_of(c, s)) return instance_refuse(c, "the state needs more room than %zu bytes", size);
  StateHead head = {.token = token_key(c),
                    .size = size_of(c, s),
                    .values = ((const Base *)c)->saved,
                    .run = s->has_run ? s->part_size[0] : 0,
                    .record = s->has_run ? s->part_size[1] : 0,
                    .time = s->time,
                    .phase = (int32_t)s->phase,
                    .failed = s->failed,
                    .flag = s->flag,
                    .has_run = s->has_run};
  memcpy(head.mark, mark, sizeof mark);
  char *at = bytes;
  memcpy(at, &head, sizeof head), at += sizeof head;
  memcpy(at, s->value, head.values * sizeof(double)), at += head.values * sizeof(double);
  if (head.run) memcpy(at, s->part[0], head.run), at += head.run;
  if (head.record) memcpy(at, s->part[1], head.record);
  head.check = state_check(bytes, head.size);
  memcpy(bytes, &head, sizeof head);
  return STATUS_OK;
}

static bool head_fits(const Instance *c, const StateHead *h, size_t size) {
  if (memcmp(h->mark, mark, sizeof mark) || h->token != token_key(c) || h->values != ((const Base *)c)->saved)
    return false;
  if (h->size > size || h->run > size || h->record > size || h->phase < MADE || h->phase > ENDED) return false;
  if (!isfinite(h->time) || (h->has_run != 0) != (h->run != 0)) return false;
  return h->size == sizeof *h + h->values * sizeof(double) + h->run + h->record;
}

static bool copy_bytes(void **to, size_t *size, const char **from, size_t count) {
  if (!count) return true;
  *to = malloc(count), *size = count;
  if (*to) memcpy(*to, *from, count);
  *from += count;
  return *to != NULL;
}

Status saved_read(Instance *c, const void *bytes, size_t size, SavedState **state) {
  StateHead head;
  *state = NULL;
  if (size >= sizeof head) memcpy(&head, bytes, sizeof head);
  if (size < sizeof head || !head_fits(c, &head, size) || head.check != state_check(bytes, head.size))
    return instance_refuse(c, "these bytes are not a state of this FMU");
  SavedState *s = saved_prepare(c, state);
  const char *at = (const char *)bytes + sizeof head;
  if (!s) return instance_refuse(c, "out of memory");
  s->phase = (Phase)head.phase, s->time = head.time, s->failed = head.failed != 0, s->flag = head.flag != 0;
  s->has_run = head.has_run != 0;
  memcpy(s->value, at, head.values * sizeof(double)), at += head.values * sizeof(double);
  if (!copy_bytes(&s->part[0], &s->part_size[0], &at, head.run) ||
      !copy_bytes(&s->part[1], &s->part_size[1], &at, head.record)) {
    saved_free(state);
    return instance_refuse(c, "out of memory");
  }
  return STATUS_OK;
}
