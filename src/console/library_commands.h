// SPDX-License-Identifier: Apache-2.0
// The commands that need the engine, as the program `limber` finds them in the library. Each returns the exit code.
#ifndef LIMBER_CONSOLE_LIBRARY_COMMANDS_H
#define LIMBER_CONSOLE_LIBRARY_COMMANDS_H

#include "console/console.h"

LIMBER_API int limber_command_check(const Arguments *a);
LIMBER_API int limber_command_run(const Arguments *a);
LIMBER_API int limber_command_resume(const Arguments *a);
LIMBER_API int limber_command_study(const Arguments *a);
LIMBER_API int limber_command_stability(const Arguments *a);
LIMBER_API int limber_command_floquet(const Arguments *a);
LIMBER_API int limber_command_static(const Arguments *a);
LIMBER_API int limber_command_modes(const Arguments *a);
LIMBER_API int limber_command_campbell(const Arguments *a);
LIMBER_API int limber_command_linearize(const Arguments *a);
LIMBER_API int limber_command_response(const Arguments *a);
LIMBER_API int limber_command_export(const Arguments *a);
LIMBER_API int limber_command_plot(const Arguments *a);
LIMBER_API int limber_command_view(const Arguments *a);
LIMBER_API int limber_command_report(const Arguments *a);
LIMBER_API int limber_command_compare(const Arguments *a);
LIMBER_API int limber_command_section(const Arguments *a);
LIMBER_API int limber_command_verify(const Arguments *a);
LIMBER_API int limber_command_version(const Arguments *a);
LIMBER_API int limber_command_licenses(const Arguments *a);

#endif
