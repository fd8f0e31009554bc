// SPDX-License-Identifier: Apache-2.0
// `limber modes`: modes of a model file, as a table and as results with a row a mode.
#include "analyses/modes/analysis.h"
#include "app/failure.h"
#include "app/make_results.h"
#include "app/start.h"
#include "console/library_commands.h"
#include "results/write/table.h"

#include <string.h>

// ---- on the terminal ----

// The direction in which most of the model's mass moves along, as 93 % z.
static void print_effective(const double *effective) {
  static const char *const word[] = {"x", "y", "z", "about x", "about y", "about z"};
  int best = 0;
  for (int i = 1; i < 6; i++)
    if ((i < 3 || effective[best] < 0.01) && effective[i] > effective[best] * (1 + 1e-6)) best = i;
  if (effective[best] < 5e-4) printf("%14s", "-");
  else printf("%5.1f %% %-7s", 100 * effective[best], word[best]);
}

static void print_modes(const struct LimberModesData *a) {
  double rate = a->point.spin.rate;
  bool damped = a->modes->pencil.d && !a->modes->pencil.gyroscopic;
  printf("equilibrium %s", rate != 0 ? "" : "standing\n");
  if (rate != 0) printf("rotating at %.6g rad/s (%.6g rpm)\n", rate, rate * 30 / PETSC_PI);
  print_remarks(a->remarks);
  if (a->modes->rigid)
    printf("%d rigid motion%s left out: below %.2g Hz the stiffness of this model is round-off\n", a->modes->rigid,
           a->modes->rigid == 1 ? "" : "s", a->modes->rigid_limit);
  printf("%5s %14s %11s  %-14s  %s\n", "mode", "frequency Hz", "damping %", "mass along", "name");
  for (int i = 0; i < a->modes->count; i++) {
    const Mode *m = &a->modes->mode[i];
    printf("%5d %14.8g ", i + 1, m->frequency);
    if (m->re == 0) printf("%11s  ", damped ? "0" : "-");
    else printf("%11.5g  ", 100 * m->damping);
    print_effective(a->shapes.shape[i].effective);
    printf("  %s\n", a->shapes.shape[i].name);
  }
  for (int i = 0; i < a->modes->count; i++)
    if (a->modes->mode[i].re > 0) printf("mode %d grows: the equilibrium is unstable\n", i + 1), i = a->modes->count;
}

// ---- results ----

typedef struct {
  struct LimberModesData *a;
  RestState rest;
  int frames; // of each mode
  double amplitude;
} Frames;

