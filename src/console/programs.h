// SPDX-License-Identifier: Apache-2.0
// Other programs that a command runs.
#ifndef LIMBER_CONSOLE_PROGRAMS_H
#define LIMBER_CONSOLE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The path of the first program that is installed. `names` ends with NULL. False: there is none.
bool program_find(const char *const *names, char *out, size_t size);

// Starts a program with descriptors: fd[i][0] becomes fd[i][1]; the list ends with -1. False: it cannot be started.
bool program_start(char *const *argv, const int (*fd)[2], pid_t *process);

#endif
