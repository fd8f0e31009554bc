// SPDX-License-Identifier: Apache-2.0
// A blade, tower or shaft as a file of another program describes it: the axis, and the section at stations along it.
// All formats are brought to the axes of the blade's root, z towards the tip, x towards the suction side, y towards the
// trailing edge, and to Limber's section axes, e1 along the tangent, e2 = x and e3 = y of the twisted section.
// A new format is one file, which ends in its descriptor, and one line in formats.def.
#ifndef LIMBER_INPUT_BLADES_BLADE_H
#define LIMBER_INPUT_BLADES_BLADE_H

#include "input/diagnostic.h"
#include "input/importers/words.h"
#include "input/yaml/tree.h"
#include "limber/catalogue.h"
#include "mechanics/shape.h"
#include "model/store.h"

#include <stdio.h>

typedef struct BladeFormat BladeFormat;

typedef struct {
  double at[3]; // m, in the axes of the root
  double twist; // rad, of the section about -z
  int line;     // of its file
} BladePoint;

// An airfoil of chord 1: its height over the chord line at corners from the trailing edge along the pressure side to
// the leading edge, and back along the suction side, at x = (1 + cos(2 pi i/AIRFOIL_CORNERS))/2.
enum { AIRFOIL_CORNERS = 40 };
typedef struct {
  double height[AIRFOIL_CORNERS];
} Airfoil;

typedef struct {         // of a section, for pictures
  double diameter, wall; // of a tube; 0: an airfoil
  Airfoil airfoil;
  double chord, axis, above; // the axis behind the leading edge, the chord line above the axis
} BladeShape;

typedef struct {
  const BladeFormat *format;
  Store *store;
  BladePoint *point; // of the axis, from the root to the tip
  int points;
  const char *axis_file, *section_file; // in which they are
  LimberSection *section;               // about the axis, in section axes; `at`: part of the arc length
  double *asymmetry;   // of the stiffness in the file, of each section: largest |K_ij - K_ji| over sqrt(K_ii K_jj)
  double *mass_defect; // of each: how far entries of the mass matrix that must agree do not, relative
  int *line;           // of its file, of each section
  double *chord;       // m, of each section; or NULL
  BladeShape *shape;   // of each section, for pictures; or NULL
  int sections;
  bool named;         // its columns have names: no number can stand in the place of another
  bool sections_only; // the file has no axis: the points are a straight line of length 1 or of the sections' length
  double damping[6];  // s, stress of the rate of strain over stress of the strain, in Limber's order; 0: none
  char damping_remark[200]; // what it has of damping that Limber does not take; "": nothing
  char remark[500];         // what else the file has that Limber does not take; "": nothing
} Blade;

typedef struct BladeText BladeText;
struct BladeText {
  const char *path, *text;
  size_t length;
  SourceLocation all; // the whole file among those of the diagnostics, for formats in YAML
  Diagnostics *diagnostics;
  TreeCount *count;        // of texts in YAML
  const char *part;        // of the file that is wanted, such as "tower"; NULL: the blade
  const char *data;        // of HAWC2: the file of sections in place of the one that is named; or NULL
  bool about_mass_centre;  // of HAWC2: radii of gyration, in place of the elastic centre
  double torsion, stretch; // of ElastoDyn: N m2, N; 0: stiff
  ImportMistake *mistake;
  // A file that this one names: its text, or a mistake at the line that `mistake` has already.
  Error (*open)(const BladeText *by, const char *name, BladeText *out);
  void *self; // of `open`
};

struct BladeFormat {
  const char *name, *program;
  bool (*recognises)(const char *first, size_t length); // by the first bytes of a file
  Error (*read)(const BladeText *text, Blade *out);     // fills an empty blade; the first mistake ends the reading
};

#define BLADE_FORMAT(name, NAME, help) extern const BladeFormat blade_##name;
#include "input/blades/formats.def"
#undef BLADE_FORMAT
extern const BladeFormat *const blade_formats[]; // ends with NULL

// The outline of section i; empty: not known.
void blade_outline(const Blade *b, int i, Outline *out);

// ---- for the formats ----

Error BladeAllocatePoints(Blade *b, int count);
Error BladeAllocateSections(Blade *b, int count);
// For a file without axis: a straight line along z of that length.
Error BladeStraightAxis(Blade *b, double length);
// From points of both sides, from the trailing edge round to the trailing edge; false: they are no airfoil.
bool airfoil_of_points(int count, const double *x, const double *y, Airfoil *out);
// From its relative thickness alone: symmetric as the NACA airfoils of four digits, a circle for 1.
void airfoil_of_thickness(double thickness, Airfoil *out);
// The section of 6x6 matrices about the axis in the order of BeamDyn: forces along x, y, z, moments about x, y, z.
void blade_section(Blade *b, int i, double at, const double stiffness[6][6], const double mass[6][6]);

// ---- for all ----

// The format of a name, or the one that recognises the text; NULL: there is none.
const BladeFormat *blade_format(const char *name, const char *text, size_t length);
// The axis as stations of a beam in the axes of the root, `up` along x: twist about the tangent from axes that are
// carried along the curve without turning. Not `good` where the axis does not run towards z; no blade that was read has
// that.
Error BladeStations(const Blade *b, LimberStation *station, bool *good);
// A model file with the blade, its root clamped, or with sections alone where the file has no axis. `file`: where it is
// from; `part`: of it, which is the name of the beam, NULL: blade.
Error BladeWriteModel(const Blade *b, const char *file, const char *part, FILE *out);

// Opens blade files, with those that they name: from the disk, or as files of a model.

typedef struct {
  const char *format;      // the name of one of `blade_formats`; NULL: the one that recognises the file
  const char *part;        // of a file with several: "tower"; NULL: the blade
  const char *data;        // of HAWC2: a file of sections in place of the one that the .htc names; or NULL
  bool about_mass_centre;  // of HAWC2: radii of gyration, in place of the elastic centre
  double torsion, stretch; // of ElastoDyn, whose files have neither stiffness: N m2, N; 0: stiff
} BladeChoices;

typedef struct { // a file that was opened; text NULL: it cannot be read, and `path` says which
  const char *path, *text;
  size_t length;
  int file;        // of the diagnostics
  const char *why; // it cannot be read: the message
} BladeSource;

typedef struct BladeOpener BladeOpener;
struct BladeOpener {
  // `by`: path of the file that names it, NULL: the first file
  Error (*open)(BladeOpener *o, const char *by, const char *name, BladeSource *out);
  Store *store; // of the blade
  Diagnostics *diagnostics;
  TreeCount *count; // of texts in YAML
};

// Reads a blade through an opener. What is wrong is in `mistake`, or among the diagnostics where a file is no YAML; not
// `good` then.
Error BladeRead(BladeOpener *o, const char *name, const BladeChoices *choices, Blade *out, ImportMistake *mistake,
                bool *good);
// Reads a blade from the disk. What is wrong is added to the diagnostics, with file and line; not `good` then. Blade,
// texts of files and their names are in the store, which must live as long as the diagnostics.
Error BladeOpen(const char *path, const BladeChoices *choices, Store *store, Diagnostics *n, Blade *out, bool *good);

// "beamdyn, windio, hawc2": for messages
const char *blade_formats_text(char *text, size_t size);

#endif
