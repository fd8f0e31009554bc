// SPDX-License-Identifier: Apache-2.0
#include "input/analyses/point_analysis.h"
#include "input/yaml/reader.h"

static const char *const damped_words[] = {"auto", "no", NULL}; // in the order of LimberDamped
static const char *damped_word(int i) { return damped_words[i]; }
static const FieldMore damped_more = {NULL, damped_word};

static const Field fields[] = {
    {"count", FIELD_INT, 1, offsetof(ModesPart, options.count), "", false, 10, "number of modes, besides rigid motions",
     NULL},
    {"target", FIELD_REAL, 1, offsetof(ModesPart, options.target), "Hz", false, 0,
     "finds the modes nearest to this frequency; 0: the lowest", NULL},
    {"damped", FIELD_WORD, 1, offsetof(ModesPart, options.damped), "", false, 0,
     "`auto`: complex modes if there are dampers or the model rotates; `no`: without dampers and Coriolis forces, of "
     "a rotor on a support without dampers; default: auto",
     &damped_more},
    {"time", FIELD_REAL, 1, offsetof(ModesPart, options.time), "s", false, 0, "time at which loads are evaluated",
     NULL},
    {"bending_y", FIELD_TEXT, 1, offsetof(ModesPart, options.bending_y), "", false, 0,
     "name of bending along the y axis of sections in names of modes, such as edge; default: bending y", NULL},
    {"bending_z", FIELD_TEXT, 1, offsetof(ModesPart, options.bending_z), "", false, 0,
     "the same for z, such as flap; default: bending z", NULL},
    {"frames", FIELD_INT, 1, offsetof(ModesPart, frames), "", false, 24,
     "snapshots of each mode over its period, for `limber view`; 0: none", NULL},
    {"amplitude", FIELD_REAL, 1, offsetof(ModesPart, amplitude), "", false, 0.05,
     "largest displacement in a snapshot, as a fraction of the model's size", NULL},
};

static Error CheckModes(Reader *r, const Tree *map, const Form *form, bool good) {
  const ModesPart *t = form->out;
  const Rule rules[] = {{t->options.count < 1, "count", "must be at least 1"},
                        {t->options.target < 0, "target", "must not be negative"},
                        {t->frames < 0, "frames", "must not be negative"},
                        {t->options.count > LIMIT_POINTS, "count", LIMIT_POINTS_TEXT},
                        {t->frames > LIMIT_POINTS, "frames", LIMIT_POINTS_TEXT},
                        {!(t->amplitude > 0 && t->amplitude <= 1), "amplitude", "must be above 0 and at most 1"}};
  return APPLY(r, map, form, rules, &good);
}

static const PointColumn columns[] = {
    {"mode", "frequency", "Hz", "imaginary part of the eigenvalue over 2 pi"},
    {"mode", "damping", "1", "damping ratio"},
    {"mode", "real", "s-1", "real part of the eigenvalue"},
    {"mode", "imaginary", "s-1", "imaginary part of the eigenvalue"},
    {"mode", "residual", "1", "relative residual"},
    {"mode", "whirl", "1", "1: forward whirl, -1: backward whirl, in the rotating frame"},
    {"mode", "real_error", "s-1", "error bound of the real part, which is set to 0 if it is smaller"},
    {"mode", "rotor_frequency", "Hz", "frequency in the frame of a rotor on a support; otherwise that of the mode"},
    {"mode", "effective_mass", "1", "fraction of the mass that moves along and about ground axes"},
    {"mode", "strain_energy", "1", "fraction in each component and joint"},
    {"mode", "kinetic_energy", "1", "fraction in each component and joint"},
    {0},
};

static const char help[] =
    "The command first finds the equilibrium under all loads, rotating if `motion` or a drive sets all nodes in\n"
    "rotation. Modes are damped if the model has dampers, and gyroscopic if it rotates. Each mode has a name: the "
    "part\n"
    "that moves most, how it moves, and the part with most strain; modes of equal frequency are a pair, a triple and "
    "so\n"
    "on. Damping within its error bound is 0. Rigid motions are counted and left out, with the frequency below which\n"
    "they lie. Each row of the results is a mode; limber view shows the shapes. The part `modes` of the model has the\n"
    "options.";
static const char example[] = "  limber modes blade.yaml\n"
                              "  limber modes blade.yaml --set modes.count=20 --set modes.damped=no\n"
                              "  limber view blade.modes.h5\n"
                              "  mpiexec -n 4 limber modes wheel.yaml";

static const Option options[] = {POINT_OPTIONS("blade.h5", ".modes.h5")};

const PointAnalysis analysis_of_modes = {
    .command = {.summary = "Finds modes of small motions about the equilibrium, and names them.",
                POINT_COMMAND("modes", "", "blade.h5", "modes.count=20")},
    .ending = ".modes.h5",
    .columns = columns,
    .fields = FIELDS(fields, ModesPart),
    POINT_PLACE(modes, ModesPart, modes),
    .complete = CheckModes,
};

POINT_DEFAULTS(LimberModesOptions, limber_modes_options_default, modes)
