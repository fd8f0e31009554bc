// SPDX-License-Identifier: Apache-2.0
// The commands that need the engine, as the program `limber` finds them in the library. Each returns the exit code.
#ifndef LIMBER_CONSOLE_LIBRARY_COMMANDS_H
#define LIMBER_CONSOLE_LIBRARY_COMMANDS_H

#include "console/console.h"

LIMBER_API int limber_command_check(const Arguments *a);
LIMBER_API int limber_command_run(const Arguments *a);
LIMBER_API int limber_command_resume(const Arguments *a);
LIMBER_API int limber_command_study(const Arguments *a);
LIMBER_API int limber_command_converge(const Arguments *a);
LIMBER_API int limber_command_gradient(const Arguments *a);
LIMBER_API int limber_command_fit(const Arguments *a);
LIMBER_API int limber_command_optimize(const Arguments *a);
LIMBER_API int limber_command_point_analysis(const Arguments *a);
LIMBER_API int limber_command_fmu(const Arguments *a);
LIMBER_API int limber_command_couple(const Arguments *a);
LIMBER_API int limber_command_export(const Arguments *a);
LIMBER_API int limber_command_plot(const Arguments *a);
LIMBER_API int limber_command_view(const Arguments *a);
LIMBER_API int limber_command_report(const Arguments *a);
LIMBER_API int limber_command_compare(const Arguments *a);
LIMBER_API int limber_command_body(const Arguments *a);
LIMBER_API int limber_command_section(const Arguments *a);
LIMBER_API int limber_command_verify(const Arguments *a);
LIMBER_API int limber_command_version(const Arguments *a);
LIMBER_API int limber_command_doctor(const Arguments *a);
LIMBER_API int limber_command_licenses(const Arguments *a);

// `limber converge` without printing; the exit code is that of the command (post/converge/converge.h).
struct Convergence;
Error converge_model(const Arguments *a, struct Convergence *out, int *code);

#endif
