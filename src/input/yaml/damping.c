// SPDX-License-Identifier: Apache-2.0
// The damping of an element: a time of its stiffness, as a number; or a map, of that time and a rate of its mass, or of the
// ratio of critical damping z at one frequency w or at two,
//   stiffness:       eta = 2 z/w
//   both (Rayleigh): eta = 2 z/(w1 + w2),  alpha = 2 z w1 w2/(w1 + w2),
// so that (alpha/w + eta w)/2 = z there.
// Equations: eq-law-rayleigh (9.5).
#include "input/yaml/fields.h"
#include "input/yaml/number.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "mechanics/element.h"

static const double two_pi = 6.283185307179586;

// One frequency or two, in Hz; `count` is 0 after a mistake.
static Error ReadFrequencies(Reader *r, const Tree *t, double *w, int *count) {
  bool list = t->kind == TREE_LIST, good = true;
  *count = 0;
  if (list && t->count != 1 && t->count != 2) {
    TRY(ReportError(r, t->at, "'at' of a damping is one frequency or a list of two, not of %d", t->count));
    return 0;
  }
  int n = list ? t->count : 1;
  for (int i = 0; i < n; i++) {
    const Tree *entry = list ? t->entry[i] : t;
    bool read;
    TRY(ReadNumber(r, "at", entry, "Hz", &w[i], &read));
    good = good && read;
    if (!read || w[i] > 0) continue;
    good = false;
    TRY(ReportError(r, entry->at, "a frequency must be positive, not %g Hz", w[i]));
  }
  for (int i = 0; i < n; i++) w[i] *= two_pi;
  if (good) *count = n;
  return 0;
}

// The map of a ratio: `out` gets the time of the stiffness and the rate of the mass.
static Error ReadRatio(Reader *r, FieldValue *v, const ElementDamping *d, double out[2]) {
  const Tree *ratio = tree_find(v->tree, "ratio"), *at = tree_find(v->tree, "at");
  double w[2];
  int count = 0;
  if (!(d->ratio >= 0 && d->ratio < 1)) {
    v->good = false;
    TRY(ReportError(r, ratio->at,
                    d->ratio < 0 ? "negative damping would create energy"
                                 : "'ratio' is a part of critical damping, from 0 to below 1; 5 %% is 0.05, not %g",
                    d->ratio));
    return 0;
  }
  TRY(ReadFrequencies(r, at, w, &count));
  v->good = v->good && count > 0;
  if (count == 1) out[0] = 2 * d->ratio / w[0];
  if (count == 2) out[0] = 2 * d->ratio / (w[0] + w[1]), out[1] = out[0] * w[0] * w[1];
  return 0;
}

// What a map lacks or has too much of; NULL: nothing.
static const char *wrong_fields(const Form *f) {
  bool ratio = form_given(f, "ratio"), at = form_given(f, "at"),
       rates = form_given(f, "stiffness") || form_given(f, "mass");
  if (ratio && rates) return "damping has a 'ratio' with 'at', or 'stiffness' and 'mass', not both";
  if (ratio && !at)
    return "'ratio' needs 'at', the frequency or two at which it holds: the ratio of other frequencies follows";
  if (at && !ratio) return "'at' needs 'ratio', the part of critical damping at these frequencies";
  return ratio || rates ? NULL : "damping needs a 'ratio' with 'at', or 'stiffness' or 'mass'";
}

Error ReadDampingField(Reader *r, FieldValue *v, void *structure) {
  double out[2] = {0, 0};
  ElementDamping d;
  Form form = {v->field->more->fields, &d, 0, 0, 0};
  bool good;
  if (v->tree->kind != TREE_MAP) return ReadReal(r, v, v->tree, 0, structure);
  const Tree *ratio = tree_find(v->tree, "ratio");
  if (ratio && ratio->kind == TREE_LIST) {
    v->good = false;
    TRY(ReportError(
        r, ratio->at,
        "'ratio' is one number: ratios mode by mode would couple every node of the model to every other. Give "
        "one ratio at two frequencies; between them the ratio is smaller"));
    return 0;
  }
  TRY(FormsRead(r, v->field->name, v->tree->at, v->tree, 1, &form, &good));
  v->good = v->good && good;
  const char *wrong = good ? wrong_fields(&form) : NULL;
  if (wrong) TRY(ReportError(r, v->tree->at, "%s", wrong));
  if (wrong || !good) {
    v->good = false;
    return 0;
  }
  if (form_given(&form, "ratio")) TRY(ReadRatio(r, v, &d, out));
  else out[0] = d.stiffness, out[1] = d.mass;
  if (v->good && (out[0] < 0 || out[1] < 0)) {
    v->good = false;
    TRY(ReportError(r, v->tree->at, "negative damping would create energy"));
  }
  if (v->good && v->field->count < 2 && out[1] != 0) {
    v->good = false;
    TRY(ReportError(r, v->tree->at,
                    "what has no mass has no damping of it: give 'ratio' with one frequency, or 'stiffness' alone"));
  }
  if (!v->good) return 0;
  double *to = structure;
  to[0] = out[0];
  if (v->field->count > 1) to[1] = out[1];
  return 0;
}
