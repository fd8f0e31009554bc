// SPDX-License-Identifier: Apache-2.0
#include "fmu/read/xml_reader.h"

#include <expat.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNITS = 10000 };

void xml_stop(XmlReader *x, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!is_refused(x->wrong))
    refuse(x->wrong, "%s, line %lu: %s", x->file, (unsigned long)XML_GetCurrentLineNumber(x->parser), text);
  XML_StopParser(x->parser, XML_FALSE);
}

const char *xml_above(const XmlReader *x) { return x->depth ? x->path[x->depth - 1] : ""; }

bool xml_make_room(XmlReader *x, size_t size, int count, int most, int *room, void *array) {
  if (x->error || is_refused(x->wrong)) return false;
  if (count >= most) return xml_stop(x, "it lists more than %d of these", most), false;
  x->error = StoreGrow(x->store, size, count, count + 1, room, array);
  return !x->error;
}

const char *xml_keep(XmlReader *x, const char *text) {
  const char *copy = NULL;
  if (!x->error && text) x->error = StoreText(x->store, text, strlen(text), &copy);
  return copy;
}

// ---- attributes ----

const char *xml_attribute(XmlAttributes list, const char *name) {
  for (; list[0]; list += 2)
    if (!strcmp(list[0], name)) return list[1];
  return NULL;
}

bool xml_is_true(XmlAttributes list, const char *name) {
  const char *text = xml_attribute(list, name);
  return text && (!strcmp(text, "true") || !strcmp(text, "1"));
}

double xml_number(XmlReader *x, XmlAttributes list, const char *name, double otherwise) {
  const char *text = xml_attribute(list, name);
  char *end;
  if (!text) return otherwise;
  double value = strtod(text, &end);
  if (end == text || end[strspn(end, " \t\r\n")] || !isfinite(value))
    xml_stop(x, "'%s' must be a number, not '%.60s'", name, text);
  return value;
}

// ---- elements ----

static const char *without_prefix(const char *name) {
  const char *colon = strrchr(name, ':');
  return colon ? colon + 1 : name;
}

static void XMLCALL begin_element(void *self, const char *full, const char **all) {
  XmlReader *x = self;
  const char *name = without_prefix(full);
  if (x->depth == XML_MOST_DEPTH) return xml_stop(x, "elements are nested more than %d deep", XML_MOST_DEPTH);
  x->begin(x->self, name, (XmlAttributes)all);
  snprintf(x->path[x->depth++], XML_NAME, "%s", name);
  if (x->error) XML_StopParser(x->parser, XML_FALSE);
}

static void XMLCALL end_element(void *self, const char *full) {
  XmlReader *x = self;
  x->depth--;
  if (x->end) x->end(x->self, without_prefix(full));
}

static void XMLCALL refuse_doctype(void *self, const char *name, const char *system, const char *public, int internal) {
  (void)name, (void)system, (void)public, (void)internal;
  xml_stop(self, "a document type, <!DOCTYPE ...>, is not supported");
}

Error XmlRead(XmlReader *x, const char *text, size_t length) {
  if (length > INT_MAX) return refuse(x->wrong, "%s is too large", x->file), 0;
  x->depth = 0, x->parser = XML_ParserCreate(NULL);
  ENSURE(x->parser, ERROR_MEMORY, "no memory for a parser of XML");
  XML_SetUserData(x->parser, x);
  XML_SetElementHandler(x->parser, begin_element, end_element);
  XML_SetStartDoctypeDeclHandler(x->parser, refuse_doctype);
  if (XML_Parse(x->parser, text, (int)length, 1) == XML_STATUS_ERROR && !x->error)
    xml_stop(x, "%s", XML_ErrorString(XML_GetErrorCode(x->parser)));
  XML_ParserFree(x->parser);
  return x->error;
}

// ---- units ----

void xml_add_unit(XmlReader *x, XmlAttributes list, FmuUnit **unit, int *count, int *room) {
  const char *name = xml_attribute(list, "name");
  if (!name) return xml_stop(x, "'name' is missing");
  if (!xml_make_room(x, sizeof **unit, *count, MOST_UNITS, room, unit)) return;
  (*unit)[(*count)++] = (FmuUnit){.name = xml_keep(x, name), .factor = 1};
}

void xml_add_base_unit(XmlReader *x, XmlAttributes list, FmuUnit *unit, int count) {
  static const char *const base[FMU_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};
  if (!count) return;
  FmuUnit *u = &unit[count - 1];
  for (int i = 0; i < FMU_BASES; i++) u->power[i] = xml_number(x, list, base[i], 0);
  u->factor = xml_number(x, list, "factor", 1), u->offset = xml_number(x, list, "offset", 0);
  if (u->factor == 0) return xml_stop(x, "the factor of a unit must not be 0");
  u->known = true;
}
