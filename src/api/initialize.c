// SPDX-License-Identifier: Apache-2.0
// Start and end of MPI, PETSc and SLEPc, and models on some of the ranks.
#include "assembly/communicator.h"
#include "limber/mpi.h"
#include "model/error.h"

#include <slepcsys.h>
#include <stdlib.h>

// Keeps the message for limber_error.
static PetscErrorCode RecordPetscError(MPI_Comm comm, int line, const char *function, const char *file,
                                       PetscErrorCode code, PetscErrorType type, const char *message, void *context) {
  if (type == PETSC_ERROR_INITIAL) error_store(message ? message : "");
  if (!error_prints()) return code;
  if (code == PETSC_ERR_FILE_WRITE) { // a full disk needs no traceback
    if (type == PETSC_ERROR_INITIAL) fprintf(stderr, "limber: %s\n", message ? message : "cannot write");
    return code;
  }
  return PetscTraceBackErrorHandler(comm, line, function, file, code, type, message, context);
}

// What a launcher of processes leaves in the environment: Open MPI, PMIx, PMI, Slurm.
static bool is_launched(void) {
  static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_FD", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
    if (getenv(marks[i])) return true;
  return false;
}

// Open MPI's settings for a process that will have no others to talk to: it then neither starts its daemon nor tries
// networks, which is most of the time that it takes to start. Other kinds of MPI do not look at them.
static const struct {
  const char *name, *value;
} alone[] = {{"OMPI_MCA_ess_singleton_isolated", "1"}, {"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_btl", "self"}};
enum { SETTINGS = sizeof alone / sizeof alone[0] };

static char **words; // of the command line, which PETSc reads until it ends

// PETSc would take options from a file .petscrc of the present folder, and they can load a library: what lies in a folder with a
// model must not decide what runs. Options come from the command line and from PETSC_OPTIONS.
static PetscErrorCode Initialize(int argc, char **argv) {
  static char skip[] = "-skip_petscrc", name[] = "limber";
  int count = 0;
  words = malloc(((size_t)argc + 3) * sizeof *words);
  if (!words) return PETSC_ERR_MEM;
  words[count++] = argc > 0 ? argv[0] : name;
  words[count++] = skip;
  for (int i = 1; i < argc; i++) words[count++] = argv[i];
  words[count] = NULL;
  return SlepcInitialize(&count, &words, NULL, NULL);
}

static PetscBool began; // SLEPc, and with it what of PETSc and MPI had not been started

int LimberInitialize(int *argc, char ***argv) {
  int running = 0;
  bool set[SETTINGS] = {false};
  PetscBool slepc = PETSC_FALSE;
  PetscErrorCode error = MPI_Initialized(&running);
  if (!error) error = SlepcInitialized(&slepc);
  if (error) return error;
  for (int i = 0; i < SETTINGS && !running && !is_launched(); i++) {
    set[i] = !getenv(alone[i].name); // the user's word stands
    if (set[i]) setenv(alone[i].name, alone[i].value, 0);
  }
  if (!slepc) error = Initialize(argc && argv ? *argc : 0, argv ? *argv : NULL);
  began = !slepc && !error;
  for (int i = 0; i < SETTINGS; i++)
    if (set[i]) unsetenv(alone[i].name); // programs started from here may be many
  return error ? error : PetscPushErrorHandler(RecordPetscError, NULL);
}

int LimberFinalize(void) {
  PetscErrorCode error = PetscPopErrorHandler();
  if (error || !began) return error;
  began = PETSC_FALSE;
  return SlepcFinalize();
}

int LimberModelCreateOn(MPI_Comm comm, LimberModel *model) {
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(model));
  PetscCall(ModelSetCommunicator(*model, comm));
  PetscFunctionReturn(0);
}
