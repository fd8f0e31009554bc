// SPDX-License-Identifier: Apache-2.0
// Start and end of MPI, PETSc and SLEPc, and models on some of the ranks.
#include "assembly/ranks.h"
#include "assembly/slepc.h"
#include "console/console.h"
#include "files/folder.h"
#include "limber/mpi.h"
#include "model/error.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// How much memory there is, where none is left: without any of its own.
static void describe_memory(char *text, size_t size) {
  char words[100] = "";
  struct rlimit limit;
  int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t got = fd >= 0 ? read(fd, words, sizeof words - 1) : 0;
  if (fd >= 0) close(fd);
  double used = got > 0 ? strtod(words, NULL) * (double)sysconf(_SC_PAGESIZE) : 0;
  size_t n = (size_t)snprintf(text, size, "out of memory: the process has %.3g GB and gets no more", 1e-9 * used);
  if (n < size && !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
    snprintf(text + n, size - n, "; its limit is %.3g GB (ulimit -v)", 1e-9 * (double)limit.rlim_cur);
}

// Keeps the message for limber_error.
static PetscErrorCode RecordPetscError(MPI_Comm comm, int line, const char *function, const char *file,
                                       PetscErrorCode code, PetscErrorType type, const char *message, void *context) {
  static bool memory_ended; // by the last error
  char memory[200];
  if (type == PETSC_ERROR_INITIAL) memory_ended = code == PETSC_ERR_MEM || strstr(file, "memory/mal");
  if (type == PETSC_ERROR_INITIAL && memory_ended && !(message && strstr(message, "memory"))) {
    describe_memory(memory, sizeof memory);
    message = memory;
  }
  // in PETSc 3.18 the code is first the line of the caller, and then 1
  if (memory_ended && (type == PETSC_ERROR_INITIAL || code < PETSC_ERR_MEM)) code = PETSC_ERR_MEM;
  if (type == PETSC_ERROR_INITIAL) error_store(message ? message : "");
  if (!error_prints()) return code;
  if (code == PETSC_ERR_FILE_WRITE || code == PETSC_ERR_MEM) { // a full disk or memory needs no traceback
    if (type == PETSC_ERROR_INITIAL) fprintf(stderr, "limber: %s\n", message ? message : "cannot write");
    return code;
  }
  return PetscTraceBackErrorHandler(comm, line, function, file, code, type, message, context);
}

// Open MPI's settings for a process that will have no others to talk to: it then neither starts its daemon nor tries
// networks, which is most of the time that it takes to start, nor makes a folder for them to meet, for which there may
// be no room. Other kinds of MPI do not look at them.
static const char *const alone[][2] = {{"OMPI_MCA_ess_singleton_isolated", "1"},
                                       {"OMPI_MCA_pml", "ob1"},
                                       {"OMPI_MCA_btl", "self"},
                                       {"OMPI_MCA_orte_create_session_dirs", "0"}};
enum { SETTINGS = sizeof alone / sizeof alone[0] };

#ifdef PETSC_HAVE_MPIUNI
// Processes that do not know of each other would all do the same and write the same file.
static int RefuseCompany(void) {
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                      "SLURM_STEP_NUM_TASKS"};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const char *size = getenv(sizes[i]);
    if (!size || atoi(size) < 2) continue;
    char message[300];
    snprintf(message, sizeof message,
             "this Limber was built without MPI and runs as one process; %s processes were started. Start it without "
             "mpiexec, or use a Limber with MPI (for separate runs: `env -u %s limber ...`)",
             size, sizes[i]);
    error_store(message);
    if (error_prints()) fprintf(stderr, "limber: %s\n", message);
    return PETSC_ERR_SUP;
  }
  return 0;
}
#else
static int RefuseCompany(void) { return 0; }
#endif

// What the environment was, to be put back: programs started from here may be many.
typedef struct {
  bool set[SETTINGS];
  bool moved; // TMPDIR
  char *folder;
} Environment;

static void set_environment(Environment *e) {
  *e = (Environment){.moved = false};
  if (is_launched()) return;
  for (int i = 0; i < SETTINGS; i++) {
    e->set[i] = !getenv(alone[i][0]); // the user's word stands
    if (e->set[i]) setenv(alone[i][0], alone[i][1], 0);
  }
  if (!temporary_folder_differs()) return; // Open MPI 5 makes the folder all the same
  const char *before = getenv("TMPDIR");
  e->moved = true, e->folder = before ? strdup(before) : NULL;
  setenv("TMPDIR", temporary_folder(), 1);
}

