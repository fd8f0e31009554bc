// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include "files/claim.h"
#include "files/folder.h"
#include "model/refusal.h"
#include "results/read/study_table.h"
#include "study/file.h"
#include "study/row.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A thousand blocks; of more than a million runs as many blocks as each has rows. One worker more than there are blocks
// has nothing to do, and each block is a file.
uint64_t study_block_size(uint64_t runs) {
  const uint64_t blocks = 1000;
  return runs <= blocks * blocks ? (runs + blocks - 1) / blocks : (uint64_t)ceil(sqrt((double)runs));
}

uint64_t study_blocks(const Study *s) { return (s->runs + s->block - 1) / s->block; }

void study_block_range(const Study *s, uint64_t block, uint64_t *first, uint64_t *rows) {
  *first = block * s->block;
  *rows = s->runs - *first < s->block ? s->runs - *first : s->block;
}

void study_block_path(const Study *s, uint64_t block, const char *ending, char *path, size_t size) {
  snprintf(path, size, "%s/%06llu.%s", s->folder, (unsigned long long)block, ending);
}

static bool has_file(const Study *s, uint64_t block, const char *ending) {
  char path[4200];
  study_block_path(s, block, ending, path, sizeof path);
  return !access(path, F_OK);
}

bool study_block_is_done(const Study *s, uint64_t block) {
  return has_file(s, block, "h5") || (!s->hdf5_blocks && has_file(s, block, "rows"));
}

// ---- rows of a block ----

enum { SLICE = 1024 };

static Error VisitJournal(const Journal *j, StudyVisit visit, void *self) {
  void *rows = NULL;
  TRY(MemoryNew(SLICE * j->row_size, &rows));
  for (uint64_t done = 0, n; done < j->rows; done += n) {
    n = j->rows - done < SLICE ? j->rows - done : SLICE;
    TRY(JournalRead(j, done, n, rows));
    TRY(visit(self, n, rows));
  }
  memory_free(&rows);
  return 0;
}

// Which place of a row a column of the table has, where `number` counts those that are no outcomes; NULL: a whole
// number.
static bool is_number(const StudyColumn *c) { return c->kind != STUDY_OUTCOME || !strcmp(c->set, "/chosen"); }

static double *number_of(StudyRow *row, const StudyColumn *c, int number) {
  if (is_number(c)) return &row->value[number];
  if (!strcmp(c->name, "time")) return &row->time;
  if (!strcmp(c->name, "balance_error")) return &row->balance;
  return strcmp(c->name, "constraint") ? NULL : &row->constraint;
}

static bool set_whole(StudyRow *row, const StudyColumn *c, double value) {
  bool status = !strcmp(c->name, "status");
  if (status) row->status = value >= 0 && value < RUN_STATUSES ? (int64_t)value : -1;
  else if (!strcmp(c->name, "steps")) row->steps = value >= 0 && value < 1e18 ? (int64_t)value : -1;
  return !status || row->status >= 0;
}

static bool read_slice(StudyTable *t, const StudyLayout *l, uint64_t from, uint64_t count, double *column, char *rows) {
  char(*cause)[STUDY_CAUSE_TEXT] = (void *)column;
  size_t size = study_row_size(l);
  bool good = study_table_causes(t, (long)from, (long)count, cause);
  for (uint64_t i = 0; good && i < count; i++) memcpy(((StudyRow *)(rows + i * size))->cause, cause[i], STUDY_CAUSE);
  for (int c = 0, numbers = 0; good && c < study_table_columns(t); c++) {
    const StudyColumn *what = study_table_column(t, c);
    good = study_table_read(t, c, (long)from, (long)count, column);
    for (uint64_t i = 0; good && i < count; i++) {
      StudyRow *row = (StudyRow *)(rows + i * size);
      double *to = number_of(row, what, numbers);
      if (to) *to = column[i];
      else good = set_whole(row, what, column[i]);
    }
    numbers += is_number(what);
  }
  return good;
}

// Whether the table is that of the block, with the columns of the study.
static bool is_block(const Study *s, StudyTable *t, uint64_t first, uint64_t count) {
  char identity[80];
  int numbers = 0;
  for (int i = 0; i < study_table_columns(t); i++) numbers += is_number(study_table_column(t, i));
  return study_table_text(t, "identity", identity, sizeof identity) && !strcmp(identity, s->identity) &&
         numbers == s->layout.width && study_table_first(t) == (long)first && study_table_runs(t) == (long)count;
}

