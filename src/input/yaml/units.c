// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/units.h"

#include "base/field.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>

enum { CACHE_SIZE = 256, PROBES = 4 };

typedef struct {
  char from[64], to[64];
  bool known;
  UnitsResult result;
  Dimension dimension; // of `from`
  cv_converter *convert, *to_base;
} Conversion;

struct Units {
  ut_system *system;
  Conversion cache[CACHE_SIZE]; // by hash
};

// Names that UDUNITS does not know and engineers write.
static const char *const own[][2] = {{"deg", "degree"}, {"rev", "turn"}, {"Nm", "N m"}};

#ifdef LIMBER_UNITS // the database travels with the program and the library; the path is from their folder
#include <dlfcn.h>
#include <unistd.h>

static bool beside(const char *file, char *path, size_t size) {
  const char *end = strrchr(file, '/');
  if (!end) return false;
  snprintf(path, size, "%.*s%s", (int)(end + 1 - file), file, LIMBER_UNITS);
  return !access(path, R_OK);
}

// NULL: UDUNITS looks where it is installed.
const char *units_database(void) {
  static char path[4096];
  char program[4000];
  Dl_info at; // of the library, or of the program as it was called
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = 0;
  if (getenv("UDUNITS2_XML_PATH")) return NULL;
  if (dladdr(path, &at) && beside(at.dli_fname, path, sizeof path)) return path;
  return beside(program, path, sizeof path) ? path : NULL;
}
#else
const char *units_database(void) { return NULL; }
#endif

// The database, which is the same for all: it is read once, for that takes longer than most model files.
static Error FindSystem(ut_system **out) {
  static ut_system *system;
  *out = system;
  if (system) return 0;
  ut_set_error_message_handler(ut_ignore);
  system = ut_read_xml(units_database());
  ENSURE(system, ERROR_LIBRARY, "UDUNITS cannot read its database of units");
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
    ut_unit *unit = ut_parse(system, own[i][1], UT_ASCII);
    ENSURE(unit && ut_map_symbol_to_unit(own[i][0], UT_ASCII, unit) == UT_SUCCESS, ERROR_LIBRARY,
           "UDUNITS does not take the unit %s", own[i][0]);
    ut_free(unit);
  }
  *out = system;
  return 0;
}

static Error UnitsLoad(Units **units) {
  if (*units) return 0;
  TRY(MemoryNew(sizeof **units, units));
  TRY(FindSystem(&(*units)->system));
  return 0;
}

static void free_conversion(Conversion *c) {
  if (c->convert) cv_free(c->convert);
  if (c->to_base) cv_free(c->to_base);
  *c = (Conversion){0};
}

Error UnitsDestroy(Units **units) {
  if (!*units) return 0;
  for (int i = 0; i < CACHE_SIZE; i++) free_conversion(&(*units)->cache[i]);
  memory_free(units);
  return 0;
}

// ---- powers of the base units ----

static const char *const bases[BASES] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};

typedef struct {
  Dimension d;
  bool strange; // a logarithm: no power of base units
} Powers;

static void add_power(Powers *p, const ut_unit *base, int power) {
  const char *name = ut_get_symbol(base, UT_ASCII);
  for (int i = 0; name && i < BASES; i++)
    if (!strcmp(name, bases[i])) {
      p->d.power[i] += power;
      return;
    }
  p->strange = true;
}

static ut_status visit_basic(const ut_unit *unit, void *arg) {
  add_power(arg, unit, 1);
  return UT_SUCCESS;
}

static ut_status visit_product(const ut_unit *unit, int count, const ut_unit *const *base, const int *power,
                               void *arg) {
  (void)unit;
  for (int i = 0; i < count; i++) add_power(arg, base[i], power[i]);
  return UT_SUCCESS;
}

static ut_status visit_scaled(const ut_unit *unit, double scale, const ut_unit *under, double offset, void *arg);

static ut_status visit_time(const ut_unit *unit, const ut_unit *second, double origin, void *arg) {
  (void)unit, (void)second, (void)origin;
  ((Powers *)arg)->strange = true;
  return UT_SUCCESS;
}

static ut_status visit_log(const ut_unit *unit, double base, const ut_unit *reference, void *arg) {
  (void)unit, (void)base, (void)reference;
  ((Powers *)arg)->strange = true;
  return UT_SUCCESS;
}

static const ut_visitor visitor = {visit_basic, visit_product, visit_scaled, visit_time, visit_log};

static ut_status visit_scaled(const ut_unit *unit, double scale, const ut_unit *under, double offset, void *arg) {
  (void)unit, (void)scale, (void)offset;
  return ut_accept_visitor(under, &visitor, arg);
}

const char *dimension_text(const Dimension *d, char *text, size_t size) {
  snprintf(text, size, "%s", "");
  for (int i = 0; i < BASES; i++) {
    size_t used = strlen(text);
    if (d->power[i] == 1) snprintf(text + used, size - used, "%s%s", used ? " " : "", bases[i]);
    else if (d->power[i] != 0) snprintf(text + used, size - used, "%s%s%g", used ? " " : "", bases[i], d->power[i]);
  }
  if (!*text) snprintf(text, size, "1");
  return text;
}

// To UDUNITS a radian is a pure number, so that rpm and Hz would convert into each other, wrongly by 2 pi.
static bool confuses_revolutions(const Dimension *a, const Dimension *b) {
  for (int i = 0; i < RADIAN; i++)
    if (a->power[i] != (i == SECOND ? -1 : 0)) return false;
  return a->power[RADIAN] != b->power[RADIAN];
}

// ---- reading ----

