// SPDX-License-Identifier: Apache-2.0
// Blocks, journals, workers and the table of a study, with runs that only pretend: the table has the same bytes whoever did the runs,
// and a run that ends its process ends nothing else.
#define _GNU_SOURCE // mkdtemp
#include "check.h"
#include "model/refusal.h"
#include "results/read/study_table.h"
#include "study/row.h"
#include "study/schedule.h"
#include "study/file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 1000, BLOCK = 30, NOBODY = -1 };

typedef struct {
  Study study;
  char work[200], output[300], folder[300];
  long crash, error, hang, killed; // runs that do so; NOBODY: none does
  bool killed_once;                // it was bad luck
  double length;                   // s of a run
} Fake;

static void sleep_for(double seconds) {
  nanosleep(&(struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * fmod(seconds, 1))}, NULL);
}

static void fake_values(const void *plan, uint64_t run, double *value) {
  (void)plan;
  value[0] = 0.1 * (double)run;
}

// Whether it is the first time.
static bool mark(const Fake *f) {
  char path[400];
  snprintf(path, sizeof path, "%s/mark", f->work);
  int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static Error FakeRun(void *self, StudyRow *row, StudyWatch *w, bool *stopped) {
  Fake *f = self;
  long run = (long)row->run;
  *stopped = w->stopped(w);
  if (f->length > 0) sleep_for(f->length);
  if (run == f->crash) signal(SIGSEGV, SIG_DFL), raise(SIGSEGV); // a sanitizer would catch it
  if (run == f->error) return error_report(ERROR_LIBRARY, "src/fake.c", 1, "the run is broken");
  if (run == f->hang) sleep_for(100);
  if (run == f->killed && (!f->killed_once || mark(f))) raise(SIGKILL);
  row->steps = run % 7, row->time = 1, row->balance = 1e-12, row->constraint = 1e-13;
  row->value[1] = sin((double)run), row->value[2] = row->value[0] * row->value[0];
  if (run % 100 == 99) study_row_end(row, RUN_NO_CONVERGENCE, "hinge 'a'");
  return 0;
}

static void fake_open(Fake *f) {
  static const char *const names[] = {"let.a", "tip.z max", "tip.z mean"}, *const units[] = {"m", "m", "m"};
  const char *folder = getenv("TMPDIR");
  *f = (Fake){.crash = NOBODY, .error = NOBODY, .hang = NOBODY, .killed = NOBODY};
  snprintf(f->work, sizeof f->work, "%s/limber_study_XXXXXX", folder ? folder : "/tmp");
  CHECK(mkdtemp(f->work));
  snprintf(f->output, sizeof f->output, "%s/study.h5", f->work);
  snprintf(f->folder, sizeof f->folder, "%s/study.blocks", f->work);
  f->study = (Study){.runs = RUNS,
                     .block = BLOCK,
                     .identity = "063456789abcdef",
                     .output = f->output,
                     .folder = f->folder,
                     .layout = {.parameters = 1, .statistics = 2, .width = 3, .name = names, .unit = units},
                     .values = fake_values,
                     .run = FakeRun,
                     .self = f,
                     .title = "",
                     .plan_file = "plan.yaml",
                     .plan_text = "plan",
                     .model_file = "model.yaml",
                     .model_text = "model"};
}

static void fake_close(Fake *f) {
  study_folder_remove(&f->study);
  char path[400];
  snprintf(path, sizeof path, "%s/mark", f->work);
  unlink(path);
  unlink(f->output);
  CHECK(!rmdir(f->work)); // nothing else is left
}

static Error DoBlock(void *self, uint64_t task, StudyWatch *w, bool *stopped) {
  return StudyDoBlock(&((Fake *)self)->study, task, w, stopped);
}

static Error FakeBlocks(Fake *f, int part, int parts, int workers, StudyEnd *end) {
  Refusal wrong;
  uint64_t task[RUNS], count = 0;
  *end = STUDY_BROKEN_MACHINE;
  if (!CHECK(study_folder_open(&f->study, false, &wrong))) return 0;
  for (uint64_t b = 0; b < study_blocks(&f->study); b++)
    if ((int)b % parts == part && !study_block_is_done(&f->study, b)) task[count++] = b;
  StudyTasks t = {.count = count,
                  .task = task,
                  .work = DoBlock,
                  .self = f,
                  .time_limit = f->study.time_limit,
                  .stop_at_failure = f->study.stop_at_failure};
  return StudyFork(&t, workers, end);
}

static void fake_study(Fake *f, int workers) {
  StudyEnd end;
  CHECK(!FakeBlocks(f, 0, 1, workers, &end));
  CHECK_INT(end, STUDY_ALL_DONE);
  CHECK(!StudyTableMake(&f->study));
  CHECK(!StudyTableFinish(&f->study));
}

static char *bytes_of(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  char *data = malloc(1 << 22);
  *size = f ? fread(data, 1, 1 << 22, f) : 0;
  if (f) fclose(f);
  return data;
}

static void check_same(const Fake *a, const Fake *b) {
  size_t n[2];
  char *data[2] = {bytes_of(a->output, &n[0]), bytes_of(b->output, &n[1])};
  CHECK(n[0] > 1000);
  CHECK_INT((int)n[0], (int)n[1]);
  CHECK(n[0] == n[1] && !memcmp(data[0], data[1], n[0]));
  free(data[0]), free(data[1]);
}

static double number_at(const char *path, const char *column, long run) {
  StudyTable *t;
  Refusal wrong;
  double value = -1;
  if (CHECK(study_table_open(path, &t, &wrong)))
    CHECK(study_table_read(t, study_table_find(t, column), run, 1, &value));
  study_table_close(&t);
  return value;
}

static void check_cause(const Fake *f, long run, const char *start) {
  StudyTable *t;
  Refusal wrong;
  char text[1][STUDY_CAUSE_TEXT] = {""};
  if (CHECK(study_table_open(f->output, &t, &wrong))) CHECK(study_table_causes(t, run, 1, text));
  study_table_close(&t);
  CHECK_NOTE("cause of run %ld: %s", run, text[0]);
  CHECK(!strncmp(text[0], start, strlen(start)));
}

TEST(the_size_of_a_block_follows_from_the_number_of_runs) {
  CHECK_INT((int)study_block_size(1), 1);
  CHECK_INT((int)study_block_size(1000), 1);
  CHECK_INT((int)study_block_size(1001), 2);
  CHECK_INT((int)study_block_size(1000000), 1000);
  CHECK_INT((int)study_block_size(100000000), 10000);
  for (uint64_t runs = 1; runs < 5000; runs += 37) {
    Study s = {.runs = runs, .block = study_block_size(runs)};
    uint64_t first, rows, sum = 0;
    for (uint64_t b = 0; b < study_blocks(&s); b++) study_block_range(&s, b, &first, &rows), sum += rows;
    CHECK_INT((int)sum, (int)runs);
    CHECK_INT((int)(first + rows), (int)runs);
  }
}

TEST(one_worker_and_three_give_the_same_bytes) {
  Fake a, b;
  fake_open(&a), fake_open(&b);
  fake_study(&a, 1), fake_study(&b, 3);
  check_same(&a, &b);
  CHECK_NEAR(number_at(a.output, "tip.z max", 634), sin(634), 0);
  CHECK_NEAR(number_at(a.output, "let.a", 634), 0.1 * 634, 0);
  CHECK_NEAR(number_at(a.output, "steps", 634), 634 % 7, 0);
  CHECK_NEAR(number_at(a.output, "status", 599), RUN_NO_CONVERGENCE, 0);
  check_cause(&a, 599, "hinge 'a'");
  check_cause(&a, 598, "");
  CHECK(access(a.folder, F_OK));
  fake_close(&a), fake_close(&b);
}

TEST(parts_of_a_study_give_the_same_bytes) {
  Fake a, b;
  StudyEnd end;
  fake_open(&a), fake_open(&b);
  fake_study(&a, 2);
  for (int part = 2; part >= 0; part--) {
    CHECK(!FakeBlocks(&b, part, 3, 2, &end));
    CHECK_INT(end, STUDY_ALL_DONE);
  }
  fake_study(&b, 1); // nothing is left to do
  check_same(&a, &b);
  fake_close(&a), fake_close(&b);
}

TEST(a_study_killed_ten_times_gives_the_same_bytes) {
  Fake a, b;
  int killed = 0;
  fake_open(&a), fake_open(&b);
  fake_study(&a, 2);
  b.length = 1e-4;
  for (int i = 0; i < 10; i++) {
    StudyEnd end;
    pid_t pid = fork();
    if (!pid) {
      FakeBlocks(&b, 0, 1, 2, &end);
      _exit(0);
    }
    sleep_for(0.01 + 0.01 * i);
    kill(pid, SIGKILL);
    int status;
    waitpid(pid, &status, 0);
    killed += WIFSIGNALED(status);
    sleep_for(0.02); // its workers end with it
  }
  CHECK_NOTE("killed %d times", killed);
  CHECK_LE(2, killed);
  b.length = 0;
  fake_study(&b, 2);
  check_same(&a, &b);
  fake_close(&a), fake_close(&b);
}

TEST(a_run_that_crashes_ends_no_other) {
  Fake f;
  fake_open(&f);
  f.crash = 634;
  fake_study(&f, 2);
  CHECK_NEAR(number_at(f.output, "status", 634), RUN_CRASHED, 0);
  check_cause(&f, 634, "ended by signal 11");
  CHECK(isnan(number_at(f.output, "tip.z max", 634)));
  CHECK_NEAR(number_at(f.output, "let.a", 634), 0.1 * 634, 0);
  for (long run = 630; run < 640; run++)
    if (run != 634) CHECK_NEAR(number_at(f.output, "tip.z max", run), sin((double)run), 0);
  fake_close(&f);
}

TEST(a_run_with_an_error_of_the_program_has_crashed_and_tells_it) {
  Fake f;
  fake_open(&f);
  f.error = 17;
  fake_study(&f, 2);
  CHECK_NEAR(number_at(f.output, "status", 17), RUN_CRASHED, 0);
  check_cause(&f, 17, "the run is broken");
  CHECK_NEAR(number_at(f.output, "status", 18), RUN_FINISHED, 0);
  fake_close(&f);
}

TEST(a_worker_that_somebody_kills_is_replaced_and_changes_nothing) {
  Fake a, b;
  fake_open(&a), fake_open(&b);
  b.killed = 333, b.killed_once = true;
  fake_study(&a, 2), fake_study(&b, 2);
  check_same(&a, &b);
  fake_close(&a), fake_close(&b);
}

TEST(a_run_that_is_killed_twice_has_crashed) {
  Fake f;
  fake_open(&f);
  f.killed = 333;
  fake_study(&f, 2);
  CHECK_NEAR(number_at(f.output, "status", 333), RUN_CRASHED, 0);
  check_cause(&f, 333, "ended by signal 9");
  CHECK_NEAR(number_at(f.output, "status", 334), RUN_FINISHED, 0);
  fake_close(&f);
}

TEST(a_run_that_hangs_is_ended_after_the_time_limit) {
  Fake f;
  fake_open(&f);
  f.hang = 800, f.study.time_limit = 0.1;
  fake_study(&f, 2);
  CHECK_NEAR(number_at(f.output, "status", 800), RUN_TIMEOUT, 0);
  CHECK_NEAR(number_at(f.output, "status", 801), RUN_FINISHED, 0);
  fake_close(&f);
}

TEST(a_study_stops_at_a_failure_where_that_is_asked_for) {
  Fake f;
  StudyEnd end;
  fake_open(&f);
  f.study.stop_at_failure = true, f.length = 1e-4;
  CHECK(!FakeBlocks(&f, 0, 1, 2, &end));
  CHECK_INT(end, STUDY_FAILED_RUN);
  CHECK(!study_block_is_done(&f.study, study_blocks(&f.study) - 1));
  fake_close(&f);
}

TEST(a_table_in_place_has_the_same_rows_as_one_that_is_copied) {
  Fake a, b;
  fake_open(&a), fake_open(&b);
  b.study.in_place = b.study.hdf5_blocks = true;
  fake_study(&a, 2), fake_study(&b, 2);
  for (long run = 0; run < RUNS; run += 99) {
    CHECK_NEAR(number_at(a.output, "tip.z mean", run), number_at(b.output, "tip.z mean", run), 0);
    CHECK_NEAR(number_at(a.output, "status", run), number_at(b.output, "status", run), 0);
  }
  check_cause(&b, 99, "hinge 'a'");
  fake_close(&a), fake_close(&b);
}

// ---- journals ----

static void write_journal(const Fake *f, const char *path, uint64_t rows) {
  Journal j;
  StudyRow *row = calloc(1, study_row_size(&f->study.layout));
  CHECK(!JournalOpen(path, f->study.identity, &f->study.layout, 100, 1000, &j));
  for (uint64_t i = j.rows; i < rows; i++) {
    study_row_clear(&f->study.layout, 100 + i, row);
    row->value[0] = (double)i, row->value[1] = row->value[2] = 0;
    CHECK(!JournalAppend(&j, row));
  }
  CHECK(!JournalClose(&j));
  free(row);
}

static int rows_of(const Fake *f, const char *path) {
  Journal j;
  CHECK(!JournalOpen(path, f->study.identity, &f->study.layout, 100, 1000, &j));
  int rows = (int)j.rows;
  CHECK(!JournalClose(&j));
  return rows;
}

TEST(a_journal_goes_on_after_its_last_row_that_is_whole) {
  Fake f;
  char path[400];
  const int head = 128;
  fake_open(&f);
  int size = (int)study_row_size(&f.study.layout);
  snprintf(path, sizeof path, "%s/j", f.work);
  write_journal(&f, path, 50);
  CHECK_INT(rows_of(&f, path), 50);
  CHECK(!truncate(path, head + 20 * size + size / 2)); // a row that was cut off
  CHECK_INT(rows_of(&f, path), 20);
  write_journal(&f, path, 60);
  int fd = open(path, O_RDWR);
  CHECK(pwrite(fd, "x", 1, head + 30 * size + 40) == 1); // a byte that is wrong
  close(fd);
  CHECK_INT(rows_of(&f, path), 30);
  CHECK(!truncate(path, 10)); // not even its head
  CHECK_INT(rows_of(&f, path), 0);
  write_journal(&f, path, 5);
  strcpy(f.study.identity, "another");
  CHECK_INT(rows_of(&f, path), 0);
  unlink(path);
  fake_close(&f);
}

TEST(a_block_that_was_damaged_is_done_again) {
  Fake a, b;
  StudyEnd end;
  char path[400];
  fake_open(&a), fake_open(&b);
  fake_study(&a, 1);
  CHECK(!FakeBlocks(&b, 0, 1, 1, &end));
  study_block_path(&b.study, 7, "rows", path, sizeof path);
  CHECK(!truncate(path, 1000)); // as after a power failure
  CHECK(!StudyTableMake(&b.study));
  CHECK(!study_block_is_done(&b.study, 7));
  CHECK(study_block_is_done(&b.study, 8));
  study_table_draft(&b.study, path, sizeof path);
  CHECK(access(path, F_OK));
  fake_study(&b, 1);
  check_same(&a, &b);
  fake_close(&a), fake_close(&b);
}

TEST(blocks_that_are_done_can_still_become_a_table_in_place) {
  Fake a, b;
  StudyEnd end;
  fake_open(&a), fake_open(&b);
  a.study.in_place = a.study.hdf5_blocks = true;
  fake_study(&a, 1);
  CHECK(!FakeBlocks(&b, 0, 1, 1, &end));
  b.study.in_place = b.study.hdf5_blocks = true;
  fake_study(&b, 1);
  check_same(&a, &b);
  CHECK_NEAR(number_at(b.output, "tip.z max", 77), sin(77), 0);
  fake_close(&a), fake_close(&b);
}

// ---- folders ----

TEST(a_folder_of_another_study_is_refused_and_taken_by_force) {
  Fake f;
  StudyEnd end;
  Refusal wrong = {.text = ""};
  fake_open(&f);
  CHECK(!FakeBlocks(&f, 0, 1, 2, &end));
  CHECK(study_block_is_done(&f.study, 0));
  strcpy(f.study.identity, "another");
  CHECK(!study_folder_open(&f.study, false, &wrong));
  CHECK(strstr(wrong.text, "another study file"));
  CHECK(study_folder_open(&f.study, true, &wrong));
  CHECK(!study_block_is_done(&f.study, 0));
  fake_close(&f);
}

// Another process that holds the folder until its pipe is closed.
typedef struct {
  pid_t pid;
  int out;
} Holder;

static Holder hold(const Fake *f, int part, int parts) {
  int ready[2], stay[2];
  Refusal wrong;
  char byte = 0;
  CHECK(!pipe(ready) && !pipe(stay));
  pid_t pid = fork();
  if (!pid) {
    close(stay[1]);
    byte = study_folder_claim(&f->study, part, parts, &wrong);
    if (write(ready[1], &byte, 1) != 1 || read(stay[0], &byte, 1) != 0) _exit(1);
    _exit(0);
  }
  CHECK(read(ready[0], &byte, 1) == 1 && byte);
  close(ready[0]), close(ready[1]), close(stay[0]);
  return (Holder){pid, stay[1]};
}

static void let_go(Holder *h) {
  close(h->out);
  waitpid(h->pid, NULL, 0);
}

static bool may(const Fake *f, int part, int parts) {
  Refusal wrong = {.text = ""};
  bool can = study_folder_claim(&f->study, part, parts, &wrong);
  if (can) study_folder_release();
  else CHECK(strstr(wrong.text, "already being run"));
  return can;
}

TEST(two_studies_do_not_write_the_same_folder) {
  Fake f;
  Refusal wrong;
  fake_open(&f);
  CHECK(study_folder_open(&f.study, false, &wrong));
  Holder all = hold(&f, 0, 0);
  CHECK(!may(&f, 0, 0));
  CHECK(!may(&f, 0, 3));
  let_go(&all);
  CHECK(may(&f, 0, 0));
  Holder part = hold(&f, 0, 3);
  CHECK(!may(&f, 0, 0));
  CHECK(!may(&f, 0, 3));
  CHECK(may(&f, 1, 3));
  let_go(&part);
  CHECK(may(&f, 0, 0));
  fake_close(&f);
}

CHECK_MAIN
