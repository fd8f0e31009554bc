// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"
#include "input/yaml/names.h"
#include "mechanics/shape.h"
#include "post/body/body.h"
#include "post/picture/scene.h"

#include <math.h>
#include <string.h>

// Marks the interfaces to hold; false: none of the names is one of them, or one is of no body.
static bool mark_held(const BodyChoices *choices, BodyReport *r, char *wrong, size_t size) {
  int interfaces = r->r->source.interfaces;
  bool *held = r->modes[1].held;
  for (int k = 0; k < interfaces; k++) held[k] = !choices->holds;
  for (int i = 0; i < choices->holds; i++) {
    Nearest near;
    bool found = false;
    nearest_begin(&near, choices->held[i]);
    for (int k = 0; k < interfaces; k++) {
      nearest_try(&near, r->interface[k]);
      if (!strcmp(choices->held[i], r->interface[k])) held[k] = found = true;
    }
    if (found) continue;
    snprintf(wrong, size, "'%s' has no interface '%s'%s", r->name, choices->held[i],
             interfaces ? nearest_hint(&near, "it has") : "; it has none");
    return false;
  }
  return interfaces > 0;
}

Error ReportBody(LimberModel m, const ModelMesh *mesh, const BodyChoices *choices, BodyReport *out, char *wrong,
                 size_t size) {
  Store scratch = {0};
  const Reduction *r = mesh->mesh->reduction;
  *out = (BodyReport){.name = model_component(m, model_element(m, mesh->element)->component)->name, .r = r, .sets = 1};
  *wrong = 0;
  reduction_inertia(&r->source, &out->inertia);
  double mass = out->inertia.m;
  Vec3 c = out->centre = vec3_scale(1 / mass, out->inertia.s);
  out->inertia.s = vec3_zero();
  out->inertia.j =
      mat3_axpy(out->inertia.j, -mass, mat3_axpy(mat3_scale(vec3_dot(c, c), mat3_identity()), -1, mat3_outer(c, c)));
  for (int k = 0; k < r->source.interfaces; k++) out->interface[k] = model_node(m, r->source.interface[k].frame)->name;
  out->sets += mark_held(choices, out, wrong, size);
  for (int i = 0; i < out->sets; i++) out->modes[i].count = choices->count;
  if (*wrong) return 0;
  const char *text =
      reduction_compare(r, out->sets, out->modes, LIMIT_REDUCED_WORK, (Allocator){allocate_of_store, &scratch});
  if (text) snprintf(wrong, size, "'%s': %s", out->name, text);
  TRY(StoreDestroy(&scratch));
  return 0;
}

static double frequency(double square) { return sqrt(fmax(square, 0)) / (2 * M_PI); }

static double error_of(const ReductionModes *m, int i) { return frequency(m->body[i]) / frequency(m->mesh[i]) - 1; }

double largest_error(const ReductionModes *m) {
  double most = 0;
  for (int i = 0; i < m->count; i++) most = fabs(error_of(m, i)) > fabs(most) ? error_of(m, i) : most;
  return most;
}

// ---- text ----

// "ROOT, TIP held", "free"
static const char *describe_set(const BodyReport *r, const ReductionModes *m, char *out, size_t size) {
  size_t n = 0;
  out[0] = 0;
  for (int k = 0; k < r->r->source.interfaces; k++)
    if (m->held[k]) {
      snprintf(out + n, size - n, "%s%.40s", n ? ", " : "", r->interface[k]);
      n += strlen(out + n);
    }
  if (!n) snprintf(out, size, "free");
  else snprintf(out + n, size - n, " held");
  return out;
}

static double rounded(double value, double least) { return fabs(value) < least ? 0 : value; }

static void print_mass(const BodyReport *r) {
  const Inertia *i = &r->inertia;
  double least = 1e-9 * (i->j.m[0][0] + i->j.m[1][1] + i->j.m[2][2]), away = 1e-9 * sqrt(least / (1e-9 * i->m));
  printf("  %-11s %.6g kg\n", "mass", i->m);
  printf("  %-11s %.6g, %.6g, %.6g m\n", "centre", rounded(r->centre.x, away), rounded(r->centre.y, away),
         rounded(r->centre.z, away));
  printf("  %-11s xx %.6g, yy %.6g, zz %.6g kg m2 about the centre\n", "inertia", i->j.m[0][0], i->j.m[1][1],
         i->j.m[2][2]);
  printf("  %-11s xy %.6g, xz %.6g, yz %.6g kg m2\n", "", rounded(i->j.m[0][1], least), rounded(i->j.m[0][2], least),
         rounded(i->j.m[1][2], least));
}

