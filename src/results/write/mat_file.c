// SPDX-License-Identifier: Apache-2.0
#include "results/write/mat_file.h"

#include <stdint.h>
#include <string.h>

enum { TYPE_INT8 = 1, TYPE_UINT16 = 4, TYPE_INT32 = 5, TYPE_UINT32 = 6, TYPE_DOUBLE = 9, TYPE_MATRIX = 14 };
enum { CLASS_CELL = 1, CLASS_CHAR = 4, CLASS_DOUBLE = 6 };

static PetscErrorCode Put(MatFile *m, const void *data, size_t size) {
  PetscFunctionBegin;
  fwrite(data, 1, size, m->file.out); // an error is seen at the end
  PetscFunctionReturn(0);
}

static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

static PetscErrorCode PutTag(MatFile *m, uint32_t type, size_t size) {
  const uint32_t tag[2] = {type, (uint32_t)size};
  PetscFunctionBegin;
  PetscCheck(size < UINT32_MAX, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "too large for a MAT-file of level 5");
  PetscCall(Put(m, tag, sizeof tag));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutElement(MatFile *m, uint32_t type, const void *data, size_t size) {
  static const char zeros[8] = {0};
  PetscFunctionBegin;
  PetscCall(PutTag(m, type, size));
  PetscCall(Put(m, data, size));
  PetscCall(Put(m, zeros, padded(size) - size));
  PetscFunctionReturn(0);
}

// Bytes of what stands before the data of an array.
static size_t head_size(const char *name) { return 16 + 16 + 8 + padded(strlen(name)); }

static PetscErrorCode PutHead(MatFile *m, uint32_t class, int rows, int columns, const char *name, size_t data) {
  const uint32_t flags[2] = {class, 0};
  const int32_t size[2] = {rows, columns};
  PetscFunctionBegin;
  PetscCall(PutTag(m, TYPE_MATRIX, head_size(name) + data));
  PetscCall(PutElement(m, TYPE_UINT32, flags, sizeof flags));
  PetscCall(PutElement(m, TYPE_INT32, size, sizeof size));
  PetscCall(PutElement(m, TYPE_INT8, name, strlen(name)));
  PetscFunctionReturn(0);
}

PetscErrorCode MatFileCreate(const char *path, const char *description, MatFile *m) {
  char head[128], wrong[4400];
  const uint16_t version = 0x0100, order = ('M' << 8) | 'I';
  PetscFunctionBegin;
  PetscCheck(
      output_open(path, &(OutputRules){.kind = FILE_MAT, .force = output_force()}, &m->file, wrong, sizeof wrong),
      PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", wrong);
  memset(head, ' ', sizeof head);
  snprintf(head, 116, "MATLAB 5.0 MAT-file, %.90s", description);
  head[strlen(head)] = ' ';
  memset(head + 116, 0, 8);
  memcpy(head + 124, &version, 2), memcpy(head + 126, &order, 2);
  PetscCall(Put(m, head, sizeof head));
  PetscFunctionReturn(0);
}

PetscErrorCode MatFileMatrix(MatFile *m, const char *name, int rows, int columns, const double *by_rows) {
  size_t count = (size_t)rows * (size_t)columns;
  double *by_columns;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &by_columns));
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++) by_columns[(size_t)j * rows + i] = by_rows[(size_t)i * columns + j];
  PetscCall(PutHead(m, CLASS_DOUBLE, rows, columns, name, 8 + 8 * count));
  PetscCall(PutElement(m, TYPE_DOUBLE, by_columns, 8 * count));
  PetscCall(PetscFree(by_columns));
  PetscFunctionReturn(0);
}

static size_t text_size(const char *text) { return 8 + padded(2 * strlen(text)); }

PetscErrorCode MatFileTexts(MatFile *m, const char *name, int count, const char *first, size_t stride) {
  size_t data = 0;
  PetscFunctionBegin;
  for (int i = 0; i < count; i++) data += 8 + head_size("") + text_size(first + (size_t)i * stride);
  PetscCall(PutHead(m, CLASS_CELL, count, 1, name, data));
  for (int i = 0; i < count; i++) {
    const char *text = first + (size_t)i * stride;
    size_t n = strlen(text);
    uint16_t letter[512];
    for (size_t k = 0; k < n && k < 512; k++) letter[k] = (unsigned char)text[k];
    PetscCall(PutHead(m, CLASS_CHAR, n > 0, (int)n, "", text_size(text)));
    PetscCall(PutElement(m, TYPE_UINT16, letter, 2 * n));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode MatFileClose(MatFile *m) {
  char wrong[4400];
  PetscFunctionBegin;
  PetscCheck(output_finish(&m->file, wrong, sizeof wrong), PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", wrong);
  PetscFunctionReturn(0);
}
