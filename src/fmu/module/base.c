// SPDX-License-Identifier: Apache-2.0
#include "fmu/module/base.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- functions that are not offered ----

// Importers look for every function of the standard. Those that no other file defines are refused here.
#define REFUSED(result, name, arguments) \
  __attribute__((weak, visibility("default"))) result name arguments; \
  __attribute__((weak, visibility("default"))) result name arguments { return (result)(intptr_t)STATUS_ERROR; }
FMI2_FUNCTIONS(REFUSED)
FMI3_FUNCTIONS(REFUSED)

// ---- messages ----

Host *instance_host(Instance *c) { return &((Base *)c)->host; }

static void say(const Host *host, Status status, const char *message) {
  if (host->say && (host->log || status >= STATUS_ERROR))
    host->say(host, status, status >= STATUS_ERROR ? "logStatusError" : "logStatusWarning", message);
}

Status instance_refuse(Instance *c, const char *format, ...) {
  char text[6000];
  va_list list;
  if (!c) return STATUS_ERROR;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  say(instance_host(c), STATUS_ERROR, text);
  return STATUS_ERROR;
}

// ---- opening ----

// The folder of the resources, a path (3.0) or an address (2.0).
static bool find_folder(const char *given, char *out, size_t size) {
  bool address = given && !strncmp(given, "file:", 5);
  size_t n = 0;
  if (!given) return false;
  if (address) given += strncmp(given, "file://", 7) ? 5 : 7;
  if (address && !strncmp(given, "localhost/", 10)) given += 9;
  for (; *given; given++) {
    char c = *given;
    if (address && c == '%' && isxdigit((unsigned char)given[1]) && isxdigit((unsigned char)given[2])) {
      const char code[] = {given[1], given[2], 0};
      c = (char)strtol(code, NULL, 16), given += 2;
    }
    if (n + 2 >= size) return false;
    out[n++] = c;
  }
  if (!n || out[n - 1] != '/') out[n++] = '/';
  out[n] = 0;
  return true;
}

locale_t plain_numbers_begin(void) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return plain ? uselocale(plain) : (locale_t)0;
}

void plain_numbers_end(locale_t before) {
  if (before) freelocale(uselocale(before));
}

bool base_open(Instance *c, const Host *host, const char *token, const char *resources) {
  Base *b = (Base *)c;
  char path[4400];
  b->host = *host;
  if (!find_folder(resources, b->folder, sizeof b->folder))
    return instance_refuse(c, "the host gives no folder of resources"), false;
  snprintf(path, sizeof path, "%slimber.txt", b->folder);
  locale_t before = plain_numbers_begin();
  bool read = read_contents(path, &b->has);
  plain_numbers_end(before);
  if (!read) return instance_refuse(c, "cannot read '%s', which lists what the FMU has", path), false;
  if (!token || strcmp(token, b->has.token)) {
    instance_refuse(c, "the token '%s' is not that of this FMU, '%s'", token ? token : "", b->has.token);
    return false;
  }
  b->input = calloc(b->has.input.count + 1, sizeof *b->input);
  b->slope = calloc(b->has.input.count + 1, sizeof *b->slope);
  if (!b->input || !b->slope) return instance_refuse(c, "out of memory"), false;
  return true;
}

void base_close(Base *b) {
  free_contents(&b->has);
  free(b->input), free(b->slope);
}

void base_start(Base *b) {
  for (size_t i = 0; i < b->has.input.count; i++) b->input[i] = b->has.input.item[i].start, b->slope[i] = 0;
  b->phase = MADE, b->time = 0, b->failed = false;
}

// ---- what all do alike ----

double instance_time(const Instance *c) { return ((const Base *)c)->time; }
bool instance_failed(const Instance *c) { return ((const Base *)c)->failed; }

Status instance_begin(Instance *c, double start) {
  Base *b = (Base *)c;
  if (b->phase != MADE) return instance_refuse(c, "the initialisation comes once, before all steps");
  Status status = instance_check_start(c, start);
  if (!status) b->phase = INITIALISING, b->time = start;
  return status;
}

Status instance_end(Instance *c) {
  Base *b = (Base *)c;
  if (b->phase != STEPPING) return instance_refuse(c, "there is no run to end");
  b->phase = ENDED;
  return STATUS_OK;
}

Status instance_set_slope(Instance *c, const unsigned *reference, size_t count, const int *order, const double *value) {
  Base *b = (Base *)c;
  const size_t inputs = 1 + b->has.parameter.count, outputs = inputs + b->has.input.count;
  for (size_t i = 0; i < count; i++) {
    if (reference[i] < inputs || reference[i] >= outputs)
      return instance_refuse(c, "the variable %u is not an input", reference[i]);
    if (order[i] != 1 || !isfinite(value[i]))
      return instance_refuse(c, "inputs have first derivatives only, which are finite");
    b->slope[reference[i] - inputs] = value[i];
  }
  return STATUS_OK;
}
