// SPDX-License-Identifier: Apache-2.0
// Files that commands write, and which files Limber wrote.
#ifndef LIMBER_FILES_OUTPUT_FILE_H
#define LIMBER_FILES_OUTPUT_FILE_H

#include "model/refusal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Which files Limber wrote, known by their content: nobody misses a file of his own because a command was given its
// name.

typedef enum {
  FILE_RESULTS, // HDF5
  FILE_CHECKPOINT,
  FILE_XDMF,
  FILE_SVG,
  FILE_PNG,
  FILE_PDF,
  FILE_HTML,
  FILE_CSV,
  FILE_MAT,
  FILE_OPENFAST, // .outb
  FILE_VIDEO,    // MP4 or WebM
  FILE_FMU,
  FILE_SSP,
  FILE_MODEL, // of `limber new`: from the first edit on it is the user's, and never taken for Limber's
} FileKind;

extern const char file_video_sign[];    // the comment that a program writes into a video
extern const char file_openfast_sign[]; // the description of a file of FILE_OPENFAST begins so
extern const char file_fmu_sign[];      // a line of the first file of an FMU or SSP
extern const char file_pdf_sign[];      // a line of PDF, behind the first or at the end

// Files that commands write. None takes the place of a file that the command reads, nor, unless that is asked for, of
// one that Limber did not write; none is written through a symbolic link. A file is written under another name in the
// same folder and then renamed: its reader finds the old file or the new one, whole, and after a failure or a signal
// nothing is left. A device or a pipe is written as it is.

enum { OUTPUT_NAME = 4200 };

typedef struct {
  FileKind kind;
  bool force;               // a file that Limber did not write may be overwritten
  const char *const *input; // files that the command reads: never overwritten
  int inputs;
} OutputRules;

typedef struct {
  FileKind kind;
  FILE *out;
  char path[OUTPUT_NAME]; // where it belongs
  char part[OUTPUT_NAME]; // where it is written; the same as `path`: a device
  const char *given;      // as the user names it, for messages
} OutputFile;

// Whether a file may be written there; else `wrong` says why not. It may still fail: output_open reports that.
bool output_allowed(const char *path, const OutputRules *rules, Refusal *wrong);
// Begins a file. False: it may not or cannot be written, as `wrong` says.
bool output_open(const char *path, const OutputRules *rules, OutputFile *f, Refusal *wrong);
// Ends it and puts it in its place. False: something could not be written, as `wrong` says, and nothing is left of it.
bool output_finish(OutputFile *f, Refusal *wrong);
// Ends it and leaves the old file, if there is one, in its place. Does nothing where nothing was begun.
void output_discard(OutputFile *f);
// The same of all that were begun, and safe in a signal handler.
void output_discard_all(void);

// Whether files that Limber did not write may be overwritten, from now on. Returns what was set before.
bool output_allow_overwrite(bool allow);
bool output_force(void);

bool same_file(const char *a, const char *b); // also by another name
bool is_null_device(const char *path);        // nothing is kept of what is written there
bool is_standard_stream(const char *path);    // stdout or stderr, by whatever name
bool is_device(const char *path);             // one of these, a pipe, a terminal: not a file with an ending
// Why a file cannot be written: "cannot write 'x': reason", and what to do.
void explain_unwritable(const char *path, int error, Refusal *wrong);

#endif
