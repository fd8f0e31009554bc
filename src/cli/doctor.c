// SPDX-License-Identifier: Apache-2.0
// What is installed beside Limber, and what each missing program or package would add.
#include "cli/command.h"
#include "console/browser.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void report_program(const char *name, const char *const *programs, const char *adds, const char *package) {
  char path[4200];
  print_finding(name, program_find(programs, path, sizeof path) ? path : NULL, adds, package);
}

static const struct {
  const char *name, *adds, *package;
} python_packages[] = {
    {"limber", "import limber: models, runs and studies from Python", "see docs/install.md"},
    {"numpy", "arrays, which the Python module needs", "apt install python3-numpy"},
    {"h5py", "reads results files in Python scripts", "apt install python3-h5py"},
};
enum { PACKAGES = sizeof python_packages / sizeof python_packages[0], ANSWERED = 64 };

// The exit code of Python: ANSWERED, and a bit for each package that is missing. A folder of that name here does not
// count. -1: Python does not run.
static int ask_python(char *python) {
  static char program[] = "import sys\n"
                          "from importlib.util import find_spec\n"
                          "sys.path = [p for p in sys.path if p]\n"
                          "sys.exit(64 + sum(1 << i for i, n in enumerate(sys.argv[1:]) if find_spec(n) is None))\n";
  char option[] = "-c", names[PACKAGES][16];
  char *argv[PACKAGES + 4] = {python, option, program};
  for (int i = 0; i < PACKAGES; i++) {
    snprintf(names[i], sizeof names[i], "%s", python_packages[i].name);
    argv[i + 3] = names[i];
  }
  int null = open("/dev/null", O_RDWR | O_CLOEXEC), status = 0;
  const int fd[][2] = {{null, STDIN_FILENO}, {null, STDOUT_FILENO}, {null, STDERR_FILENO}, {-1, -1}};
  pid_t process;
  bool started = null >= 0 && program_start(argv, fd, &process);
  if (null >= 0) close(null);
  if (!started || waitpid(process, &status, 0) != process || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status) & ANSWERED ? WEXITSTATUS(status) : -1;
}

static void report_python(void) {
  static const char *const names[] = {"python3", NULL};
  char path[4200];
  bool there = program_find(names, path, sizeof path);
  print_finding("Python", there ? path : NULL, "the Python module and scripts", "apt install python3");
  int answer = there ? ask_python(path) : -1;
  for (int i = 0; i < PACKAGES && there; i++)
    print_finding(python_packages[i].name, answer >= 0 && !(answer & 1 << i) ? "Python package" : NULL,
                  python_packages[i].adds, python_packages[i].package);
}

static ExitCode run(const Arguments *a) {
  static const char *const films[] = {"ffmpeg", NULL}, *const figures[] = {"gnuplot", NULL},
                           *const processes[] = {"mpiexec", NULL};
  char browser[4200];
  if (!is_printing_process()) return EXIT_GOOD;
  printf("limber %s\n", limber_version());
  ExitCode code = call_engine("limber_command_doctor", a);
  report_program("mpiexec", processes, "starts runs on several processes, if Limber has MPI",
                 "apt install mpi-default-bin");
  print_finding("Chromium", browser_find(a, browser, sizeof browser) ? browser : NULL,
                "limber view --picture and --video, limber report --pdf", "apt install chromium");
  report_program("FFmpeg", films, "limber view --video", "apt install ffmpeg");
  report_program("gnuplot", figures, "draws the scripts of limber plot --script", "apt install gnuplot-nox");
  report_python();
  return code;
}

static const Option options[] = {{0}};

const Command command_doctor = {
    "doctor",
    "Shows what is installed, and what each missing program or package would add.",
    "doctor",
    "The command lists the libraries of this Limber and the programs and Python packages that it can use.\n"
    "For each one that is missing it prints what it would add and how to install it on Debian. Nothing in the\n"
    "list is needed to check, run and view a model. The exit code is 0 if Limber itself works.",
    "  limber doctor",
    options,
    0,
    0,
    "word",
    false,
    run,
    NULL};
