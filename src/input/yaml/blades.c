// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/blades.h"

#include "input/blades/polar.h"
#include "input/lint/series_findings.h"
#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "mechanics/polar_file.h"
#include "mechanics/section_matrix.h"

#include <errno.h>
#include <string.h>

// ---- files ----

typedef struct {
  BladeOpener opener;
  Reader *r;
  const Tree *word;
} SourceOpener;

// The source that has this path; the model itself where there is none.
static Error FindPath(Reader *r, const char *path, int *source) {
  for (*source = r->in->sources - 1; *source > 0; --*source) {
    const char *other;
    TRY(JoinNames(&r->store, r->in->file, r->in->source[*source].name, &other));
    if (!strcmp(path, other)) break;
  }
  return 0;
}

static Error OpenSource(BladeOpener *o, const char *by, const char *name, BladeSource *out) {
  const SourceOpener *s = (const SourceOpener *)(void *)o;
  Reader *r = s->r;
  FoundSource found, above;
  int source = source_of(r, s->word->at.file);
  bool good;
  if (by) TRY(FindPath(r, by, &source));
  TRY(TrySource(r, source, name, &found));
  if (found.source < 0 && by && found.error == ENOENT && *name != '/') { // the folder above, in which HAWC2 is started
    char text[1100];
    snprintf(text, sizeof text, "../%s", name);
    TRY(TrySource(r, source, text, &above));
    if (above.source >= 0) found = above;
  }
  *out = (BladeSource){.path = found.path};
  if (found.source < 0) {
    TRY(StoreText(&r->store, found.why, strlen(found.why), &out->why));
    return 0;
  }
  const InputSource *text = &r->in->source[found.source];
  TRY(CountScanned(r, s->word, (long long)text->length, &good));
  if (!good) {
    out->why = "too much is read";
    return 0;
  }
  out->text = text->text, out->length = text->length, out->file = found.file;
  if (found.fresh) r->diagnostics->file[found.file].hidden = true;
  return 0;
}

static Error ReadBladeSource(Reader *r, const Tree *word, const BladeChoices *choices, Blade *out, bool *good) {
  SourceOpener s = {{OpenSource, &r->store, r->diagnostics, &r->count}, r, word};
  ImportMistake mistake;
  TRY(BladeRead(&s.opener, word->text, choices, out, &mistake, good));
  if (!mistake.text[0]) return 0;
  if (!out->format) TRY(ReportError(r, word->at, "%s", mistake.text));
  else TRY(ReportError(r, word->at, "line %d of '%s': %s", mistake.line, mistake.file, mistake.text));
  return 0;
}

static const char *const gyration_words[] = {"elastic_centre", "mass_centre", NULL};
static const char *gyration_word(int i) { return gyration_words[i]; }
const FieldMore blade_gyrations = {NULL, gyration_word};

// The one format that is given.
static Error FindFormat(Reader *r, const Tree *map, BladeChoices *choices, const Tree **word) {
  char known[200];
  const Tree *second = NULL;
  *word = NULL;
  for (int i = 0; blade_formats[i]; i++) {
    const Tree *found = tree_find(map, blade_formats[i]->name);
    if (found && *word) second = found;
    else if (found) *word = found, choices->format = blade_formats[i]->name;
  }
  if (second) TRY(ReportError(r, second->at, "'from_file' takes one file"));
  else if (!*word)
    TRY(ReportError(r, map->at, "'from_file' needs a file: one of %s", blade_formats_text(known, sizeof known)));
  if (second) *word = NULL;
  return 0;
}

// Reads the file of a map `from_file`. `word`: its name, where mistakes are told as "line 3 of 'file': ...".
static Error ReadBladeFile(Reader *r, const Tree *map, const BladeFile *file, Blade *out, const Tree **word,
                           bool *good) {
  BladeChoices choices = {
      .part = file->part, .data = file->sections, .torsion = file->torsion, .stretch = file->stretch};
  choices.about_mass_centre = file->gyration && !strcmp(file->gyration, "mass_centre");
  TRY(FindFormat(r, map, &choices, word));
  *good = *word != NULL;
  if (*good && !(file->torsion >= 0 && file->stretch >= 0)) {
    *good = false;
    TRY(ReportError(r, map->at, "'torsion' and 'stretch' of 'from_file' must not be negative"));
  }
  if (*good) TRY(ReadBladeSource(r, *word, &choices, out, good));
  return 0;
}

