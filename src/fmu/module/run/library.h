// SPDX-License-Identifier: Apache-2.0
// liblimber, which is found when the first instance is made, so that a host gets a message in place of a library that
// does not load.
#ifndef LIMBER_FMU_MODULE_RUN_LIBRARY_H
#define LIMBER_FMU_MODULE_RUN_LIBRARY_H

#include "limber/limber.h"

#include <stddef.h>

// The functions of Limber that an FMU calls.
#define LIMBER_FUNCTIONS(X) \
  X(LimberInitialize) \
  X(limber_version) \
  X(limber_ranks) \
  X(limber_error) \
  X(limber_error_print) \
  X(limber_read_options_default) \
  X(LimberFileRead) \
  X(LimberFileDestroy) \
  X(limber_file_errors) \
  X(limber_file_diagnostics) \
  X(limber_file_model) \
  X(limber_file_options) \
  X(LimberFileStart) \
  X(limber_model_diagnostics) \
  X(limber_model_find_function) \
  X(LimberModelSetSignal) \
  X(LimberRunDestroy) \
  X(LimberRunStepTo) \
  X(LimberRunSave) \
  X(LimberRunRestore) \
  X(limber_run_time) \
  X(limber_run_events) \
  X(limber_reason_name) \
  X(LimberRecordCreate) \
  X(LimberRecordDestroy) \
  X(limber_record_columns) \
  X(LimberRecordRow) \
  X(LimberRecordSave) \
  X(LimberRecordRestore)

#define MEMBER(name) __typeof__(&name) name;
typedef struct {
  LIMBER_FUNCTIONS(MEMBER)
} Library;
extern Library limber;

// Starts Limber once in a process. `folder`: the resources; `written`: where the library was when the FMU was written,
// or NULL. False: `why` says what is missing.
bool start_limber(const char *folder, const char *written, char *why, size_t size);

#endif
