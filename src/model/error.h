// SPDX-License-Identifier: Apache-2.0
// System and programming errors in the layers that do not use PETSc. A function that can fail returns 0 or one of these
// codes, which are PETSc's, so PetscCall accepts them. The message is printed to stderr where the error occurs.
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

// Sets the text that limber_error returns; whether errors are printed, too.
void error_store(const char *text);
bool error_prints(void);

// Resizes the memory at *out (a pointer, NULL at first) to `size` bytes; its contents are kept as far as they fit.
Error MemoryResize(size_t size, void *out);
// Allocates zeroed memory.
Error MemoryNew(size_t size, void *out);
// Frees what *pointer points at and sets it to NULL.
void memory_free(void *pointer);

#endif
