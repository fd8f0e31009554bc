// SPDX-License-Identifier: Apache-2.0
// The files that a run was made of, as its results hold them.
#include "results/read/results_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_source(hid_t file, const char *path, bool included, char **name, char **text) {
  char word[4096] = "";
  int count;
  hid_t set = object_open(file, path);
  if (set < 0) return false;
  if (included) attribute_text(set, "name", word, sizeof word);
  H5Oclose(set);
  char **texts = dataset_texts(file, path, &count);
  *name = count == 1 ? strdup(included ? word : "model") : NULL;
  if (*name) *text = texts[0], texts[0] = NULL;
  texts_free(texts, count);
  return *name != NULL;
}

bool results_source(Results *r, int file, char **name, char **text) {
  char path[40] = "/model";
  bool good;
  *name = *text = NULL;
  if (file) snprintf(path, sizeof path, "/included/%d", file);
  HDF5_BEGIN(r) { good = read_source(r->file, path, file > 0, name, text); }
  HDF5_END;
  return good;
}

char **results_changes(Results *r, int *count) {
  char **texts;
  HDF5_BEGIN(r) { texts = attribute_texts(r->file, "changes", count); }
  HDF5_END;
  return texts;
}

char **results_texts(Results *r, const char *path, int *count) {
  char **texts;
  HDF5_BEGIN(r) { texts = dataset_texts(r->file, path, count); }
  HDF5_END;
  return texts;
}
