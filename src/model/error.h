// SPDX-License-Identifier: Apache-2.0
// A broken machine or program, in the layers that know no PETSc: a function that can fail returns 0 or one of these
// codes, which are PETSc's, so that PetscCall takes them. What went wrong is said on stderr where it arises.
#ifndef LIMBER_MODEL_ERROR_H
#define LIMBER_MODEL_ERROR_H

#include <stdbool.h>
#include <stddef.h>

typedef int Error;
enum { ERROR_MEMORY = 55, ERROR_ARGUMENT = 63, ERROR_LIBRARY = 76, ERROR_PROGRAM = 77 };

#define TRY(call) \
  do { \
    Error error_ = (call); \
    if (error_) return error_; \
  } while (0)

#define ENSURE(condition, code, ...) \
  do { \
    if (!(condition)) return error_report(code, __FILE__, __LINE__, __VA_ARGS__); \
  } while (0)

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

Error error_report(Error code, const char *file, int line, const char *format, ...) PRINTF_LIKE(4, 5);

// What limber_error gives; whether it is printed, too.
void error_store(const char *text);
bool error_prints(void);

// Makes *out (a pointer, NULL at first) point at `size` bytes; what it pointed at before is kept as far as it goes.
Error MemoryResize(size_t size, void *out);
// The same, new and zeroed.
Error MemoryNew(size_t size, void *out);
// Frees what *pointer points at and makes it NULL.
void memory_free(void *pointer);

#endif
