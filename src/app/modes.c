// SPDX-License-Identifier: Apache-2.0
// `limber modes`: modes of a model file, as a table and as results with a row a mode.
#include "analyses/modes/modes.h"
#include "app/point_command.h"
#include "app/failure.h"
#include "app/command.h"
#include "console/library_commands.h"
#include "model/refusal.h"
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

// Snapshots of each mode.
static int frames_of(const PointCall *c) { return c->request->frames ? c->in->modes.frames : 0; }

static void print_modes(const PointCall *c) {
  const struct LimberModesData *a = c->found;
  double rate = a->point.spin.rate;
  bool damped = a->modes->pencil.d && !a->modes->pencil.gyroscopic;
  printf("equilibrium %s", rate != 0 ? "" : "standing\n");
  if (rate != 0)
    printf("%srotating at %.6g rad/s (%.6g rpm)\n", a->point.spin.rotor ? "with a rotor " : "", rate,
           rate * 30 / PETSC_PI);
  print_remarks(a->remarks);
  if (a->modes->rigid)
    printf("%d rigid motion%s left out: below %.2g Hz the stiffness of this model is round-off\n", a->modes->rigid,
           a->modes->rigid == 1 ? "" : "s", a->modes->rigid_limit);
  printf("%5s %14s %11s  %-14s  %s%s\n", "mode", "frequency Hz", "damping %", "mass along",
         a->point.spin.rotor ? "in rotor Hz  " : "", "name");
  for (int i = 0; i < a->modes->count; i++) {
    const Mode *m = &a->modes->mode[i];
    printf("%5d %14.8g ", i + 1, m->frequency);
    if (m->re == 0) printf("%11s  ", damped ? "0" : "-");
    else printf("%11.5g  ", 100 * m->damping);
    print_effective(a->shapes.shape[i].effective);
    if (a->point.spin.rotor) printf("  %11.7g", a->shapes.shape[i].rotor_frequency);
    printf("  %s\n", a->shapes.shape[i].name);
  }
  for (int i = 0; i < a->modes->count; i++)
    if (a->modes->mode[i].re > 0) printf("mode %d grows: the equilibrium is unstable\n", i + 1), i = a->modes->count;
  if (frames_of(c) > 0) printf("%s: limber view %s shows the modes\n", c->request->path, c->request->path);
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

// The columns of a row, as the descriptor has them.
static void fill_row(const struct LimberModesData *a, int i, TableColumn *column) {
  const Mode *m = &a->modes->mode[i];
  const ModeShape *s = &a->shapes.shape[i];
  const double number[] = {m->frequency, m->damping, m->re,       m->im,
                           m->residual,  s->whirl,   m->error[0], s->rotor_frequency};
  const double *const several[] = {s->effective, s->strain, s->kinetic};
  enum { SINGLE = sizeof number / sizeof number[0] };
  for (int c = 0; c < SINGLE; c++) column[c].values[i] = number[c];
  for (int c = 0; c < 3; c++) {
    size_t width = (size_t)column[SINGLE + c].width;
    memcpy(column[SINGLE + c].values + (size_t)i * width, several[c], width * sizeof(double));
  }
}

static PetscErrorCode WriteModes(const PointCall *c) {
  static const char *const axes[] = {"x", "y", "z", "about_x", "about_y", "about_z"};
  struct LimberModesData *a = c->found;
  Model model = a->point.s->motion.layout.model;
  Frames frames = {.a = a, .frames = frames_of(c), .amplitude = c->in->modes.amplitude};
  ResultsTable table = {.axis = "mode",
                        .units = "1",
                        .description =
                            "number of the mode; a snapshot at k + p is mode k at the fraction p of its period",
                        .remarks = a->remarks,
                        .run = frames.frames > 0 ? a->point.run : NULL,
                        .frames = a->modes->count * (frames.frames + 1),
                        .pose = Pose,
                        .more = WriteNames,
                        .self = &frames};
  const char **names;
  char(*part)[96];
  int parts = a->shapes.parts;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(parts, &names, parts, &part));
  for (int k = 0; k < parts; k++) {
    mode_part_name(model, k, part[k], sizeof part[k]);
    names[k] = part[k];
  }
  const TableShape shape[] = {{1, NULL}, {1, NULL}, {1, NULL}, {1, NULL},      {1, NULL},     {1, NULL},
                              {1, NULL}, {1, NULL}, {6, axes}, {parts, names}, {parts, names}};
  PetscCall(TableCreate(&analysis_of_modes, analysis_of_modes.columns, shape, a->modes->count, &table));
  for (int i = 0; i < table.rows; i++) {
    table.at[i] = i + 1;
    fill_row(a, i, table.column);
  }
  if (table.run) PetscCall(RestStateKeep(a->point.s, &frames.rest));
  PetscCall(TableWrite(c->request->path, c->in, a->point.s->motion.layout.comm, &table));
  if (table.run) {
    PetscCall(RestStatePut(&frames.rest));
    PetscCall(RestStateDestroy(&frames.rest));
  }
  PetscCall(TableDestroy(&table));
  PetscCall(PetscFree2(names, part));
  PetscFunctionReturn(0);
}

// ---- the command ----

static PetscErrorCode FindModes(PointCall *c, Refusal *wrong) {
  LimberModes a;
  PetscFunctionBegin;
  PetscCall(PetscNew(&a));
  PetscCall(ModalAnalysis(c->in->model, &c->in->modes.options, a, wrong));
  if (!is_refused(wrong)) c->found = a;
  else PetscCall(PetscFree(a));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyModes(void *found) { return LimberModesDestroy(&(LimberModes){found}); }

const PointCommand command_of_modes = {FindModes, print_modes, WriteModes, DestroyModes};
