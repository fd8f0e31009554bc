// SPDX-License-Identifier: Apache-2.0
// Which files Limber wrote, known by their content: nobody misses a file of his own because a command was given its name.
#ifndef LIMBER_FILES_RECOGNISE_H
#define LIMBER_FILES_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>

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
  FILE_MODEL,    // of `limber new`: from the first edit on it is the user's, and never taken for Limber's
} FileKind;

// What it is, with an article: "a table (CSV)".
const char *file_kind_name(FileKind kind);

// Whether the bytes of a file are those of a file of that kind that Limber wrote.
bool file_is_ours(const char *path, FileKind kind);
// The same of the first bytes and the last ones, which may overlap.
bool bytes_are_ours(FileKind kind, const char *head, size_t head_size, const char *tail, size_t tail_size);

// Puts Limber's sign into a finished file where that kind has one and its writer put none: a comment behind the last line of
// SVG, HTML and PDF, a text chunk of PNG. False: errno tells why.
bool file_sign(const char *path, FileKind kind);

extern const char file_video_sign[];    // the comment that a program writes into a video
extern const char file_openfast_sign[]; // the description of a file of FILE_OPENFAST begins so
extern const char file_pdf_sign[];      // a line of PDF, behind the first or at the end

#endif