static Error VisitFile(const Study *s, const char *path, uint64_t first, uint64_t count, StudyVisit visit, void *self) {
  StudyTable *t;
  char *rows = NULL;
  Refusal wrong;
  double *column = NULL;
  size_t size = study_row_size(&s->layout);
  TRY(MemoryNew(SLICE * size, &rows));
  TRY(MemoryNew(SLICE * (size_t)STUDY_CAUSE_TEXT, &column));
  ENSURE(study_table_open(path, &t, &wrong), ERROR_LIBRARY, "%s", wrong.text);
  ENSURE(is_block(s, t, first, count), ERROR_LIBRARY, "'%s' has rows of another study", path);
  for (uint64_t done = 0, n; done < count; done += n) {
    n = count - done < SLICE ? count - done : SLICE;
    ENSURE(read_slice(t, &s->layout, done, n, column, rows), ERROR_LIBRARY, "'%s' is damaged", path);
    for (uint64_t i = 0; i < n; i++) ((StudyRow *)(rows + i * size))->run = first + done + i;
    TRY(visit(self, n, rows));
  }
  study_table_close(&t);
  memory_free(&rows), memory_free(&column);
  return 0;
}

// A journal that is not whole, after a power failure, is under way again.
Error StudyBlockVisit(const Study *s, uint64_t block, StudyVisit visit, void *self, bool *damaged) {
  char path[4200], part[4200];
  uint64_t first, rows;
  Journal j;
  *damaged = false;
  study_block_range(s, block, &first, &rows);
  study_block_path(s, block, "h5", path, sizeof path);
  if (has_file(s, block, "h5")) return VisitFile(s, path, first, rows, visit, self);
  study_block_path(s, block, "rows", path, sizeof path);
  study_block_path(s, block, "part", part, sizeof part);
  TRY(JournalOpenComplete(path, s->identity, &s->layout, first, rows, &j));
  *damaged = j.rows < rows;
  if (*damaged) ENSURE(!rename(path, part), ERROR_LIBRARY, "cannot rename '%s'", path);
  else TRY(VisitJournal(&j, visit, self));
  return JournalClose(&j);
}

// ---- a block ----

typedef struct {
  StudyFile file;
  uint64_t done;
} BlockFile;

static Error WriteRows(void *self, uint64_t count, const void *rows) {
  BlockFile *b = self;
  TRY(StudyFileWrite(&b->file, b->done, count, rows));
  b->done += count;
  return 0;
}

// The journal, whole, gets another name. If the table refers to it or others
// read it, it becomes a file of HDF5.
static Error FinishBlock(const Study *s, uint64_t block, Journal *j) {
  char part[4200], path[4200];
  BlockFile b = {.done = 0};
  study_block_path(s, block, "rows", path, sizeof path);
  if (!s->hdf5_blocks) {
    ENSURE(!rename(j->path, path), ERROR_LIBRARY, "cannot rename '%s'", j->path);
    return 0;
  }
  study_block_path(s, block, "tmp", part, sizeof part);
  study_block_path(s, block, "h5", path, sizeof path);
  TRY(StudyFileCreate(part, s, STUDY_FILE_BLOCK, j->first, j->rows, &b.file));
  TRY(VisitJournal(j, WriteRows, &b));
  TRY(StudyFileClose(&b.file));
  TRY(StudyFileRename(part, path));
  unlink(j->path);
  return 0;
}

static const StudyFate *fate_of(const StudyWatch *w, uint64_t run) {
  for (int i = 0; i < w->fates; i++)
    if (w->fate[i].run == run) return &w->fate[i];
  return NULL;
}

static Error DoRun(const Study *s, StudyRow *row, uint64_t run, StudyWatch *w, bool *stopped) {
  const StudyFate *fate = fate_of(w, run);
  study_row_clear(&s->layout, run, row);
  s->values(s->plan, run, row->value);
  if (fate) {
    study_row_end(row, fate->status, fate->cause);
    return 0;
  }
  w->begin(w, run);
  return s->run(s->self, row, w, stopped);
}

static Error DoRows(const Study *s, uint64_t first, uint64_t rows, uint64_t done, Journal *j, StudyRow *row,
                    StudyWatch *w, bool *stopped) {
  for (uint64_t i = done; i < rows && !*stopped; i++) {
    *stopped = w->stopped(w);
    if (!*stopped) {
      Error error = DoRun(s, row, first + i, w, stopped);
      if (error && w->first) JournalFlush(j);
      TRY(error);
    }
    if (*stopped) break;
    if (w->first) TRY(JournalAppend(j, row));
    w->end(w, 1, row->status != RUN_FINISHED);
  }
  return 0;
}

