// SPDX-License-Identifier: Apache-2.0
// Boxes of wind in the binary full-field form of TurbSim (.bts), in the order of bytes of x86:
//   i2 7 or 8 (periodic); i4 points upwards, across, of the tower, times; f4 distance upwards, across, step, mean speed,
//   height of the hub, height of the lowest points; f4 slope and offset of the three components; i4 letters, the text;
//   then for each time i2 of all points, component by component, and those of the tower:  v = (i - offset)/slope.
#include "input/yaml/turbsim.h"

#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/wind_file.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const unsigned char *byte;
  size_t length, at;
} Bytes;

static long long next_integer(Bytes *b, int size) {
  unsigned long long x = 0;
  if (b->at + (size_t)size > b->length) {
    b->at = b->length + 1;
    return 0;
  }
  for (int i = 0; i < size; i++) x |= (unsigned long long)b->byte[b->at++] << (8 * i);
  return size == 2 ? (short)x : (int)(unsigned)x;
}

static double next_real(Bytes *b) {
  unsigned bits = (unsigned)next_integer(b, 4);
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

typedef struct {
  long long across, upwards, tower, times;
  double slope[3], offset[3];
} Header;

static bool is_positive(double x) { return x > 0 && x < HUGE_VAL; }

// Fills the numbers of the box; returns what is wrong, or NULL.
static const char *read_header(Bytes *b, Header *h, LimberWindBox *out) {
  long long id = next_integer(b, 2), letters;
  h->upwards = next_integer(b, 4), h->across = next_integer(b, 4), h->tower = next_integer(b, 4);
  h->times = next_integer(b, 4);
  out->spacing[1] = next_real(b), out->spacing[0] = next_real(b), out->step = next_real(b), out->speed = next_real(b);
  next_real(b); // height of the hub
  out->bottom = next_real(b);
  for (int k = 0; k < 3; k++) h->slope[k] = next_real(b), h->offset[k] = next_real(b);
  letters = next_integer(b, 4);
  if (b->at > b->length || (id != 7 && id != 8))
    return "it is no full-field file of TurbSim: it does not begin with 7 or 8";
  if (h->across < 1 || h->upwards < 1 || h->tower < 0 || h->times < 1) return "it has no points or no times";
  if (h->across > LIMIT_WIND_SIDE || h->upwards > LIMIT_WIND_SIDE || h->tower > LIMIT_WIND_SIDE)
    return "it has more than 10000 points on a side of its grid";
  if (letters < 0 || (size_t)letters > b->length - b->at) return "it ends within its description";
  b->at += (size_t)letters;
  if (h->across == 1) out->spacing[0] = 1;
  if (h->upwards == 1) out->spacing[1] = 1;
  if (!is_positive(out->spacing[0]) || !is_positive(out->spacing[1]) || !is_positive(out->step) ||
      !is_positive(out->speed) || !isfinite(out->bottom))
    return "its distances, step and mean speed must be positive";
  for (int k = 0; k < 3; k++)
    if (!isfinite(h->offset[k]) || !isfinite(1 / h->slope[k])) return "its velocities have no scale";
  out->periodic = id == 8, out->across = (int)h->across, out->upwards = (int)h->upwards;
  return NULL;
}

// Fills the structure; returns what is wrong in `text`, or an empty one.
static Error ReadBox(Reader *r, const char *bytes, size_t length, LimberWindBox *out, char *text, size_t size) {
  Bytes b = {(const unsigned char *)bytes, length, 0};
  Header h;
  double *value;
  const char *wrong = read_header(&b, &h, out);
  snprintf(text, size, "%s", wrong ? wrong : "");
  if (wrong) return 0;
  long long points = h.across * h.upwards, all = points + h.tower, found = (long long)(length - b.at) / (6 * all);
  if (found < h.times || points > LIMIT_WIND_POINTS / h.times) {
    if (found < h.times) snprintf(text, size, "it ends after %lld of %lld times", found, h.times);
    else
      snprintf(text, size, "it has %lld points at %lld times; together they may be %d", points, h.times,
               LIMIT_WIND_POINTS);
    return 0;
  }
  TRY(StoreAllocate(&r->store, (size_t)(3 * points * h.times) * sizeof *value, &value));
  out->velocity = value, out->rows = (int)(points * h.times);
  for (long long t = 0; t < h.times; t++, b.at += (size_t)(6 * h.tower))
    for (long long i = 0; i < points; i++)
      for (int k = 0; k < 3; k++) *value++ = ((double)next_integer(&b, 2) - h.offset[k]) / h.slope[k];
  return 0;
}

Error ReadWindFile(Reader *r, FieldValue *v) {
  WindFile f;
  Form form = {wind_file.fields, &f, 0, 0, 0};
  const char *path, *bytes;
  char wrong[200];
  size_t length = 0;
  TRY(FormsRead(r, "a file of wind", v->tree->at, v->tree, 1, &form, &v->good));
  if (!v->good) return 0;
  const Tree *word = tree_find(v->tree, "turbsim");
  TRY(ReadSource(r, word, &path, &bytes, &length));
  v->good = bytes != NULL;
  if (!bytes) return 0;
  TRY(CountScanned(r, word, (long long)length, &v->good));
  if (!v->good) return 0;
  TRY(UnpackSource(&r->store, &bytes, &length));
  TRY(ReadBox(r, bytes, length, (LimberWindBox *)v->structure, wrong, sizeof wrong));
  v->good = !*wrong;
  if (*wrong) TRY(ReportError(r, word->at, "'%s': %s", path, wrong));
  return 0;
}

Error CompleteWindBox(Reader *r, const Tree *fields, const Form *form, bool *good) {
  static const char *const of_file[] = {"across", "upwards", "spacing", "bottom", "step", "speed", "periodic"};
  const Tree *velocity = tree_find(fields, "velocity");
  if (!velocity || velocity->kind != TREE_MAP) return 0;
  for (size_t i = 0; i < sizeof of_file / sizeof *of_file; i++)
    if (form_given(form, of_file[i])) {
      *good = false;
      TRY(ReportError(r, tree_find(fields, of_file[i])->at, "'%s' is given by the file of 'velocity': leave it out",
                      of_file[i]));
    }
  return 0;
}

Error CheckWinds(Reader *r) {
  const Names *names = part_names(r, &part_elements);
  for (int i = 0; i < r->model->winds.count; i++) {
    const ModelWind *w = model_wind(r->model, i);
    const WindBox *b = w->wind->box;
    const char *name = model_component(r->model, w->component)->name;
    const Name *n = name ? names_find(names, name) : NULL;
    if (!b || b->periodic || !n) continue;
    double margin = 0.5 * (b->count[0] - 1) * b->spacing[0] / b->speed;
    double end = (b->steps - 1) * b->step - b->lead - margin;
    if (r->in->end > end * (1 + 1e-12))
      TRY(ReportError(
          r, n->at,
          "the box of wind '%s' lasts until %.6g s of the run, which ends at %.6g s: end it earlier, or take "
          "a longer or periodic box",
          name, end, r->in->end));
  }
  return 0;
}
