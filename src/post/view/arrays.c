// SPDX-License-Identifier: Apache-2.0
// Arrays of the page, one after the other, named in its JSON.
#include "post/view/view.h"

#include <math.h>
#include <string.h>

const char *const view_name = "view";

static const struct {
  const char *name;
  size_t size;
} types[] = {[VIEW_U16] = {"u16", 2}, [VIEW_I32] = {"i32", 4}, [VIEW_F32] = {"f32", 4}, [VIEW_F64] = {"f64", 8}};

static void append_array(ViewerPage *v, const char *name, ViewType type, size_t count, const void *values) {
  size_t size = count * types[type].size, before = (size_t)v->bytes.count, room = (size + 7) / 8 * 8;
  if (MemoryResize(before + room + 1, &v->bytes.data)) v->machine = true;
  if (v->machine) return;
  char *at = (char *)v->bytes.data + before;
  if (size) memcpy(at, values, size);
  memset(at + size, 0, room - size);
  v->bytes.count += (int)room;
  fprintf(v->json, "%s\"%s\":[\"%s\",%zu,%zu", before ? ",\n" : "", name, types[type].name, before, count);
}

void view_array(ViewerPage *v, const char *name, ViewType type, size_t count, const void *values) {
  append_array(v, name, type, count, values);
  fputs("]", v->json);
}

void view_quantised(ViewerPage *v, const char *name, size_t count, const double *values, double *step) {
  double lo = INFINITY, hi = -INFINITY;
  uint16_t *q = NULL;
  for (size_t i = 0; i < count; i++)
    if (isfinite(values[i])) lo = fmin(lo, values[i]), hi = fmax(hi, values[i]);
  if (!(lo <= hi)) lo = hi = 0;
  *step = (hi - lo) / 65535;
  if (MemoryNew((count + 1) * sizeof *q, &q)) v->machine = true;
  if (v->machine) return;
  for (size_t i = 0; i < count; i++)
    q[i] = *step > 0 && isfinite(values[i]) ? (uint16_t)((values[i] - lo) / *step + 0.5) : 0;
  append_array(v, name, VIEW_U16, count, q);
  fprintf(v->json, ",%.9g,%.9g]", lo, hi);
  memory_free(&q);
}