// Reports a stiffness that is not positive definite.
static Error CheckBladeSections(Reader *r, const Blade *b, const Tree *word, bool *good) {
  double inverse[6][6];
  for (int i = 0; i < b->sections && *good; i++) {
    *good = symmetric_inverse(b->section[i].stiffness, inverse);
    if (!*good)
      TRY(ReportError(
          r, word->at,
          "line %d of '%s': the stiffness at %g of the length is not positive definite; `limber section` gives details",
          b->line[i], b->section_file, b->section[i].at));
  }
  return 0;
}

// Warns of what was not taken as the file has it.
static Error WarnAboutBladeFile(Reader *r, const Blade *b, const Tree *word) {
  int worst = 0;
  for (int i = 1; i < b->sections; i++)
    if (b->asymmetry[i] > b->asymmetry[worst]) worst = i;
  if (b->asymmetry[worst] > 1e-9)
    TRY(ReportWarning(r, word->at,
                      "line %d of '%s': the stiffness at %g of the length is not symmetric, by %.2g of its diagonal; "
                      "its symmetric part is used",
                      b->line[worst], b->section_file, b->section[worst].at, b->asymmetry[worst]));
  if (b->remark[0]) TRY(ReportWarning(r, word->at, "'%s': %s", b->section_file, b->remark));
  return 0;
}

// ---- sections ----

static const Field section_fields[] = {
#define BLADE_FORMAT(name, NAME, help) {#name, FIELD_TEXT, 1, offsetof(BladeFile, name), "", false, 0, help, NULL},
#include "input/blades/formats.def"
#undef BLADE_FORMAT
    BLADE_FILE_FIELDS(BladeFile, )};
static const FieldTable section_table = FIELDS(section_fields, BladeFile);
const FieldMore blade_section_fields = {&section_table, NULL};

Error ReadBladeSection(Reader *r, const Tree *map, const BladeFile *file, Blade *out, bool *good) {
  const Tree *word;
  for (int i = 0; i < map->count; i++) {
    const char *key = map->key[i]->text;
    if (!strcmp(key, "from_file") || !strcmp(key, "at")) continue;
    *good = false;
    TRY(ReportError(r, map->entry[i]->at, "'%s' follows from the file of 'from_file': give one or the other", key));
  }
  if (!*good) return 0;
  TRY(ReadBladeFile(r, tree_find(map, "from_file"), file, out, &word, good));
  if (!*good) return 0;
  TRY(CheckBladeSections(r, out, word, good));
  TRY(WarnAboutBladeFile(r, out, word));
  return 0;
}

Error AddBladeOutlines(Reader *r, int section, const Blade *b) {
  Outline o;
  for (int i = 0; b->shape && i < b->sections; i++) {
    blade_outline(b, i, &o);
    if (o.lines) TRY(ModelOutline(r->model, section, i, &o));
  }
  return 0;
}

// ---- beams ----

// The root of the blade is at `from` or `start`. With z and x of the file's root axes along `axis` and `up`, R, a point
// p of the axis is start + R (p - p0). The section has the name of the beam.

typedef struct {
  BladeFile file;
  double axis[3], up[3];
} FromFile;

typedef struct {
  LimberBeam beam; // what the model gets
  FromFile file;
} BladeBeam;

static const Field from_fields[] = {
#define BLADE_FORMAT(name, NAME, help) {#name, FIELD_TEXT, 1, offsetof(FromFile, file.name), "", false, 0, help, NULL},
#include "input/blades/formats.def"
#undef BLADE_FORMAT
    {"axis", FIELD_REALS, 3, offsetof(FromFile, axis), "", false, 0,
     "direction of the file's z, from the root to the tip; default: [0, 0, 1]", &field_direction},
    {"up", FIELD_REALS, 3, offsetof(FromFile, up), "", false, 0,
     "direction of the file's x, to the suction side; default: [1, 0, 0]", &field_direction},
    BLADE_FILE_FIELDS(FromFile, file.),
};
static const FieldTable from_table = FIELDS(from_fields, FromFile);
static const FieldMore from_more = {&from_table, NULL};

