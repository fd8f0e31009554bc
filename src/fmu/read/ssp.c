// SPDX-License-Identifier: Apache-2.0
// Reads system structures.
#include "fmu/read/ssp.h"

#include "base/limits.h"
#include "fmu/read/xml_reader.h"

#include <string.h>

enum { MOST_PARAMETERS = 10000, MOST_SETS = 1000 };
enum { MOST_TEXT = 64 << 20 }; // bytes of a file

typedef struct { // a parameter set in a file of its own
  int component; // -1: of the system
  const char *source, *prefix;
} SetFile;

typedef struct {
  XmlReader xml;
  SspSystem *s;
  int component; // that is read; -1: the system
  const char *prefix, *parameter;
  SetFile *set;
  int sets, set_room;
  int component_room, connection_room, parameter_room, unit_room;
  struct { // a connection as it is written; components can follow
    const char *start[2], *end[2];
  } * link;
  int links, link_room;
} Reading;

// ---- elements ----

static bool is_below(const XmlReader *x, const char *name) {
  for (int i = 0; i < x->depth; i++)
    if (!strcmp(x->path[i], name)) return true;
  return false;
}

static void begin_root(Reading *x, const char *name, XmlAttributes list) {
  const char *version = xml_attribute(list, "version");
  bool set = x->component != -2;
  if (strcmp(name, set ? "ParameterSet" : "SystemStructureDescription"))
    return xml_stop(&x->xml, "it is no %s: it begins with <%.40s>", set ? "parameter set" : "system structure", name);
  if (!version || strcmp(version, "1.0"))
    return xml_stop(&x->xml, "it has version %.20s of SSP; Limber reads 1.0", version ? version : "?");
  if (!set) x->s->name = xml_keep(&x->xml, xml_attribute(list, "name")), x->component = -1;
}

static void begin_component(Reading *x, XmlAttributes list) {
  SspSystem *s = x->s;
  const char *name = xml_attribute(list, "name"), *source = xml_attribute(list, "source"),
             *type = xml_attribute(list, "type"), *kind = xml_attribute(list, "implementation");
  if (!name || !source) return xml_stop(&x->xml, "a component needs a name and a source");
  if (type && strcmp(type, "application/x-fmu-sharedlibrary"))
    return xml_stop(&x->xml, "the component '%.60s' is no FMU but has the type '%.60s'", name, type);
  if (kind && strcmp(kind, "any") && strcmp(kind, "CoSimulation"))
    return xml_stop(&x->xml, "the component '%.60s' is for '%.40s', not for co-simulation", name, kind);
  if (!xml_make_room(&x->xml, sizeof *s->component, s->components, LIMIT_PARTICIPANTS, &x->component_room,
                     &s->component))
    return;
  for (int i = 0; i < s->components; i++)
    if (!strcmp(s->component[i].name, name)) return xml_stop(&x->xml, "two components are called '%.60s'", name);
  x->component = s->components;
  s->component[s->components++] = (SspComponent){.name = xml_keep(&x->xml, name), .source = xml_keep(&x->xml, source)};
}

static void begin_connector(Reading *x, XmlAttributes list) {
  const char *name = xml_attribute(list, "name"), *kind = xml_attribute(list, "kind");
  if (!name || !kind) return xml_stop(&x->xml, "a connector needs a name and a kind");
  if (x->component < 0 || strcmp(kind, "output")) return;
  SspComponent *c = &x->s->component[x->component];
  if (!xml_make_room(&x->xml, sizeof *c->output, c->outputs, LIMIT_CONNECTIONS, &c->output_room, &c->output)) return;
  c->output[c->outputs++] = xml_keep(&x->xml, name);
}

static void begin_connection(Reading *x, XmlAttributes list) {
  const char *output = xml_attribute(list, "startConnector"), *input = xml_attribute(list, "endConnector");
  if (!output || !input) return xml_stop(&x->xml, "a connection needs a startConnector and an endConnector");
  if (!xml_make_room(&x->xml, sizeof *x->link, x->links, LIMIT_CONNECTIONS, &x->link_room, &x->link)) return;
  x->link[x->links].start[0] = xml_keep(&x->xml, xml_attribute(list, "startElement")),
  x->link[x->links].start[1] = xml_keep(&x->xml, output);
  x->link[x->links].end[0] = xml_keep(&x->xml, xml_attribute(list, "endElement")),
  x->link[x->links++].end[1] = xml_keep(&x->xml, input);
}