static void put_environment_back(Environment *e) {
  for (int i = 0; i < SETTINGS; i++)
    if (e->set[i]) unsetenv(alone[i][0]);
  if (e->moved && e->folder) setenv("TMPDIR", e->folder, 1);
  else if (e->moved) unsetenv("TMPDIR");
  free(e->folder);
}

static char **words; // of the command line, which PETSc reads until it ends

// PETSc would take options from a file .petscrc of the present folder, and they can load a library: what lies in a
// folder with a model must not decide what runs. Options come from the command line and from PETSC_OPTIONS.
static PetscErrorCode Initialize(int argc, char **argv) {
  static char skip[] = "-skip_petscrc", name[] = "limber";
  int count = 0;
  words = malloc(((size_t)argc + 3) * sizeof *words);
  if (!words) return error_report(ERROR_MEMORY, __FILE__, __LINE__, "out of memory at the start");
  words[count++] = argc > 0 ? argv[0] : name;
  words[count++] = skip;
  for (int i = 1; i < argc; i++) words[count++] = argv[i];
  words[count] = NULL;
  error_store("");
  PetscErrorCode error = SlepcInitialize(&count, &words, NULL, NULL);
  if (!error || *limber_error()) return error;
  char memory[200]; // some functions that read options return a code without a message when an allocation fails
  describe_memory(memory, sizeof memory);
  return error_report(error == PETSC_ERR_MEM ? ERROR_MEMORY : error, __FILE__, __LINE__, "%s",
                      error == PETSC_ERR_MEM ? memory : "PETSc does not start");
}

// PETSc's own handler of errors needs what PETSc has not started yet. Ours stays until the process ends: PETSc may free
// memory in another way after its start.
static PetscErrorCode ReportEarlyErrors(void) {
  static bool done;
  if (done) return 0;
  done = !PetscPushErrorHandler(RecordPetscError, NULL);
  return done ? 0 : error_report(ERROR_MEMORY, __FILE__, __LINE__, "out of memory at the start");
}

static PetscBool began; // SLEPc, and with it what of PETSc and MPI had not been started

int LimberInitialize(int *argc, char ***argv) {
  int running = 0;
  Environment environment = {.moved = false};
  PetscBool slepc = PETSC_FALSE;
  PetscErrorCode error = RefuseCompany();
  if (!error) error = MPI_Initialized(&running);
  if (!error) error = SlepcInitialized(&slepc);
  if (error) return error;
  if (!running) set_environment(&environment);
  if (!slepc) error = ReportEarlyErrors();
  if (!slepc && !error) error = Initialize(argc && argv ? *argc : 0, argv ? *argv : NULL);
  began = began || (!slepc && !error);
  put_environment_back(&environment);
  return error ? error : PetscPushErrorHandler(RecordPetscError, NULL);
}

int LimberFinalize(void) {
  PetscErrorCode error = PetscPopErrorHandler();
  if (error || !began) return error;
  began = PETSC_FALSE;
  return SlepcFinalize();
}

int limber_ranks(void) {
  int running = 0, ranks = 1;
  if (!MPI_Initialized(&running) && running) MPI_Comm_size(model_communicator(NULL), &ranks);
  return ranks;
}

int limber_rank(void) {
  int running = 0, rank = 0;
  if (!MPI_Initialized(&running) && running) MPI_Comm_rank(model_communicator(NULL), &rank);
  return rank;
}

// FNV-1a
static unsigned hash_of(const char *text, unsigned key) {
  unsigned hash = 2166136261u ^ key;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

int LimberAgree(const char *what, unsigned key) {
  PetscFunctionBegin;
  PetscCheck(what, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "LimberAgree needs a text");
  unsigned hash = hash_of(what, key), range[2] = {hash, ~hash}, most[2] = {hash, ~hash};
  if (limber_ranks() > 1) PetscCallMPI(MPI_Allreduce(range, most, 2, MPI_UNSIGNED, MPI_MAX, model_communicator(NULL)));
  PetscCheck(most[0] == ~most[1], PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP,
             "the processes do not do the same: this one is at %s, another is at another call or has other values",
             what);
  PetscFunctionReturn(0);
}

void limber_abort(int code) {
  int running = 0;
  if (!MPI_Initialized(&running) && running) MPI_Abort(model_communicator(NULL), code);
  _Exit(code);
}

int LimberModelCreateOn(MPI_Comm comm, LimberModel *model) {
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(model));
  PetscCall(ModelSetCommunicator(*model, comm));
  PetscFunctionReturn(0);
}