// Mode k, from 1 on, stands from time k to k + 1 once through its period, which a last frame closes.
static PetscErrorCode Pose(void *self, int frame, double *time) {
  const Frames *f = self;
  int mode = frame / (f->frames + 1), part = frame % (f->frames + 1);
  double phase = (double)part / f->frames;
  PetscFunctionBegin;
  *time = mode + 1 + PetscMin(phase, 1 - 1e-6);
  PetscCall(ModePose(&f->rest, &f->a->modes->mode[mode], f->amplitude, 2 * PETSC_PI * phase));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteTexts(hid_t group, const char *name, int count, const char *const *text) {
  hsize_t size = (hsize_t)count;
  hid_t space, type, set;
  PetscFunctionBegin;
  H5Make(space, H5Screate_simple(1, &size, NULL));
  H5Make(type, H5Tcopy(H5T_C_S1));
  H5Call(H5Tset_size(type, H5T_VARIABLE));
  H5Call(H5Tset_cset(type, H5T_CSET_UTF8));
  H5Make(set, H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (count) H5Call(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text));
  H5Call(H5Dclose(set));
  H5Call(H5Tclose(type));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

// Names of modes and of the parts that shares of energy are of.
static PetscErrorCode WriteNames(void *self, hid_t file) {
  const Frames *f = self;
  const ModeShapes *s = &f->a->shapes;
  Model m = f->a->point.s->motion.layout.model;
  const char **text;
  char(*part)[96], *all;
  hid_t group;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(PetscMax(s->count, s->parts), &text, s->parts, &part));
  H5Make(group, H5Gcreate2(file, "/modes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  PetscCall(FileText(group, "description", "names of the rows, and of the parts in shares of energy"));
  for (int i = 0; i < s->count; i++) text[i] = s->shape[i].name;
  PetscCall(WriteTexts(group, "names", s->count, text));
  PetscCall(PetscCalloc1((size_t)s->count * 200 + 1, &all));
  for (int i = 0; i < s->count; i++) strcat(strcat(all, s->shape[i].name), "\n");
  PetscCall(FileText(file, "mode_names", all)); // for those who read attributes alone
  PetscCall(PetscFree(all));
  for (int i = 0; i < s->parts; i++) {
    mode_part_name(m, i, part[i], sizeof part[i]);
    text[i] = part[i];
  }
  PetscCall(WriteTexts(group, "parts", s->parts, text));
  H5Call(H5Gclose(group));
  PetscCall(PetscFree2(text, part));
  PetscFunctionReturn(0);
}

enum { COLUMNS = 10, SINGLE = 7 }; // of which the first have one number

static void fill_row(const struct LimberModesData *a, int i, double *const value[COLUMNS]) {
  const Mode *m = &a->modes->mode[i];
  const ModeShape *s = &a->shapes.shape[i];
  const double number[SINGLE] = {m->frequency, m->damping, m->re, m->im, m->residual, s->whirl, m->error[0]};
  int parts = a->shapes.parts;
  for (int c = 0; c < SINGLE; c++) value[c][i] = number[c];
  for (int k = 0; k < 6; k++) value[7][6 * i + k] = s->effective[k];
  for (int k = 0; k < parts; k++) value[8][parts * i + k] = s->strain[k], value[9][parts * i + k] = s->kinetic[k];
}

static PetscErrorCode WriteResults(const char *path, const Input *in, struct LimberModesData *a) {
  static const char *const axes[] = {"x", "y", "z", "about_x", "about_y", "about_z"};
  const ModeShapes *s = &a->shapes;
  Model model = a->point.s->motion.layout.model;
  Frames frames = {.a = a, .frames = in->mode_frames, .amplitude = in->mode_amplitude};
  double *at, *value[COLUMNS];
  const char **names;
  char(*part)[96];
  int n = a->modes->count;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n, &at, s->parts, &names, s->parts, &part));
  for (int c = 0; c < COLUMNS; c++)
    PetscCall(PetscMalloc1(n * (c < SINGLE ? 1 : c == SINGLE ? 6 : PetscMax(1, s->parts)), &value[c]));
  for (int i = 0; i < n; i++) {
    at[i] = i + 1;
    fill_row(a, i, value);
  }
  for (int k = 0; k < s->parts; k++) {
    mode_part_name(model, k, part[k], sizeof part[k]);
    names[k] = part[k];
  }
  const TableColumn column[] = {
      {"mode", "frequency", "Hz", "imaginary part of the eigenvalue over 2 pi", 1, NULL, value[0]},
      {"mode", "damping", "1", "damping ratio", 1, NULL, value[1]},
      {"mode", "real", "s-1", "real part of the eigenvalue", 1, NULL, value[2]},
      {"mode", "imaginary", "s-1", "imaginary part of the eigenvalue", 1, NULL, value[3]},
      {"mode", "residual", "1", "relative residual", 1, NULL, value[4]},
      {"mode", "whirl", "1", "1: circles with the rotation, -1: against it, in the rotating frame", 1, NULL, value[5]},
      {"mode", "real_error", "s-1", "bound of the error of the real part, which is 0 where it is less", 1, NULL,
       value[6]},
      {"mode", "effective_mass", "1", "share of the mass that moves along and about ground axes", 6, axes, value[7]},
      {"mode", "strain_energy", "1", "share of each component and joint", s->parts, names, value[8]},
      {"mode", "kinetic_energy", "1", "share of each component and joint", s->parts, names, value[9]}};
  if (frames.frames > 0) PetscCall(RestStateKeep(a->point.s, &frames.rest));
  PetscCall(TableWrite(path, in, a->point.s->motion.layout.comm,
                       &(ResultsTable){.analysis = "modes",
                                       .axis = "mode",
                                       .units = "1",
                                       .description = "number of the mode; a snapshot at k + p is mode k at the part p "
                                                      "of its period",
                                       .rows = n,
                                       .at = at,
                                       .columns = s->parts > 0 ? COLUMNS : COLUMNS - 2,
                                       .column = column,
                                       .remarks = a->remarks,
                                       .run = frames.frames > 0 ? a->point.run : NULL,
                                       .frames = n * (frames.frames + 1),
                                       .pose = Pose,
                                       .more = WriteNames,
                                       .self = &frames}));
  if (frames.frames > 0) {
    PetscCall(RestStatePut(&frames.rest));
    PetscCall(RestStateDestroy(&frames.rest));
  }
  for (int c = 0; c < COLUMNS; c++) PetscCall(PetscFree(value[c]));
  PetscCall(PetscFree3(at, names, part));
  PetscFunctionReturn(0);
}

// ---- the command ----

static PetscErrorCode FindModes(const char *command, const Input *in, const char *path, Talk talk, ExitCode *code) {
  struct LimberModesData a;
  char wrong[1024];
  bool talks = is_printing_process() && talk == TALK_ALL;
  PetscFunctionBegin;
  PetscCall(ModalAnalysis(in->model, &in->modes, &a, wrong, sizeof wrong));
  if (wrong[0]) {
    explain_start(command, in, wrong);
    *code = EXIT_FAILED;
    PetscFunctionReturn(0);
  }
  if (talks && *in->title) printf("%s\n", in->title);
  if (talks) print_modes(&a);
  PetscCall(WriteResults(path, in, &a));
  if (talks)
    printf("%s: %d mode%s%s%s\n", path, a.modes->count, a.modes->count == 1 ? "" : "s",
           in->mode_frames > 0 ? "; limber view shows them: limber view " : "", in->mode_frames > 0 ? path : "");
  PetscCall(ModalAnalysisDestroy(&a));
  PetscFunctionReturn(0);
}

PetscErrorCode MakeModesResults(const ResultsRequest *r, ExitCode *code) {
  Input *in;
  PetscFunctionBegin;
  PetscCall(RequestLoad(r, &in, code));
  if (*code == EXIT_GOOD) {
    if (!r->frames) in->mode_frames = 0;
    PetscCall(FindModes(r->command, in, r->path, r->talk, code));
  }
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

static PetscErrorCode ModesFile(const Arguments *a, ExitCode *code) {
  CommandRequest c;
  PetscFunctionBegin;
  command_request(a, "modes", ".modes.h5", &c);
  PetscCall(MakeModesResults(&c.request, code));
  PetscFunctionReturn(0);
}

int limber_command_modes(const Arguments *a) { return CommandStart(a, ModesFile); }
