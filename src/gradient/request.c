// SPDX-License-Identifier: Apache-2.0
// What is asked for: quantities such as max(tip.z) and tip.z@end, and parameters.
#include "gradient/gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *word;
  GradientOf of;
} OfWord;
static const OfWord words[] = {
    {"max", OF_MAX},   {"min", OF_MIN},       {"mean", OF_MEAN},           {"rms", OF_RMS},
    {"norm", OF_NORM}, {"static", OF_STATIC}, {"frequency", OF_FREQUENCY}, {"damping", OF_DAMPING}};
enum { WORDS = sizeof words / sizeof words[0] };

static const char forms[] =
    "write COLUMN@end, COLUMN@TIME, max(COLUMN), min(..), mean(..), rms(..), norm(COLUMN, P), "
    "static(COLUMN), frequency(MODE) or damping(MODE), with the number or the name of a mode, or mass";

GradientAnalysis gradient_analysis(GradientOf of) {
  if (of == OF_MASS) return IN_MODEL;
  return of == OF_STATIC ? IN_EQUILIBRIUM : of == OF_FREQUENCY || of == OF_DAMPING ? IN_MODES : IN_RUN;
}

// A number and nothing else but blanks, "s" where seconds are meant.
static bool take_number(const char *text, bool seconds, double *out) {
  char *end;
  *out = strtod(text, &end);
  if (end == text || !isfinite(*out)) return false;
  end += strspn(end, " ");
  if (seconds && *end == 's') end++;
  return end[strspn(end, " ")] == 0;
}

static void copy_trimmed(char *to, size_t size, const char *from, size_t length) {
  while (length && *from == ' ') from++, length--;
  while (length && from[length - 1] == ' ') length--;
  snprintf(to, size, "%.*s", (int)length, from);
}

// COLUMN@end or COLUMN@TIME
static bool parse_moment(GradientQuantity *q, const char *at) {
  copy_trimmed(q->column, sizeof q->column, q->text, (size_t)(at - q->text));
  q->of = strcmp(at + 1, "end") ? OF_TIME : OF_END;
  return q->column[0] && (q->of == OF_END || (take_number(at + 1, true, &q->number) && q->number >= 0));
}

// What is in the brackets: a mode, or a column and the exponent of a norm.
static bool parse_inside(GradientQuantity *q, const char *inside) {
  const char *comma = strrchr(inside, ',');
  double number;
  if (gradient_analysis(q->of) == IN_MODES) {
    if (take_number(inside, false, &number)) {
      q->mode = (int)number - 1;
      return number >= 1 && number <= 10000 && number == floor(number);
    }
    q->mode = -1;
    copy_trimmed(q->column, sizeof q->column, inside, strlen(inside));
    return q->column[0] != 0;
  }
  if ((q->of == OF_NORM) != (comma != NULL)) return false;
  copy_trimmed(q->column, sizeof q->column, inside, comma ? (size_t)(comma - inside) : strlen(inside));
  return q->column[0] && (!comma || (take_number(comma + 1, false, &q->number) && q->number >= 1));
}

bool parse_quantity(const char *text, GradientQuantity *out, Refusal *wrong) {
  const char *at, *open;
  bool good = strlen(text) < sizeof out->column;
  *out = (GradientQuantity){.mode = 0};
  snprintf(out->text, sizeof out->text, "%s", text);
  at = strrchr(out->text, '@'), open = strchr(out->text, '(');
  if (good && open) {
    char inside[sizeof out->text], name[20];
    size_t length = strlen(open + 1);
    int k = 0;
    copy_trimmed(name, sizeof name, out->text, (size_t)(open - out->text));
    while (k < WORDS && strcmp(words[k].word, name)) k++;
    good = k < WORDS && length > 1 && open[length] == ')';
    if (good) {
      out->of = words[k].of;
      copy_trimmed(inside, sizeof inside, open + 1, length - 1);
      good = parse_inside(out, inside);
    }
  } else if (good && !strcmp(out->text, "mass")) out->of = OF_MASS;
  else good = good && at && parse_moment(out, at);
  if (!good) refuse(wrong, "'%s' is no quantity: %s", text, forms);
  return good;
}

static const InputParameter *find_parameter(const Input *in, const char *name) {
  for (int i = 0; i < in->parameters; i++)
    if (!strcmp(in->parameter[i].name, name)) return &in->parameter[i];
  return NULL;
}

bool parse_parameter(const Input *in, const char *text, GradientParameter *out, Refusal *wrong) {
  const char *equals = strchr(text, '='), *name = strncmp(text, "let.", 4) ? text : text + 4;
  char *unit;
  *out = (GradientParameter){.value = 0};
  if (strlen(text) >= sizeof out->path) return refuse(wrong, "the parameter '%.60s...' is too long", text), false;
  if (equals) {
    copy_trimmed(out->path, sizeof out->path, text, (size_t)(equals - text));
    out->value = strtod(equals + 1, &unit);
    copy_trimmed(out->unit, sizeof out->unit, unit, strlen(unit));
    if (unit != equals + 1 && isfinite(out->value) && strchr(out->path, '.')) return true;
    return refuse(wrong, "'%s' needs a field and a number, such as springs.k.stiffness=2 kN/m", text), false;
  }
  const InputParameter *p = find_parameter(in, name);
  if (p) {
    snprintf(out->path, sizeof out->path, "let.%s", name);
    snprintf(out->unit, sizeof out->unit, "%s", p->unit);
    out->value = p->value;
    return true;
  }
  refuse(wrong, "'%s' is no number of `let`", text);
  for (int i = 0; i < in->parameters; i++) refuse_also(wrong, "%s%s", i ? ", " : "; there are ", in->parameter[i].name);
  refuse_also(wrong, ". Give any other field with its value: %s=VALUE", strchr(text, '.') ? text : "PATH");
  return false;
}

void parameter_change(const GradientParameter *p, double value, char *out, size_t size) {
  snprintf(out, size, "%s=%.17g%s%s", p->path, value, p->unit[0] ? " " : "", p->unit);
}
