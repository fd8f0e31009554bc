// SPDX-License-Identifier: Apache-2.0
// The commands of `limber`. A command is one file that ends in one descriptor, and one line in commands.def. The
// program starts in milliseconds because it knows no PETSc: a command that needs the engine names the function of
// liblimber that does its work (src/post, src/app), and the library is loaded then.
#ifndef LIMBER_CLI_COMMAND_H
#define LIMBER_CLI_COMMAND_H

#include "console/console.h"

#define POINT_ANALYSIS(name, help) // has its command in its descriptor (input/analyses/point_analysis.h)
#define COMMAND(name)              extern const Command command_##name;
#include "cli/commands.def"
#undef COMMAND
#undef POINT_ANALYSIS
extern const Command *const commands[]; // ends with NULL

// Does the work of a command in the library, by the name of its function.
ExitCode call_engine(const char *function, const Arguments *a);

extern const BrowserControl browser_control; // of Chromium

// The model files of src/cli/templates, compiled into the program (cmake/Templates.cmake).

typedef struct {
  const char *name, *text;
} Template;

extern const Template templates[]; // ends with a NULL name

#endif
