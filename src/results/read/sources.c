// SPDX-License-Identifier: Apache-2.0
// The files that a run was made of, as its results hold them.
#include "results/read/results_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool results_source(Results *r, int file, char **name, char **text) {
  char path[40] = "/model", word[4096] = "";
  int count;
  *name = *text = NULL;
  if (file) snprintf(path, sizeof path, "/included/%d", file);
  if (file) stored_attribute_text(r->stored, path, "name", word, sizeof word);
  char **texts = stored_texts(r->stored, path, &count);
  *name = count == 1 ? strdup(file ? word : "model") : NULL;
  if (*name) *text = texts[0], texts[0] = NULL;
  texts_free(texts, count);
  return *name != NULL;
}

char **results_changes(Results *r, int *count) { return stored_attribute_texts(r->stored, "/", "changes", count); }

char **results_texts(Results *r, const char *path, int *count) { return stored_texts(r->stored, path, count); }