// A decimal number, finite; the end of it, or NULL. What strtod knows besides (0x1p3, inf, nan) is no number here.
static const char *parse_number(const char *text, double *value) {
  char *end;
  const char *p = text + strspn(text, "+-");
  if (p - text > 1 || !(isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))) return NULL;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) return NULL;
  *value = strtod(text, &end);
  return isfinite(*value) ? end : NULL;
}

// Where the conversion is kept, or shall be.
static Conversion *find_cache_slot(Units *units, const char *from, const char *to) {
  unsigned h = 2166136261u;
  for (const char *p = from; *p; p++) h = (h ^ (unsigned char)*p) * 16777619u;
  for (const char *p = to; *p; p++) h = (h ^ (unsigned char)*p) * 16777619u;
  h ^= h >> 16;
  for (unsigned i = 0; i < PROBES; i++) {
    Conversion *c = &units->cache[(h + i) % CACHE_SIZE];
    if (!c->known || (!strcmp(c->from, from) && !strcmp(c->to, to))) return c;
  }
  return &units->cache[h % CACHE_SIZE];
}

// UDUNITS takes 10 Hz for 0.1 s, each the reciprocal of the other: no straight line.
static bool is_nonlinear(const cv_converter *c) {
  double a = cv_convert_double(c, 1), b = cv_convert_double(c, 2), d = cv_convert_double(c, 3);
  return fabs(d - 2 * b + a) > 1e-9 * (fabs(a) + fabs(d));
}

// How one unit becomes another. A file uses few units many times: what was found is kept.
static Error FindConversion(Units **units, const char *from, const char *to, const Conversion **out) {
  char text[sizeof(*units)->cache[0].from], base[80];
  TRY(UnitsLoad(units));
  Conversion *c = find_cache_slot(*units, from, to);
  *out = c;
  if (c->known && !strcmp(c->from, from) && !strcmp(c->to, to)) return 0;
  free_conversion(c);
  c->result = UNITS_UNKNOWN;
  if (strlen(from) >= sizeof c->from || strlen(to) >= sizeof c->to) return 0;
  c->known = true;
  strcpy(c->from, from), strcpy(c->to, to);
  strcpy(text, from);
  ut_trim(text, UT_UTF8);
  ut_unit *a = ut_parse((*units)->system, text, UT_UTF8), *b = ut_parse((*units)->system, to, UT_UTF8);
  ENSURE(b, ERROR_PROGRAM, "the unit '%s' of a field table is unknown to UDUNITS", to);
  Powers p = {.strange = false}, q = {.strange = false};
  if (a) ut_accept_visitor(a, &visitor, &p);
  ut_accept_visitor(b, &visitor, &q);
  c->dimension = p.d;
  ut_unit *si = ut_parse((*units)->system, dimension_text(&p.d, base, sizeof base), UT_UTF8);
  c->convert = a && !p.strange ? ut_get_converter(a, b) : NULL;
  c->to_base = a && si && !p.strange ? ut_get_converter(a, si) : NULL;
  if (!c->to_base) c->result = UNITS_UNKNOWN;
  else if (!c->convert || is_nonlinear(c->convert)) c->result = UNITS_DIMENSION;
  else if (confuses_revolutions(&p.d, &q.d)) c->result = UNITS_REVOLUTION;
  else c->result = UNITS_GOOD;
  ut_free(a), ut_free(b), ut_free(si);
  return 0;
}

// A number and the text of its unit, if that can be one.
static UnitsResult split_unit(const char *text, double *value, const char **unit) {
  *unit = "";
  const char *rest = parse_number(text, value);
  if (!rest) return UNITS_NO_NUMBER;
  bool apart = *rest == ' ' || *rest == '\t';
  rest += strspn(rest, " \t");
  *unit = rest;
  if (apart && !strncmp(rest, "1/", 2) && isalpha((unsigned char)rest[2])) return UNITS_GOOD; // 0.1 1/s
  // UDUNITS would calculate with what is no unit
  return *rest && strchr("0123456789+-.,;:@#^*/()[]<>=!&|?", *rest) ? UNITS_UNKNOWN : UNITS_GOOD;
}

Error UnitsRead(Units **units, const char *text, const char *si, double *value, const char **unit,
                UnitsResult *result) {
  const Conversion *c;
  Dimension any;
  if (!strcmp(si, UNIT_ANY)) return UnitsReadAny(units, text, value, &any, unit, result);
  *result = split_unit(text, value, unit);
  if (*result != UNITS_GOOD || !**unit) return 0;
  TRY(FindConversion(units, *unit, *si ? si : "1", &c));
  *result = c->result;
  if (*result != UNITS_GOOD) return 0;
  *value = cv_convert_double(c->convert, *value);
  if (!isfinite(*value)) *result = UNITS_NO_NUMBER;
  return 0;
}

Error UnitsReadAny(Units **units, const char *text, double *value, Dimension *dimension, const char **unit,
                   UnitsResult *result) {
  const Conversion *c;
  *dimension = (Dimension){{0}};
  *result = split_unit(text, value, unit);
  if (*result != UNITS_GOOD || !**unit) return 0;
  TRY(FindConversion(units, *unit, "1", &c));
  *result = c->result;
  if (*result == UNITS_UNKNOWN) return 0;
  *dimension = c->dimension;
  *value = cv_convert_double(c->to_base, *value);
  *result = isfinite(*value) ? UNITS_GOOD : UNITS_NO_NUMBER;
  return 0;
}

Error UnitsCompare(Units **units, const char *unit, const char *si, UnitsResult *result) {
  const Conversion *c;
  TRY(FindConversion(units, unit, *si ? si : "1", &c));
  *result = c->result;
  return 0;
}

Error UnitsDimension(Units **units, const char *unit, Dimension *out) {
  const Conversion *c;
  TRY(FindConversion(units, *unit ? unit : "1", "1", &c));
  *out = c->dimension;
  return 0;
}
