// SPDX-License-Identifier: Apache-2.0
// `limber run` of a model that asks for an accuracy: the step is halved until the error bars are narrow enough, and the
// results are those of the shortest step, with their error bars (docs/error_bars.md).
#ifndef LIMBER_APP_ACCURACY_H
#define LIMBER_APP_ACCURACY_H

#include "app/command.h"
#include "app/family.h"

// The results can be written to the path of the request (CanWriteResults). Collective.
Error RunToAccuracy(const Arguments *a, const CommandRequest *request, Input *in, ExitCode *code);

#endif
