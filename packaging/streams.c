// SPDX-License-Identifier: Apache-2.0
// Debian's archives are made for programs: code of theirs finds stderr at a place that a shared library does not have. lean.sh
// gives the streams other names there, which are these.
#include <stdio.h>

extern FILE *limber_stdin, *limber_stdout, *limber_stderr;
FILE *limber_stdin, *limber_stdout, *limber_stderr;

__attribute__((constructor)) static void set_streams(void) {
  limber_stdin = stdin, limber_stdout = stdout, limber_stderr = stderr;
}
