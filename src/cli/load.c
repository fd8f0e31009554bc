// SPDX-License-Identifier: Apache-2.0
// A model file from the disk: read by one process, parsed by all.
#include "cli/command.h"
#include "input/names.h"
#include "schemes/scheme.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The whole file, or NULL with errno.
static char *read_whole(const char *path, size_t *length) {
  FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  size_t room = 1 << 16, got;
  char *text = NULL;
  *length = 0;
  if (!f) return NULL;
  do {
    char *more = realloc(text, room);
    if (!more) break;
    text = more;
    got = fread(text + *length, 1, room - *length, f);
    *length += got;
    if (*length == room) room *= 2;
  } while (got);
  int error = ferror(f) ? errno : 0;
  if (f != stdin) fclose(f);
  if (!error) return text;
  free(text);
  errno = error;
  return NULL;
}

// The same text on all ranks; length -1 and errno in `error` where it cannot be read.
static PetscErrorCode ReadText(const char *path, char **text, long *length, int *error) {
  int started = 0, rank = 0;
  PetscFunctionBegin;
  MPI_Initialized(&started);
  if (started) PetscCallMPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  *text = NULL, *length = -1, *error = 0;
  if (!rank) {
    size_t n;
    *text = read_whole(path, &n);
    if (*text) *length = (long)n;
    else *error = errno;
  }
  if (!started) PetscFunctionReturn(0);
  PetscCallMPI(MPI_Bcast(length, 1, MPI_LONG, 0, MPI_COMM_WORLD));
  PetscCallMPI(MPI_Bcast(error, 1, MPI_INT, 0, MPI_COMM_WORLD));
  if (*length < 0) PetscFunctionReturn(0);
  if (rank) *text = malloc((size_t)*length + 1);
  PetscCheck(*text, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the model file");
  for (long done = 0; done < *length; done += 1 << 30)
    PetscCallMPI(MPI_Bcast(*text + done, (int)PetscMin(*length - done, 1L << 30), MPI_CHAR, 0, MPI_COMM_WORLD));
  PetscFunctionReturn(0);
}

// The options of the run against the schemes that there are.
static PetscErrorCode CheckOptions(Input *in) {
  const SchemeKind *kind = scheme_find(in->options.scheme);
  StepRule rule;
  Nearest n;
  char text[1000];
  PetscFunctionBegin;
  if (kind) {
    memset(&rule, 0, sizeof rule);
    const char *wrong = kind->make(&in->options, &rule);
    if (wrong) PetscCall(InputNoteOptions(in, wrong));
    PetscFunctionReturn(0);
  }
  nearest_begin(&n, in->options.scheme);
  for (int i = 0; scheme_kinds[i]; i++) nearest_try(&n, scheme_kinds[i]->name);
  snprintf(text, sizeof text, "there is no scheme '%s'%s", in->options.scheme, nearest_hint(&n, "there are"));
  PetscCall(InputNoteOptions(in, text));
  PetscFunctionReturn(0);
}

PetscErrorCode LoadModelFile(const char *command, const char *path, Input **in, ExitCode *code) {
  char *text;
  long length;
  int error;
  PetscFunctionBegin;
  *in = NULL, *code = EXIT_MISTAKE;
  PetscCall(ReadText(path, &text, &length, &error));
  if (length < 0) {
    complain(command, "cannot read '%s': %s", path, strerror(error));
    PetscFunctionReturn(0);
  }
  PetscCall(InputRead(path, text, (size_t)length, in));
  free(text);
  PetscCall(CheckOptions(*in));
  const Notes *n = &(*in)->notes;
  if (prints()) {
    fflush(stdout);
    PetscCall(NotesPrint(n, stderr));
    if (n->errors) fprintf(stderr, "%s: %d mistake%s\n", path, n->errors, n->errors == 1 ? "" : "s");
  }
  if (!n->errors) *code = EXIT_GOOD;
  PetscFunctionReturn(0);
}