static void print_interfaces(const BodyReport *r) {
  const ReductionMesh *m = &r->r->source;
  for (int k = 0; k < m->interfaces; k++) {
    const ReductionInterface *f = &m->interface[k];
    printf("  %-11s ", k ? "" : m->interfaces == 1 ? "interface" : "interfaces");
    print_plain(stdout, r->interface[k]);
    printf(": %d nodes of the mesh, ", f->count);
    if (f->averages) printf("averaging");
    else printf("%.4g kg", r->r->frame[k].inertia.m);
    printf(", frame at %.6g, %.6g, %.6g m\n", f->at.x, f->at.y, f->at.z);
  }
}

static void print_modes(const BodyReport *r) {
  char text[400];
  int rows = 0;
  puts("\nFrequencies, Hz");
  printf("%6s", "");
  for (int s = 0; s < r->sets; s++) {
    describe_set(r, &r->modes[s], text, sizeof text);
    printf(s + 1 < r->sets ? "   %-32.32s" : "   %.32s", text);
    rows = r->modes[s].count > rows ? r->modes[s].count : rows;
  }
  printf("\n%6s", "mode");
  for (int s = 0; s < r->sets; s++) printf("   %11s%12s%9s", "mesh", "reduced", "error %");
  puts("");
  for (int i = 0; i < rows; i++) {
    printf("%6d", i + 1);
    for (int s = 0; s < r->sets; s++) {
      const ReductionModes *m = &r->modes[s];
      if (i < m->count)
        printf("   %11.6g%12.6g%9.3f", frequency(m->mesh[i]), frequency(m->body[i]),
               100 * rounded(error_of(m, i), 5e-6));
      else printf("   %11s%12s%9s", "-", "-", "-");
    }
    puts("");
  }
}

void print_body(const BodyReport *r) {
  const ReductionMesh *m = &r->r->source;
  printf("reduced_body '");
  print_plain(stdout, r->name);
  printf("'\n  %-11s %d nodes, %d cells\n", "mesh", m->nodes, m->elements);
  printf("  %-11s %d mass points, %d strains, from %d modes and %d interface loads\n", "reduced to", r->r->points,
         r->r->rows, m->modes, 6 * m->interfaces);
  print_mass(r);
  print_interfaces(r);
  print_modes(r);
}

// ---- JSON: SI, frequencies in Hz ----

static void put_numbers(FILE *out, const char *name, int n, const double *value) {
  fprintf(out, ",\"%s\":[", name);
  for (int i = 0; i < n; i++) fprintf(out, isfinite(value[i]) ? "%s%.17g" : "%snull", i ? "," : "", value[i]);
  fputc(']', out);
}

static void put_vector(FILE *out, const char *name, Vec3 v) {
  double x[3];
  vec3_to(v, x);
  put_numbers(out, name, 3, x);
}

static void put_set(const BodyReport *r, const ReductionModes *m, FILE *out) {
  double mesh[REDUCED_COMPARED], body[REDUCED_COMPARED];
  int n = 0;
  fputs("{\"held\":[", out);
  for (int k = 0; k < r->r->source.interfaces; k++)
    if (m->held[k]) fputs(n++ ? "," : "", out), json_text(out, r->interface[k]);
  fputc(']', out);
  for (int i = 0; i < m->count; i++) mesh[i] = frequency(m->mesh[i]), body[i] = frequency(m->body[i]);
  put_numbers(out, "mesh", m->count, mesh), put_numbers(out, "reduced", m->count, body);
  fputc('}', out);
}

void print_body_json(const BodyReport *r, FILE *out) {
  const ReductionMesh *m = &r->r->source;
  const Mat3 *j = &r->inertia.j;
  fputs("{\"name\":", out);
  json_text(out, r->name);
  fprintf(out, ",\"nodes\":%d,\"cells\":%d,\"points\":%d,\"strains\":%d", m->nodes, m->elements, r->r->points,
          r->r->rows);
  fprintf(out, ",\"mass\":%.17g", r->inertia.m);
  put_vector(out, "centre", r->centre);
  put_numbers(out, "inertia", 6,
              (const double[]){j->m[0][0], j->m[1][1], j->m[2][2], j->m[0][1], j->m[0][2], j->m[1][2]});
  fputs(",\n   \"interfaces\":[", out);
  for (int k = 0; k < m->interfaces; k++) {
    fputs(k ? ",{\"name\":" : "{\"name\":", out), json_text(out, r->interface[k]);
    fprintf(out, ",\"nodes\":%d,\"averaging\":%s", m->interface[k].count, m->interface[k].averages ? "true" : "false");
    put_vector(out, "at", m->interface[k].at);
    fputc('}', out);
  }
  fputs("],\n   \"modes\":[", out);
  for (int s = 0; s < r->sets; s++) fputs(s ? ",\n    " : "", out), put_set(r, &r->modes[s], out);
  fputs("]}", out);
}
