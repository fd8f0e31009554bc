// SPDX-License-Identifier: Apache-2.0
// Reads XML files of archives with Expat. No document type is read, so that there are no entities, and depth and numbers
// are bounded. Names come without the prefix of their namespace.
#ifndef LIMBER_FMU_READ_XML_READER_H
#define LIMBER_FMU_READ_XML_READER_H

#include "fmu/read/description.h"

enum { XML_MOST_DEPTH = 32, XML_NAME = 40 };

typedef const char *const *XmlAttributes; // names and values in turn, NULL at the end

typedef struct {
  Store *store;
  Refusal *wrong;
  const char *file; // as messages name it
  void *self;       // of the two functions
  void (*begin)(void *self, const char *name, XmlAttributes list);
  void (*end)(void *self, const char *name); // of an element that is no longer in `path`; NULL: none
  struct XML_ParserStruct *parser;
  int depth;
  char path[XML_MOST_DEPTH][XML_NAME]; // elements around the one that begins
  Error error;
} XmlReader;

Error XmlRead(XmlReader *x, const char *text, size_t length);

// Ends the reading with a message that names file and line.
PRINTF_LIKE(2, 3) void xml_stop(XmlReader *x, const char *format, ...);
const char *xml_above(const XmlReader *x); // the element around the one that begins, or ""
bool xml_make_room(XmlReader *x, size_t size, int count, int most, int *room, void *array);
const char *xml_keep(XmlReader *x, const char *text); // a copy in the store; NULL: NULL

const char *xml_attribute(XmlAttributes list, const char *name); // or NULL
bool xml_is_true(XmlAttributes list, const char *name);
double xml_number(XmlReader *x, XmlAttributes list, const char *name, double otherwise);

// Elements that files of FMUs and of systems have in common: Unit, and BaseUnit of the last unit.
void xml_add_unit(XmlReader *x, XmlAttributes list, FmuUnit **unit, int *count, int *room);
void xml_add_base_unit(XmlReader *x, XmlAttributes list, FmuUnit *unit, int count);

#endif
