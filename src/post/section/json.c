// SPDX-License-Identifier: Apache-2.0
// The report as JSON, for programs: SI, but for angles in degrees; null where there is no value.
#include "post/section/section.h"

#include "post/picture/scene.h"

#include <math.h>

static void put_number(FILE *out, double value) {
  if (isfinite(value)) fprintf(out, "%.17g", value == 0 ? 0 : value);
  else fputs("null", out);
}

static void put(FILE *out, const char *name, double value) {
  fprintf(out, ",\"%s\":", name);
  put_number(out, value);
}

static void put_pair(FILE *out, const char *name, const double value[2]) {
  fprintf(out, ",\"%s\":[", name);
  put_number(out, value[0]);
  fputc(',', out);
  put_number(out, value[1]);
  fputc(']', out);
}

static void put_text(FILE *out, const char *name, const char *text) {
  fprintf(out, ",\"%s\":", name);
  json_text(out, text);
}

static void put_station(const SectionReport *r, int i, FILE *out) {
  StationValues v = station_values(r, i);
  fprintf(out, "%s\n    {\"station\":%d", i ? "," : "", i + 1);
  put(out, "at", v.at);
  put(out, "position", r->length > 0 ? v.at * r->length : NAN);
  put(out, "mass", v.mass);
  put(out, "EA", v.axial);
  put_pair(out, "EI", v.bending);
  put(out, "GJ", v.torsion);
  put_pair(out, "GA", v.shear);
  put_pair(out, "tension_centre", v.tension);
  put_pair(out, "shear_centre", v.shear_centre);
  put_pair(out, "mass_centre", v.mass_centre);
  put(out, "bending_angle", v.bending_angle);
  put(out, "inertia_angle", v.inertia_angle);
  put(out, "chord", v.chord > 0 ? v.chord : NAN);
  fputc('}', out);
}

static void put_finding(const SectionReport *r, int i, FILE *out) {
  const SeriesFinding *f = &r->finding[i];
  int n = 0;
  fprintf(out, "%s\n    {\"level\":\"%s\",\"name\":\"%s\",\"stations\":[", i ? "," : "",
          f->level == FINDING_WARNING ? "warning" : "remark", f->name);
  for (int k = 0; k < r->series.count; k++)
    if (f->at[k]) fprintf(out, "%s%d", n++ ? "," : "", k + 1);
  fputc(']', out);
  put_text(out, "text", f->text + (f->text[0] == ' '));
  fputc('}', out);
}

void print_section_json(const SectionReport *r, FILE *out) {
  const SectionAxes *a = r->series.axes;
  double c[2];
  section_point(a, r->centre, c);
  fputs("{\"name\":", out);
  json_text(out, r->name);
  put_text(out, "program", r->program);
  fprintf(out, ",\"axes\":[\"%s\",\"%s\"],\"along\":\"%s\",\"angles_from\":\"%s\"", a->axis[0], a->axis[1], a->along,
          a->axis[r->angle_from]);
  put(out, "length", r->length > 0 ? r->length : NAN);
  put(out, "mass", r->length > 0 ? r->mass : NAN);
  if (r->has_centre) {
    const double centre[3] = {c[0], c[1], r->centre[2]};
    for (int k = 0; k < 3; k++) fputs(k ? "," : ",\"mass_centre\":[", out), put_number(out, centre[k]);
    fputc(']', out);
  }
  fputs(",\n   \"stations\":[", out);
  for (int i = 0; i < r->series.count; i++) put_station(r, i, out);
  fputs("],\n   \"findings\":[", out);
  for (int i = 0; i < r->findings; i++) put_finding(r, i, out);
  fputs("]}", out);
}