static const Field from_file = {"from_file", FIELD_MAP, 1, offsetof(BladeBeam, file),
                                "",          false,     0, "axis, twist and sections from a file of another program",
                                &from_more};

const FieldTable *blade_beam_fields(const FieldTable *beam) {
  static Field all[64];
  static FieldTable table;
  if (table.count) return &table;
  memcpy(all, beam->field, (size_t)beam->count * sizeof *all);
  for (int i = 0; i < beam->count; i++)
    if (!strcmp(all[i].name, "section")) all[i].required = false;
  all[beam->count] = from_file;
  table = (FieldTable){all, beam->count + 1, sizeof(BladeBeam)};
  return &table;
}

// ---- the file ----

static Error RefuseFields(Reader *r, const Tree *fields, bool *good) {
  static const char *const follow[] = {"section", "end", "up",    "twist",   "curvature",
                                       "length",  "arc", "helix", "stations"};
  for (size_t i = 0; i < sizeof follow / sizeof follow[0]; i++) {
    const Tree *given = tree_find(fields, follow[i]);
    if (!given) continue;
    *good = false;
    TRY(ReportError(r, given->at, "'%s' follows from the file of 'from_file': give one or the other", follow[i]));
  }
  return 0;
}

// ---- what it gives ----

static bool root_axes(const Scope *s, const FromFile *f, Mat3 *out) {
  Vec3 z = vec3_of(f->axis), x = vec3_of(f->up);
  if (!(vec3_norm(z) > 0)) z = scope_direction(s, vec3(0, 0, 1));
  if (!(vec3_norm(x) > 0)) x = scope_direction(s, vec3(1, 0, 0));
  z = vec3_unit(z);
  Vec3 across = vec3_sub(x, vec3_scale(vec3_dot(x, z), z));
  if (!(vec3_norm(across) > 1e-9 * vec3_norm(x))) return false;
  x = vec3_unit(across);
  *out = mat3_columns(x, vec3_cross(z, x), z);
  return true;
}

static Error PlaceStations(Reader *r, const Blade *b, const FromFile *f, const Tree *word, LimberBeam *beam,
                           bool *good) {
  LimberStation *station;
  Mat3 axes;
  if (!root_axes(r->scope, f, &axes)) {
    *good = false;
    TRY(ReportError(r, word->at, "'up' of 'from_file' is along its 'axis'; give another direction"));
    return 0;
  }
  TRY(StoreAllocate(&r->store, (size_t)b->points * sizeof *station, &station));
  TRY(BladeStations(b, station, good));
  bool node = !LIMBER_IS_NONE(beam->from) && beam->from.index != GROUND;
  Vec3 start = node ? model_node(r->model, beam->from.index)->x[0] : vec3_of(beam->start),
       root = vec3_of(station[0].at);
  for (int i = 0; i < b->points; i++)
    vec3_to(vec3_add(start, mat3_apply(axes, vec3_sub(vec3_of(station[i].at), root))), station[i].at);
  vec3_to(mat3_column(axes, 0), beam->up);
  beam->station = station, beam->stations = b->points;
  return 0;
}

static Error AddSection(Reader *r, const Blade *b, const char *name, const Tree *word, LimberBeam *beam, bool *good) {
  TRY(CheckBladeSections(r, b, word, good));
  if (!*good) return 0;
  int before = r->model->reasons.count;
  TRY(LimberModelAddSection(r->model, name, b->sections, b->section, &beam->section));
  *good = r->model->reasons.count == before;
  TRY(TakeModelDiagnostics(r, before, NULL, word->at));
  if (*good) TRY(NamesAdd(part_names(r, &part_sections), name, beam->section.index, word->at));
  if (*good) TRY(AddBladeOutlines(r, beam->section.index, b));
  return 0;
}

// The times of all strains; one if they are the same.
static Error TakeDamping(Reader *r, const Blade *b, const Tree *word, LimberBeam *beam) {
  double *times;
  bool same = true;
  if (b->damping_remark[0]) TRY(ReportWarning(r, word->at, "'%s': %s", b->section_file, b->damping_remark));
  for (int i = 1; i < 6; i++) same = same && b->damping[i] == b->damping[0];
  if (same) {
    beam->damping = b->damping[0];
    return 0;
  }
  TRY(StoreAllocate(&r->store, sizeof b->damping, &times));
  beam->strain_damping = memcpy(times, b->damping, sizeof b->damping);
  return 0;
}

