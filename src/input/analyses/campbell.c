// SPDX-License-Identifier: Apache-2.0
#include "input/analyses/point_analysis.h"
#include "input/yaml/reader.h"

typedef struct {
  int multiples; // before the list
  const char *from, *to;
  const double *multiple;
  LimberCampbellOptions options;
} CampbellText;

static const Field fields[] = {
    {"vary", FIELD_TEXT, 1, offsetof(CampbellText, options.vary), "", true, 0,
     "parameter to vary: a name of `let`, or a path as for --set: let.speed", NULL},
    {"from", FIELD_TEXT, 1, offsetof(CampbellText, from), "", false, 0,
     "first value, a number with its unit: 0 rpm; default: 0", NULL},
    {"to", FIELD_TEXT, 1, offsetof(CampbellText, to), "", true, 0, "last value, in the same unit", NULL},
    {"steps", FIELD_INT, 1, offsetof(CampbellText, options.steps), "", false, 24,
     "steps from the first to the last value; more are taken where modes change quickly", NULL},
    {"modes", FIELD_INT, 1, offsetof(CampbellText, options.modes), "", false, 8, "number of the lowest modes to follow",
     NULL},
    {"multiples", FIELD_LIST, 1, offsetof(CampbellText, multiple), "", false, 0,
     "multiples of the speed whose crossings with frequencies are found; default: [1, 2, 3]", NULL},
};

static Error CompleteCampbell(Reader *r, const Tree *map, const Form *form, bool good) {
  static const double usual[] = {1, 2, 3};
  CampbellText *t = form->out;
  LimberCampbellOptions *o = &t->options;
  bool listed = form_given(form, "multiples"), kept = true;
  const Rule rules[] = {{o->steps < 1, "steps", "must be at least 1"},
                        {o->modes < 1, "modes", "must be at least 1"},
                        {o->steps > LIMIT_POINTS, "steps", LIMIT_POINTS_TEXT},
                        {o->modes > LIMIT_POINTS, "modes", LIMIT_POINTS_TEXT}};
  TRY(APPLY(r, map, form, rules, &kept));
  o->multiples = listed ? t->multiples : 3, o->multiple = listed ? t->multiple : usual;
  return good ? ReadParameterRange(r, map, t->from, t->to, "12 rpm", &o->from, &o->to, &o->unit) : 0;
}

static const char crossed[] = "where a mode crosses a multiple of the speed; 0x: no frequency in the rotating frame";

static const PointColumn columns[] = {
    {"campbell", "frequency", "Hz",
     "frequency of each followed mode, in the rotating frame; of a rotor on a support, in that of the ground"},
    {"campbell", "damping", "1", "damping ratio"},
    {"campbell", "real", "s-1", "real part of the eigenvalue"},
    {"campbell", "imaginary", "s-1", "imaginary part; its sign changes where a whirl passes through zero"},
    {"campbell", "whirl", "1", "1: forward whirl, -1: backward whirl, in the rotating frame"},
    {"campbell", "correlation", "1", "correlation with the previous row"},
    {"campbell", "rotor_frequency", "Hz",
     "of a rotor on a support, in the frame of the rotor; otherwise the frequency"},
    {"speed", "rate", "rad s-1", "speed of the rotation"},
    {"multiple", "frequency", "Hz", "multiples of the speed"},
    {"crossing", "value", NULL, crossed},
    {"crossing", "frequency", "Hz", "frequency of the mode at the crossing"},
    {0},
};

static const char help[] =
    "The part `campbell` of the model gives the parameter and its range. At each value the command finds the\n"
    "equilibrium and the modes about it. It tracks modes with their left and right eigenvectors, in shorter steps\n"
    "where they change quickly. It also finds crossings of frequencies with multiples of the speed, and speeds at "
    "which\n"
    "a whirl has no frequency in the rotating frame. limber plot --campbell draws the diagram.";
static const char example[] = "  limber campbell rotor.yaml\n"
                              "  limber campbell rotor.yaml --set campbell.modes=12\n"
                              "  limber plot rotor.campbell.h5 --campbell -o rotor.svg";

static const Option options[] = {POINT_OPTIONS("rotor.h5", ".campbell.h5")};

const PointAnalysis analysis_of_campbell = {
    .command = {.summary = "Tracks modes over a speed or another parameter: a Campbell diagram.",
                POINT_COMMAND("campbell", "", "rotor.h5", "campbell.to=20rpm")},
    .ending = ".campbell.h5",
    .needed = "campbell: {vary: speed, from: 0 rpm, to: 20 rpm}",
    .picture = "--campbell",
    .columns = columns,
    .fields = FIELDS(fields, CampbellText),
    .offset = offsetof(CampbellText, options),
    POINT_PLACE(campbell, LimberCampbellOptions, campbell),
    .complete = CompleteCampbell,
};

POINT_DEFAULTS(LimberCampbellOptions, limber_campbell_options_default, campbell)
