// SPDX-License-Identifier: Apache-2.0
#include "fmu/module/run/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Library limber;

// Another copy of Limber in the process must not take the place of the one that the FMU contains. Sanitizers do not
// allow that, nor does Open MPI, which then finds another `environ` than the host's.
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__)
enum { SHARED = RTLD_NOW | RTLD_LOCAL, ALONE = SHARED | RTLD_DEEPBIND };
#else
enum { SHARED = RTLD_NOW | RTLD_LOCAL, ALONE = SHARED };
#endif

// The library beside this one, which an FMU of a Limber without MPI contains; else where the FMU was written; else
// where the system looks.
static void *open_library(const char *written, char *why, size_t size) {
  char path[4600];
  Dl_info own;
  void *handle = NULL;
  const char *slash = dladdr(&limber, &own) && own.dli_fname ? strrchr(own.dli_fname, '/') : NULL;
  if (slash) {
    snprintf(path, sizeof path, "%.*s/" LIMBER_LIBRARY, (int)(slash - own.dli_fname), own.dli_fname);
    if (!access(path, R_OK)) handle = dlopen(path, ALONE);
  }
  if (!handle && written && !access(written, R_OK)) handle = dlopen(written, SHARED);
  if (!handle) handle = dlopen(LIMBER_LIBRARY, SHARED);
  if (!handle) snprintf(why, size, "%s", dlerror());
  return handle;
}

// It is never ended: MPI cannot be started again, and the host may need it.
bool start_limber(const char *folder, const char *written, char *why, size_t size) {
  static bool started;
  static char program[] = "limber", quiet[] = "-no_signal_handler"; // signals are the host's
  char *words[] = {program, quiet, NULL}, **argv = words;
  int argc = 2;
  const char *missing = NULL;
  char units[4400];
  if (started) return true;
  snprintf(units, sizeof units, "%sunits/udunits2.xml", folder); // that of a Limber without MPI
  if (!access(units, R_OK)) setenv("UDUNITS2_XML_PATH", units, 0);
  void *handle = open_library(written, why, size);
  if (!handle) return false;
#define FIND(name) \
  if (!(limber.name = (__typeof__(&name))(intptr_t)dlsym(handle, #name))) missing = #name;
  LIMBER_FUNCTIONS(FIND)
  if (missing) return snprintf(why, size, "it has no function %s", missing), false;
  limber.limber_error_print(false);
  if (limber.LimberInitialize(&argc, &argv)) return snprintf(why, size, "%s", limber.limber_error()), false;
  started = true;
  return true;
}