static void begin_binding(Reading *x, XmlAttributes list) {
  const char *source = xml_attribute(list, "source"), *type = xml_attribute(list, "type"),
             *base = xml_attribute(list, "sourceBase");
  if (type && strcmp(type, "application/x-ssp-parameter-set"))
    return xml_stop(&x->xml, "parameters of the type '%.60s' are not read", type);
  if (base && strcmp(base, "SSD")) return xml_stop(&x->xml, "parameters that a component brings are not read");
  x->prefix = xml_keep(&x->xml, xml_attribute(list, "prefix"));
  if (!source) return;
  if (!xml_make_room(&x->xml, sizeof *x->set, x->sets, MOST_SETS, &x->set_room, &x->set)) return;
  x->set[x->sets++] = (SetFile){x->component, xml_keep(&x->xml, source), x->prefix};
}

static void add_parameter(Reading *x, XmlAttributes list, bool boolean) {
  SspSystem *s = x->s;
  const char *text = xml_attribute(list, "value"), *unit = xml_attribute(list, "unit");
  char whole[1000];
  if (!text || !x->parameter) return xml_stop(&x->xml, "a parameter needs a name and a value");
  snprintf(whole, sizeof whole, "%s%s", x->prefix ? x->prefix : "", x->parameter);
  bool yes = boolean && (!strcmp(text, "true") || !strcmp(text, "1"));
  if (boolean && !yes && strcmp(text, "false") && strcmp(text, "0"))
    return xml_stop(&x->xml, "true or false is expected, not '%.40s'", text);
  if (!xml_make_room(&x->xml, sizeof *s->parameter, s->parameters, MOST_PARAMETERS, &x->parameter_room, &s->parameter))
    return;
  s->parameter[s->parameters++] = (SspParameter){.component = x->component,
                                                 .of_system = x->component < 0,
                                                 .name = xml_keep(&x->xml, whole),
                                                 .unit = xml_keep(&x->xml, unit),
                                                 .value = boolean ? yes : xml_number(&x->xml, list, "value", 0)};
}

static void begin_value(Reading *x, const char *name, XmlAttributes list) {
  static const char *const known[] = {"Real", "Integer", "Boolean"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(name, known[i])) return add_parameter(x, list, i == 2);
  xml_stop(&x->xml, "the parameter '%.80s' is of the type %.40s, which is no number", x->parameter ? x->parameter : "",
           name);
}

static void begin_element(void *self, const char *name, XmlAttributes list) {
  Reading *x = self;
  SspSystem *s = x->s;
  const char *above = xml_above(&x->xml);
  if (x->xml.depth == 0) begin_root(x, name, list);
  else if (is_below(&x->xml, "Annotations")) {
  } else if (!strcmp(above, "Elements")) {
    if (!strcmp(name, "Component")) begin_component(x, list);
    else xml_stop(&x->xml, "<%.40s> within a system is not read, only components that are FMUs", name);
  } else if (!strcmp(above, "Connectors") && !strcmp(name, "Connector")) begin_connector(x, list);
  else if (!strcmp(above, "Connections") && !strcmp(name, "Connection")) begin_connection(x, list);
  else if (!strcmp(above, "Connection") && strcmp(name, "ConnectionGeometry") && strcmp(name, "Annotations"))
    xml_stop(&x->xml, "<%.40s> of a connection is not read: values pass as they are", name);
  else if (!strcmp(above, "ParameterBindings") && !strcmp(name, "ParameterBinding")) begin_binding(x, list);
  else if (!strcmp(above, "ParameterBinding") && !strcmp(name, "ParameterMapping"))
    xml_stop(&x->xml, "mappings of parameters are not read");
  else if (!strcmp(above, "Parameters") && !strcmp(name, "Parameter"))
    x->parameter = xml_keep(&x->xml, xml_attribute(list, "name"));
  else if (!strcmp(above, "Parameter")) begin_value(x, name, list);
  else if (!strcmp(above, "Units") && !strcmp(name, "Unit"))
    xml_add_unit(&x->xml, list, &s->unit, &s->units, &x->unit_room);
  else if (!strcmp(above, "Unit") && !strcmp(name, "BaseUnit")) xml_add_base_unit(&x->xml, list, s->unit, s->units);
  else if (x->xml.depth == 1 && !strcmp(name, "DefaultExperiment")) s->end = xml_number(&x->xml, list, "stopTime", 0);
}