Error CompleteBladeBeam(Reader *r, const char *name, SourceLocation at, const Tree *fields, Form *form, bool *good) {
  BladeBeam *t = form->out;
  const Field *section = field_find(form->fields, "section");
  const Tree *word;
  Blade b;
  if (!form_given(form, "from_file")) {
    bool missed = form->missed >> (section - form->fields->field) & 1;
    if (form_given(form, "section") || missed) return 0;
    *good = false;
    TRY(ReportError(r, at, "beam needs '%s' (%s)", section->name, section->help));
    return 0;
  }
  TRY(RefuseFields(r, fields, good));
  if (!*good) return 0;
  TRY(ReadBladeFile(r, tree_find(fields, "from_file"), &t->file.file, &b, &word, good));
  if (*good && b.sections_only) {
    *good = false;
    TRY(ReportError(r, word->at,
                    "'%s' has sections and no axis: give the file that names it, or a section 'from_file' of it",
                    b.section_file));
  }
  if (*good) TRY(PlaceStations(r, &b, &t->file, word, &t->beam, good));
  if (*good) TRY(AddSection(r, &b, name, word, &t->beam, good));
  if (!*good) return 0;
  if (!form_given(form, "elements")) t->beam.elements = b.sections < 20 ? 20 : b.sections;
  if (!form_given(form, "damping") && !form_given(form, "strain_damping")) TRY(TakeDamping(r, &b, word, &t->beam));
  TRY(WarnAboutBladeFile(r, &b, word));
  TRY(WarnAboutBlade(r, word->at, &b, t->file.file.part, t->beam.section.index));
  return 0;
}

// ---- polars ----

// The file of a polar that a map names; NULL after a mistake.
static Error FindPolarFile(Reader *r, const Tree *map, const PolarFile *f, const Form *form, const Tree **word) {
  const Tree *a = tree_find(map, "aerodyn"), *w = tree_find(map, "windio"), *airfoil = tree_find(map, "airfoil");
  *word = NULL;
  if (!a == !w) TRY(ReportError(r, map->at, "a polar needs one file: 'aerodyn' or 'windio'"));
  else if (a && airfoil) TRY(ReportError(r, airfoil->at, "an airfoil file of AeroDyn has one airfoil"));
  else if (w && !airfoil) TRY(ReportError(r, map->at, "a file of WindIO needs the name of an 'airfoil'"));
  else if (form_given(form, "number") && f->number < 1)
    TRY(ReportError(r, tree_find(map, "number")->at, "'number' counts from 1"));
  else *word = a ? a : w;
  return 0;
}

Error ReadPolarFile(Reader *r, FieldValue *v, void *out) {
  PolarFile f;
  Form form = {polar_file.fields, &f, 0, 0, 0};
  PolarRows rows = {NULL, 0};
  ImportMistake mistake = {0};
  const Tree *word = NULL;
  bool good;
  TRY(FormsRead(r, "a polar", v->tree->at, v->tree, 1, &form, &good));
  if (good) TRY(FindPolarFile(r, v->tree, &f, &form, &word));
  v->good = v->good && word;
  if (!word) return 0;
  SourceOpener s = {{OpenSource, &r->store, r->diagnostics, &r->count}, r, word};
  BladeSource source;
  TRY(OpenSource(&s.opener, NULL, word->text, &source));
  const BladeText text = {.path = source.path,
                          .text = source.text,
                          .length = source.length,
                          .all = {0, source.length, source.file},
                          .diagnostics = r->diagnostics,
                          .count = &r->count,
                          .mistake = &mistake};
  if (!source.text) TRY(ReportError(r, word->at, "%s", source.why));
  else if (f.aerodyn) TRY(PolarReadAerodyn(&text, &r->store, f.number, &rows));
  else TRY(PolarReadWindio(&text, &r->store, f.airfoil, f.number, &rows));
  if (mistake.text[0]) TRY(ReportError(r, word->at, "line %d of '%s': %s", mistake.line, source.path, mistake.text));
  v->good = rows.row != NULL;
  memcpy(out, &rows.row, sizeof rows.row);
  memcpy((char *)out + sizeof rows.row, &rows.rows, sizeof(int));
  return 0;
}
