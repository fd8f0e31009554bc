// SPDX-License-Identifier: Apache-2.0
// Files that a command writes, and what it prints to stdout. All that return false have said why.
#ifndef LIMBER_CONSOLE_OUTPUT_H
#define LIMBER_CONSOLE_OUTPUT_H

#include "console/console.h"
#include "files/output_file.h"

// Whether a file may and can be written, before work is spent on it.
bool check_output(const char *command, const Arguments *a, const char *path, FileKind kind);
bool begin_output(const char *command, const Arguments *a, const char *path, FileKind kind, OutputFile *f);
bool end_output(const char *command, OutputFile *f);

// At the end of a command: its exit code, or EXIT_MACHINE if what it printed could not be written. A pipe that nobody
// reads any more ends a command without a message, as it ends other programs; one that made a file has done its work.
ExitCode end_stdout(const char *command, bool makes_results, ExitCode code);

// From now on stdout and stderr keep control characters from a terminal.
void protect_terminal(void);

// Streams that are closed at the start are opened: the next file would take their place, and be written into.
void open_standard_streams(void);

#endif
