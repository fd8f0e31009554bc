// SPDX-License-Identifier: Apache-2.0
// The commands that need the engine, as the program `limber` finds them in the library. Each returns the exit code.
#ifndef LIMBER_ENGINE_ENGINE_H
#define LIMBER_ENGINE_ENGINE_H

#include "console/console.h"

LIMBER_API int limber_engine_run(const Arguments *a);
LIMBER_API int limber_engine_resume(const Arguments *a);
LIMBER_API int limber_engine_export(const Arguments *a);
LIMBER_API int limber_engine_plot(const Arguments *a);
LIMBER_API int limber_engine_view(const Arguments *a);
LIMBER_API int limber_engine_report(const Arguments *a);
LIMBER_API int limber_engine_compare(const Arguments *a);
LIMBER_API int limber_engine_verify(const Arguments *a);
LIMBER_API int limber_engine_version(const Arguments *a);

#endif
