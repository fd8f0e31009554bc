// SPDX-License-Identifier: Apache-2.0
#include "input/importers/importer.h"

#include <stdio.h>
#include <string.h>

#define IMPORTER(name) &importer_##name,
const Importer *const importers[] = {
#include "input/importers/importers.def"
    NULL};
#undef IMPORTER

static bool ends_with(const char *path, const char *extension) {
  size_t n = strlen(path), m = strlen(extension);
  return n >= m && !strcmp(path + n - m, extension);
}

const Importer *importer_find(const Importer *const *list, const char *path, const char *text, size_t length) {
  for (int i = 0; list[i]; i++)
    if (list[i]->recognises(text, length)) return list[i];
  for (int i = 0; list[i]; i++)
    for (int k = 0; list[i]->extensions[k]; k++)
      if (ends_with(path, list[i]->extensions[k])) return list[i];
  return NULL;
}

const char *importers_text(const Importer *const *list, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; list[i] && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s%s (", i ? ", " : "", list[i]->name);
    for (int k = 0; list[i]->extensions[k] && used < size; k++)
      used += (size_t)snprintf(text + used, size - used, "%s%s", k ? " " : "", list[i]->extensions[k]);
    if (used < size) used += (size_t)snprintf(text + used, size - used, ")");
  }
  return text;
}