// Rows of the journal that failed before.
static Error CountFailed(const Journal *j, StudyRow *row, uint64_t *failed) {
  for (uint64_t i = *failed = 0; i < j->rows; i++) {
    TRY(JournalRead(j, i, 1, row));
    *failed += row->status != RUN_FINISHED;
  }
  return 0;
}

Error StudyDoBlock(const Study *s, uint64_t block, StudyWatch *w, bool *stopped) {
  char path[4200], complete[4200];
  uint64_t first, rows, failed = 0;
  double done = 0;
  StudyRow *row = NULL;
  Journal j = {.fd = -1};
  *stopped = false;
  study_block_range(s, block, &first, &rows);
  study_block_path(s, block, "part", path, sizeof path);
  TRY(MemoryNew(study_row_size(&s->layout), &row));
  study_block_path(s, block, "rows", complete, sizeof complete);
  if (w->first) {
    rename(complete, path); // of an earlier command, whose blocks were not to be HDF5
    TRY(JournalOpen(path, s->identity, &s->layout, first, rows, &j));
    TRY(CountFailed(&j, row, &failed));
    if (j.rows) w->end(w, j.rows, failed);
    done = (double)j.rows;
  }
  if (w->share) TRY(w->share(w, &done));
  TRY(DoRows(s, first, rows, (uint64_t)done, &j, row, w, stopped));
  memory_free(&row);
  if (!w->first) return 0;
  TRY(JournalFlush(&j));
  if (!*stopped) TRY(FinishBlock(s, block, &j));
  return JournalClose(&j);
}

// The folder of the blocks: whose it is, who writes there. The folder of the runs that are kept.

static char claimed[4200];

static void path_in(const Study *s, const char *name, char *path, size_t size) {
  snprintf(path, size, "%s/%s", s->folder, name);
}

static void describe_folder(const Study *s, char *text, size_t size) {
  snprintf(text, size, "blocks of a study of Limber\nidentity %s\nruns %llu\nblock %llu\nrow %zu\n", s->identity,
           (unsigned long long)s->runs, (unsigned long long)s->block, study_row_size(&s->layout));
}

static bool write_identity(const Study *s, Refusal *wrong) {
  char text[400], path[4200], part[4300];
  describe_folder(s, text, sizeof text);
  path_in(s, "identity", path, sizeof path);
  snprintf(part, sizeof part, "%s.%ld.tmp", path, (long)getpid());
  bool good = own_create(part);
  int fd = good ? own_open_below(part, O_WRONLY) : -1;
  good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  if (fd >= 0 && close(fd)) good = false;
  if (good && !rename(part, path)) return true;
  refuse(wrong, "cannot write '%s': %s", path, found_error(errno));
  unlink(part);
  return false;
}

// 0: there is none; -1: of another study; 1: of this one.
static int read_identity(const Study *s) {
  char text[400], there[400], path[4200];
  describe_folder(s, text, sizeof text);
  path_in(s, "identity", path, sizeof path);
  int fd = own_open_below(path, O_RDONLY);
  if (fd < 0) return errno == ENOENT ? 0 : -1;
  ssize_t got = read(fd, there, sizeof there - 1);
  close(fd);
  there[got > 0 ? got : 0] = 0;
  return strcmp(text, there) ? -1 : 1;
}

// A number of at least so many digits, and one of some endings.
static bool is_numbered(const char *name, int digits, const char *const *ending) {
  size_t length = strspn(name, "0123456789");
  for (; length >= (size_t)digits && *ending; ending++)
    if (!strcmp(name + length, *ending)) return true;
  return false;
}

// Whether a name is one that a study gives: 000012.rows, 000012.part, identity, lock.
static bool is_ours(const char *name) {
  static const char *const ending[] = {".h5", ".rows", ".part", ".tmp", NULL};
  if (!strncmp(name, "identity", 8) || !strcmp(name, "lock") || !strncmp(name, "lock.", 5)) return true;
  return is_numbered(name, 1, ending);
}

static DIR *open_folder(const char *path) {
  int fd = own_folder_open(path);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  if (fd >= 0 && !d) close(fd);
  return d;
}

typedef bool (*Visit)(const Study *s, const char *path, const char *name, void *self);

