// SPDX-License-Identifier: Apache-2.0
#include "input/units.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>

struct Units {
  ut_system *system;
};

// Names that UDUNITS does not know and engineers write.
static const char *const own[][2] = {{"deg", "degree"}, {"rev", "turn"}, {"Nm", "N m"}};

static Error UnitsLoad(Units **units) {
  if (*units) return 0;
  TRY(MemoryNew(sizeof **units, units));
  ut_set_error_message_handler(ut_ignore);
  (*units)->system = ut_read_xml(NULL);
  ENSURE((*units)->system, ERROR_LIBRARY, "UDUNITS cannot read its database of units");
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
    ut_unit *unit = ut_parse((*units)->system, own[i][1], UT_ASCII);
    ENSURE(unit && ut_map_symbol_to_unit(own[i][0], UT_ASCII, unit) == UT_SUCCESS, ERROR_LIBRARY,
           "UDUNITS does not take the unit %s", own[i][0]);
    ut_free(unit);
  }
  return 0;
}

Error UnitsDestroy(Units **units) {
  if (!*units) return 0;
  ut_free_system((*units)->system);
  memory_free(units);
  return 0;
}

// ---- powers of the base units ----

enum { BASES = 12 };

typedef struct {
  const char *name[BASES];
  int power[BASES], count;
} Powers;

static void add_power(Powers *p, const ut_unit *base, int power) {
  const char *name = ut_get_symbol(base, UT_ASCII);
  if (!name) name = ut_get_name(base, UT_ASCII);
  if (p->count < BASES && power) p->name[p->count] = name ? name : "?", p->power[p->count++] = power;
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
  (void)unit, (void)origin;
  add_power(arg, second, 1);
  return UT_SUCCESS;
}

static ut_status visit_log(const ut_unit *unit, double base, const ut_unit *reference, void *arg) {
  (void)unit, (void)base, (void)reference, (void)arg;
  return UT_SUCCESS;
}

static const ut_visitor visitor = {visit_basic, visit_product, visit_scaled, visit_time, visit_log};

static ut_status visit_scaled(const ut_unit *unit, double scale, const ut_unit *under, double offset, void *arg) {
  (void)unit, (void)scale, (void)offset;
  return ut_accept_visitor(under, &visitor, arg);
}

static int power_of(const Powers *p, const char *name) {
  for (int i = 0; i < p->count; i++)
    if (!strcmp(p->name[i], name)) return p->power[i];
  return 0;
}

// To UDUNITS a radian is a pure number, so that rpm and Hz would convert into each other, wrongly by 2 pi.
static bool confuses_revolutions(const ut_unit *a, const ut_unit *b) {
  Powers p = {.count = 0}, q = {.count = 0};
  ut_accept_visitor(a, &visitor, &p);
  ut_accept_visitor(b, &visitor, &q);
  bool rate = power_of(&p, "s") == -1 && p.count - (power_of(&p, "rad") != 0) == 1;
  return rate && power_of(&p, "rad") != power_of(&q, "rad");
}

// ---- reading ----

// A decimal number, finite; the end of it, or NULL. What strtod knows besides (0x1p3, inf, nan) is no number here.
static const char *number(const char *text, double *value) {
  char *end;
  const char *p = text + strspn(text, "+-");
  if (p - text > 1 || !(isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))) return NULL;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) return NULL;
  *value = strtod(text, &end);
  return isfinite(*value) ? end : NULL;
}

static Error Convert(Units **units, const char *from, const char *to, double *value, UnitsResult *result) {
  char text[128];
  TRY(UnitsLoad(units));
  *result = UNITS_UNKNOWN;
  if (strlen(from) >= sizeof text) return 0;
  strcpy(text, from);
  ut_trim(text, UT_UTF8);
  ut_unit *a = ut_parse((*units)->system, text, UT_UTF8), *b = ut_parse((*units)->system, to, UT_UTF8);
  ENSURE(b, ERROR_PROGRAM, "the unit '%s' of a field table is unknown to UDUNITS", to);
  cv_converter *convert = a ? ut_get_converter(a, b) : NULL;
  if (!a) *result = UNITS_UNKNOWN;
  else if (!convert) *result = UNITS_DIMENSION;
  else if (confuses_revolutions(a, b)) *result = UNITS_REVOLUTION;
  else *result = UNITS_GOOD, *value = cv_convert_double(convert, *value);
  if (convert) cv_free(convert);
  ut_free(a), ut_free(b);
  return 0;
}

Error UnitsRead(Units **units, const char *text, const char *si, double *value, const char **unit,
                UnitsResult *result) {
  *unit = "";
  const char *rest = number(text, value);
  if (!rest) {
    *result = UNITS_NO_NUMBER;
    return 0;
  }
  rest += strspn(rest, " \t");
  *unit = rest, *result = UNITS_GOOD;
  if (!*rest) return 0;
  *result = UNITS_UNKNOWN;
  if (strchr("0123456789+-.,;:@#^*/()[]", *rest)) return 0; // UDUNITS would calculate with it
  TRY(Convert(units, rest, *si ? si : "1", value, result));
  if (*result == UNITS_GOOD && !isfinite(*value)) *result = UNITS_NO_NUMBER;
  return 0;
}

Error UnitsDimension(Units **units, const char *unit, char *text, size_t size) {
  Powers p = {.count = 0};
  TRY(UnitsLoad(units));
  ut_unit *u = ut_parse((*units)->system, *unit ? unit : "1", UT_UTF8);
  if (u) ut_accept_visitor(u, &visitor, &p);
  ut_free(u);
  snprintf(text, size, "%s", p.count ? "" : "a pure number");
  for (int i = 0; i < p.count; i++) {
    size_t used = strlen(text);
    const char *gap = i ? " " : "";
    if (p.power[i] == 1) snprintf(text + used, size - used, "%s%s", gap, p.name[i]);
    else snprintf(text + used, size - used, "%s%s%d", gap, p.name[i], p.power[i]);
  }
  return 0;
}
