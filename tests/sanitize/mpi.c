// SPDX-License-Identifier: Apache-2.0
// Part of liblimber under sanitizers only, by MPI's profiling interface: what MPI keeps from its start until the process
// ends is no leak of Limber. Leaks are sought before MPI ends, where the names of its parts are still known.
#include <mpi.h>
#include <sanitizer/lsan_interface.h>

#define SHOWN __attribute__((visibility("default")))

SHOWN int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given) {
  __lsan_disable();
  int error = PMPI_Init_thread(argc, argv, wanted, given);
  __lsan_enable();
  return error;
}

SHOWN int MPI_Init(int *argc, char ***argv) {
  __lsan_disable();
  int error = PMPI_Init(argc, argv);
  __lsan_enable();
  return error;
}

SHOWN int MPI_Finalize(void) {
  __lsan_do_leak_check();
  return PMPI_Finalize();
}