// Calls `visit` with all files of ours until it gives false.
static bool for_files(const Study *s, Visit visit, void *self) {
  char path[4700];
  DIR *d = open_folder(s->folder);
  bool good = true;
  if (!d) return true;
  for (struct dirent *e; good && (e = readdir(d));) {
    if (!is_ours(e->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", s->folder, e->d_name);
    good = visit(s, path, e->d_name, self);
  }
  closedir(d);
  return good;
}

static bool remove_file(const Study *s, const char *path, const char *name, void *self) {
  (void)s, (void)self;
  if (strncmp(name, "lock", 4)) unlink(path);
  return true;
}

static bool remove_lock(const Study *s, const char *path, const char *name, void *self) {
  (void)s, (void)self;
  if (!strncmp(name, "lock", 4)) unlink(path);
  return true;
}

void study_folder_remove(const Study *s) {
  for_files(s, remove_file, NULL);
  for_files(s, remove_lock, NULL);
  rmdir(s->folder); // it stays where somebody else has put a file
}

// Locks and the file that names the owner of the folder say nothing about runs.
static bool is_no_block(const Study *s, const char *path, const char *name, void *self) {
  (void)s, (void)path, (void)self;
  return !strncmp(name, "lock", 4) || !strncmp(name, "identity", 8);
}

bool study_folder_is_new(const Study *s) { return read_identity(s) != 1; }

// ---- runs that are kept ----

// 000123.h5, and what stands beside it.
static bool is_kept_run(const char *name) {
  static const char *const ending[] = {".h5", ".xdmf", ".html", NULL};
  return is_numbered(name, 6, ending);
}

int study_kept_runs(const char *folder, bool remove) {
  char path[4700];
  int count = 0;
  DIR *d = open_folder(folder);
  if (!d) return 0;
  for (struct dirent *e; (e = readdir(d));) {
    if (!is_kept_run(e->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (remove) unlink(path);
    count++;
  }
  closedir(d);
  return count;
}

// ---- the folder of the blocks ----

// Files are those that a study writes: no links, pipes or files of others.
static bool check_file(const Study *s, const char *path, const char *name, void *self) {
  Refusal *wrong = self;
  (void)s, (void)name;
  int fd = own_open_below(path, O_RDONLY);
  if (fd >= 0) return close(fd), true;
  if (errno == ENOENT) return true; // another part of the study has just finished with it
  refuse(wrong, "cannot use '%s': %s\n  Remove it, or write to another file with -o", path, found_error(errno));
  return false;
}

static bool make_folder(const Study *s, Refusal *wrong) {
  return own_folder_make(s->folder) ||
         (refuse(wrong, "cannot make the folder '%s': %s", s->folder, found_error(errno)), false);
}

bool study_folder_open(const Study *s, bool force, Refusal *wrong) {
  if (!make_folder(s, wrong)) return false;
  if (!for_files(s, check_file, wrong)) return false;
  int state = read_identity(s);
  if (state < 0 && !force)
    return refuse(wrong,
                  "'%s' has runs of another study file, model or version of Limber\n  Write to another file with -o, "
                  "or start again with --force, which removes them",
                  s->folder),
           false;
  if (state == 1 && !force) return true;
  if (!force && !for_files(s, is_no_block, NULL))
    return refuse(wrong,
                  "'%s' has files with names of blocks of an unknown study\n  Write to another file with -o, or remove "
                  "them with --force",
                  s->folder),
           false;
  for_files(s, remove_file, NULL);
  return write_identity(s, wrong);
}

// Another study or part that would do the same blocks.
static bool check_lock(const Study *s, const char *path, const char *name, void *self) {
  Refusal *wrong = self, held;
  (void)s;
  if (strncmp(name, "lock", 4) || !claim_is_held(path, &held)) return true;
  const char *who = strstr(held.text, " by "), *end = strchr(held.text, ',');
  refuse(wrong, "the study is already being run%.*s: wait for its end, or write to another file with -o",
         who && end ? (int)(end - who) : 0, who ? who : "");
  return false;
}

bool study_folder_claim(const Study *s, int part, int parts, Refusal *wrong) {
  char name[60], path[4200];
  if (!make_folder(s, wrong)) return false;
  if (parts) snprintf(name, sizeof name, "lock.%d-%d", part + 1, parts);
  else snprintf(name, sizeof name, "lock");
  path_in(s, name, path, sizeof path);
  if (!parts && !for_files(s, check_lock, wrong)) return false;
  path_in(s, "lock", claimed, sizeof claimed);
  if (parts && !check_lock(s, claimed, "lock", wrong)) return false;
  snprintf(claimed, sizeof claimed, "%s", path);
  if (claim_begin(path, wrong)) return true;
  check_lock(s, path, name, wrong);
  return false;
}

void study_folder_release(void) {
  if (!*claimed) return;
  unlink(claimed);
  claim_release(claimed);
  *claimed = 0;
}
