// SPDX-License-Identifier: Apache-2.0
// The files that a run was made of, as its results hold them.
#include "results/read/results_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A dataset that is one text, to be freed; NULL: it is something else.
static char *text_of(hid_t set) {
  hid_t stored = H5Dget_type(set), type = H5Tcopy(H5T_C_S1);
  char *text = NULL, *copy = NULL;
  if (stored >= 0 && H5Tis_variable_str(stored) > 0) {
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5Tget_cset(stored));
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) >= 0 && text) copy = strdup(text);
    if (text) H5free_memory(text);
  }
  if (stored >= 0) H5Tclose(stored);
  H5Tclose(type);
  return copy;
}

static bool read_source(hid_t file, const char *path, bool included, char **name, char **text) {
  char word[4096];
  hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  if (set < 0) return false;
  if (!attribute_text(set, "name", word, sizeof word) && included) word[0] = 0;
  *text = text_of(set), *name = strdup(included ? word : "model");
  H5Dclose(set);
  if (*text && *name) return true;
  free(*text), free(*name);
  return *text = *name = NULL, false;
}

bool results_source(Results *r, int file, char **name, char **text) {
  char path[40] = "/model";
  bool good;
  *name = *text = NULL;
  if (file) snprintf(path, sizeof path, "/included/%d", file);
  H5E_BEGIN_TRY { good = read_source(r->file, path, file > 0, name, text); }
  H5E_END_TRY;
  return good;
}

char **results_changes(Results *r, int *count) {
  char **stored = texts_read(r->file, "changes", count), **copy = NULL;
  if (stored) copy = calloc((size_t)*count + 1, sizeof *copy);
  for (int i = 0; copy && i < *count; i++) copy[i] = strdup(stored[i] ? stored[i] : "");
  texts_free(stored, *count);
  if (!copy) *count = 0;
  return copy;
}

char **results_texts(Results *r, const char *path, int *count) {
  char **read = NULL, **copy = NULL;
  hid_t set, space = -1, stored = -1, type = H5Tcopy(H5T_C_S1);
  hssize_t n = 0;
  H5E_BEGIN_TRY { set = H5Dopen2(r->file, path, H5P_DEFAULT); }
  H5E_END_TRY;
  *count = 0;
  if (set >= 0) space = H5Dget_space(set), stored = H5Dget_type(set);
  if (space >= 0) n = H5Sget_simple_extent_npoints(space);
  if (n > 0 && stored >= 0 && H5Tis_variable_str(stored) > 0 && (read = calloc((size_t)n, sizeof *read))) {
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5Tget_cset(stored));
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) >= 0) copy = calloc((size_t)n, sizeof *copy);
    if (copy) *count = (int)n;
    for (int i = 0; i < *count; i++) copy[i] = strdup(read[i] ? read[i] : "");
    for (hssize_t i = 0; i < n; i++)
      if (read[i]) H5free_memory(read[i]);
  }
  free(read);
  if (stored >= 0) H5Tclose(stored);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  H5Tclose(type);
  return copy;
}