static void end_element(void *self, const char *name) {
  Reading *x = self;
  if (!strcmp(name, "Component") && !strcmp(xml_above(&x->xml), "Elements")) x->component = -1;
  if (!strcmp(name, "ParameterBinding")) x->prefix = NULL;
}

// ---- files ----

static Error ReadText(Reading *x, const Zip *z, const char *file) {
  const ZipEntry *e = zip_find(z, file);
  char *text = NULL;
  x->xml.file = file;
  if (!e || e->size > MOST_TEXT) {
    refuse(x->xml.wrong, e ? "its %.200s is too large" : "it has no %.200s", file);
    return 0;
  }
  TRY(ZipUnpack(e, &text, x->xml.wrong));
  if (!text) return 0;
  Error error = XmlRead(&x->xml, text, e->size);
  memory_free(&text);
  return error;
}

static int find_component(const SspSystem *s, const char *name) {
  for (int i = 0; i < s->components; i++)
    if (!strcmp(s->component[i].name, name)) return i;
  return -1;
}

static Error JoinConnections(Reading *x) {
  SspSystem *s = x->s;
  TRY(StoreAllocate(x->xml.store, ((size_t)x->links + 1) * sizeof *s->connection, &s->connection));
  for (int i = 0; i < x->links && !is_refused(x->xml.wrong); i++) {
    const char *from = x->link[i].start[0], *to = x->link[i].end[0];
    if (!from || !to) {
      s->ignored++;
      continue;
    }
    SspConnection c = {find_component(s, from), find_component(s, to), x->link[i].start[1], x->link[i].end[1]};
    if (c.from < 0 || c.to < 0)
      refuse(x->xml.wrong, "%s: there is no component '%.100s', which a connection names", x->xml.file,
             c.from < 0 ? from : to);
    else s->connection[s->connections++] = c;
  }
  return 0;
}

// Parameters of the system are COMPONENT.NAME.
static void join_parameters(Reading *x) {
  SspSystem *s = x->s;
  for (int k = 0; k < s->parameters && !is_refused(x->xml.wrong); k++) {
    SspParameter *p = &s->parameter[k];
    for (int i = 0; i < s->components && p->component < 0; i++) {
      size_t n = strlen(s->component[i].name);
      if (!strncmp(p->name, s->component[i].name, n) && p->name[n] == '.') p->component = i, p->name += n + 1;
    }
    if (p->component < 0) refuse(x->xml.wrong, "the parameter '%.80s' belongs to no component", p->name);
  }
}

Error SspRead(Store *store, const Zip *z, SspSystem *out, Refusal *wrong) {
  static const char structure[] = "SystemStructure.ssd";
  Reading x = {
      .xml = {.store = store, .wrong = wrong, .begin = begin_element, .end = end_element}, .s = out, .component = -2};
  x.xml.self = &x;
  *out = (SspSystem){0};
  wrong->text[0] = 0;
  TRY(ReadText(&x, z, structure));
  if (!is_refused(wrong)) TRY(JoinConnections(&x));
  for (int i = 0; i < x.sets && !is_refused(wrong); i++) {
    x.component = x.set[i].component, x.prefix = x.set[i].prefix;
    TRY(ReadText(&x, z, x.set[i].source));
  }
  if (!is_refused(wrong)) join_parameters(&x);
  if (!is_refused(wrong) && !out->components) refuse(wrong, "%s: it has no components", structure);
  if (!out->name) out->name = "";
  return 0;
}

const FmuUnit *ssp_unit(const SspSystem *s, const char *name) {
  for (int i = s->units - 1; i >= 0; i--)
    if (!strcmp(s->unit[i].name, name)) return s->unit[i].known ? &s->unit[i] : NULL;
  return NULL;
}
