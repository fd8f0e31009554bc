// SPDX-License-Identifier: Apache-2.0
// What Debian's archives lack within a shared library.
#include <stdio.h>
#include <string.h>

// They are made for programs: code of theirs finds stderr at a place that a shared library does not have. lean.sh gives the streams
// other names there, which are these.
extern FILE *limber_stdin, *limber_stdout, *limber_stderr;
FILE *limber_stdin, *limber_stdout, *limber_stderr;

__attribute__((constructor)) static void set_streams(void) {
  limber_stdin = stdin, limber_stdout = stdout, limber_stderr = stderr;
}

// All that LAPACK asks of Fortran's own library: a // b, cut or filled with blanks to n characters.
extern void concatenate(size_t n, char *out, size_t na, const char *a, size_t nb,
                        const char *b) __asm__("_gfortran_concat_string");
void concatenate(size_t n, char *out, size_t na, const char *a, size_t nb, const char *b) {
  for (size_t i = 0; i < n; i++) out[i] = i < na ? a[i] : i - na < nb ? b[i - na] : ' ';
}
