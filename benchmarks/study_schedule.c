// SPDX-License-Identifier: Apache-2.0
// What a study costs beside its runs: runs that only wait for a chosen time, done by forked workers or by ranks of MPI.
//   study_schedule FOLDER RUNS COLUMNS SECONDS_A_RUN WORKERS [BLOCK [in-place]]
//   mpiexec -n P study_schedule FOLDER RUNS COLUMNS SECONDS_A_RUN 0 [BLOCK [in-place]]
// Prints a line of numbers: wall time of the blocks, CPU time of a run, time of a block, of the table, bytes of a row.
#include "limber/limber.h"
#include "study/row.h"
#include "study/schedule.h"
#include "study/file.h"
#include "console/console.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

typedef struct {
  Study study;
  double seconds;
} Fake;

static void fake_values(const void *plan, uint64_t run, double *value) {
  (void)plan;
  value[0] = (double)run;
}

// Sleeps: many workers on few cores do not wait for each other.
static Error FakeRun(void *self, StudyRow *row, StudyWatch *w, bool *stopped) {
  const Fake *f = self;
  const StudyLayout *l = &f->study.layout;
  *stopped = w->stopped(w);
  if (f->seconds > 0)
    nanosleep(&(struct timespec){.tv_sec = (time_t)f->seconds, .tv_nsec = (long)(1e9 * fmod(f->seconds, 1))}, NULL);
  for (int i = 1; i < l->width; i++) row->value[i] = sin((double)row->run + i);
  row->steps = 50, row->time = 1;
  return 0;
}

static Error DoBlock(void *self, uint64_t task, StudyWatch *w, bool *stopped) {
  return StudyDoBlock(&((Fake *)self)->study, task, w, stopped);
}

static double cpu_seconds(int who) {
  struct rusage u;
  getrusage(who, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void create(Fake *f, const char *folder, uint64_t runs, int columns, double seconds, uint64_t block) {
  static char output[4200], blocks[4200], name[1000][16];
  static const char *names[1000], *units[1000];
  for (int i = 0; i < columns; i++) snprintf(name[i], sizeof name[i], "c%d", i), names[i] = name[i], units[i] = "1";
  snprintf(output, sizeof output, "%s/study.h5", folder);
  snprintf(blocks, sizeof blocks, "%s/study.blocks", folder);
  *f = (Fake){
      .seconds = seconds,
      .study = {.runs = runs,
                .block = block ? block : study_block_size(runs),
                .identity = "benchmark",
                .output = output,
                .folder = blocks,
                .layout = {.parameters = 1, .statistics = columns - 1, .width = columns, .name = names, .unit = units},
                .values = fake_values,
                .run = FakeRun,
                .title = "",
                .plan_file = "plan",
                .plan_text = "",
                .model_file = "model",
                .model_text = ""}};
  f->study.self = f;
}

static Error Measure(Fake *f, int workers, int first) {
  const Study *s = &f->study;
  uint64_t blocks = study_blocks(s), *task = NULL;
  StudyEnd end;
  Refusal wrong;
  struct stat file = {0};
  TRY(MemoryNew((size_t)blocks * sizeof *task, &task));
  for (uint64_t b = 0; b < blocks; b++) task[b] = b;
  if (first) ENSURE(study_folder_open(s, true, &wrong), ERROR_LIBRARY, "%s", wrong.text);
  StudyTasks t = {.count = blocks, .task = task, .work = DoBlock, .self = f};
  double start = clock_seconds(), cpu = cpu_seconds(RUSAGE_CHILDREN) + cpu_seconds(RUSAGE_SELF);
  if (workers) TRY(StudyFork(&t, workers, &end));
  else {
    MPI_Barrier(MPI_COMM_WORLD);
    start = clock_seconds();
    TRY(StudyOnRanks(MPI_COMM_WORLD, MPI_COMM_SELF, &t, &end));
  }
  double wall = clock_seconds() - start;
  cpu = cpu_seconds(RUSAGE_CHILDREN) + cpu_seconds(RUSAGE_SELF) - cpu;
  int ranks = 1;
  if (!workers)
    MPI_Comm_size(MPI_COMM_WORLD, &ranks), MPI_Allreduce(MPI_IN_PLACE, &cpu, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  memory_free(&task);
  if (!first) return 0;
  double table = clock_seconds();
  TRY(StudyTableMake(s));
  double made = clock_seconds() - table;
  TRY(StudyTableFinish(s));
  table = clock_seconds() - table;
  stat(s->output, &file);
  int all = workers ? workers : ranks;
  double waited = f->seconds * (double)s->runs / all;
  printf("workers %d runs %llu blocks %llu: wall %.3f s, of it runs %.3f s; CPU %.2f us a run, %.1f us a block; table "
         "%.3f s with removal of blocks %.3f s; %.1f bytes a row\n",
         all, (unsigned long long)s->runs, (unsigned long long)blocks, wall, waited, 1e6 * cpu / (double)s->runs,
         1e6 * cpu / (double)blocks, made, table, (double)file.st_size / (double)s->runs);
  return 0;
}

int main(int argc, char **argv) {
  Fake f;
  int rank = 0, workers = argc > 5 ? atoi(argv[5]) : 0;
  if (argc < 6) return fprintf(stderr, "study_schedule FOLDER RUNS COLUMNS SECONDS WORKERS [BLOCK [in-place]]\n"), 2;
  create(&f, argv[1], strtoull(argv[2], NULL, 10), atoi(argv[3]), atof(argv[4]),
         argc > 6 ? strtoull(argv[6], NULL, 10) : 0);
  f.study.in_place = argc > 7;
  if (!workers && LimberInitialize(&(int){1}, &argv)) return 3;
  if (!workers) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int bad = Measure(&f, workers, !rank) != 0;
  return workers ? bad : bad + LimberFinalize();
}
