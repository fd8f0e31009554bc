// SPDX-License-Identifier: Apache-2.0
// Results of any content are read to an end by every command that reads results: a target for libFuzzer, run by run.sh.
// The bytes are changes to small results that are written anew each time (made_results.c): HDF5 can read the file, and what
// stands in it is of another type, rank or size, out of range, no number, or elsewhere.
#include "made_results.h"

#include "console/library_commands.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char folder[60], changed[80], plain[80], page[80], picture[3][80];

static void remove_files(void) {
  const char *all[] = {changed, plain, page, picture[0], picture[1], picture[2]};
  for (int i = 0; i < 6; i++) unlink(all[i]);
  rmdir(folder);
}

static void make_folder(void) {
  const char *memory = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
  if (*folder) return;
  snprintf(folder, sizeof folder, "%s/limber-fuzz-XXXXXX", memory);
  if (!mkdtemp(folder)) abort();
  snprintf(changed, sizeof changed, "%s/a.h5", folder);
  snprintf(plain, sizeof plain, "%s/b.h5", folder);
  snprintf(page, sizeof page, "%s/page.html", folder);
  for (int i = 0; i < 3; i++)
    snprintf(picture[i], sizeof picture[i], "%s/page.%s", folder, (const char *[]){"svg", "svg", "png"}[i]);
  atexit(remove_files);
}

// Long ago: a file that is damaged is then not taken for one that a run is writing.
static void make_old(const char *path) {
  struct timespec old[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
  utimensat(0, path, old, 0); // the path is absolute
}

static void add_option(Arguments *a, const char *name, const char *value) {
  static Option option[16];
  static int used;
  Option *o = &option[used++ % 16];
  *o = (Option){.name = name};
  a->given[a->givens].option = o;
  a->given[a->givens++].value = value;
}

typedef int (*CommandFunction)(const Arguments *a);

static void run(CommandFunction command, const char *option, const char *value, const char *word, bool output) {
  Arguments a = {.word = {changed, word}, .words = word ? 2 : 1};
  if (option) add_option(&a, option, value);
  if (output) add_option(&a, command == limber_command_compare ? "html" : "output", page);
  unlink(page);
  int code = command(&a);
  fflush(stdout);
  if (code < 0 || code > 2) abort(); // 3: the machine or the program is broken
}

static const struct {
  CommandFunction command;
  const char *option, *value, *word;
  bool output;
} commands[] = {
    {limber_command_export, "list", "", NULL, false},  {limber_command_export, NULL, NULL, NULL, false},
    {limber_command_view, NULL, NULL, NULL, true},     {limber_command_report, NULL, NULL, NULL, true},
    {limber_command_compare, NULL, NULL, plain, true},
};
static const struct {
  const char *kind, *word;
} plots[] = {{"shape", NULL},  {"ledger", NULL},    {"campbell", NULL}, {"bode", NULL},
             {NULL, "ledger"}, {"spectrum", "tip"}, {"path", "tip"}};

static void draw(const char *kind, const char *word, int form) {
  Arguments a = {.word = {changed, word}, .words = word ? 2 : 1};
  if (kind) add_option(&a, kind, "");
  if (form % 4 == 3) add_option(&a, "script", "");
  else add_option(&a, "output", picture[form % 4]), unlink(picture[form % 4]);
  if (limber_command_plot(&a) > 2) abort();
  fflush(stdout);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  static int kind_of_plain = -1;
  Changes c = {data, size};
  make_folder();
  int kind = made_kind(&c), first = made_number(&c);
  H5E_BEGIN_TRY {
    if (kind != kind_of_plain) made_write(plain, kind, NULL), make_old(plain), kind_of_plain = kind;
    made_write(changed, kind, &c), make_old(changed);
  }
  H5E_END_TRY;
  // two of the commands and two of the plots: a few inputs are to find what many together would
  for (int i = 0; i < 2; i++) {
    int k = (first + i) % (int)(sizeof commands / sizeof commands[0]);
    int p = (first / 4 + i) % (int)(sizeof plots / sizeof plots[0]);
    run(commands[k].command, commands[k].option, commands[k].value, commands[k].word, commands[k].output);
    draw(plots[p].kind, plots[p].word, first / 32 + i);
  }
  return 0;
}
