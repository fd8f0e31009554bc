// SPDX-License-Identifier: Apache-2.0
// Slopes of forces by differences, and which forces have kinks (product.h).
#include "gradient/product.h"

#include <math.h>

static const double shortest = 1e-5;   // of a difference near a kink: the last one that is tried
static const double round_off = 1e-10; // of values: roughness below it may be round-off
static const double rough = 1e-8;      // of a difference: by how much a smooth function may differ from a parabola

static void find_values(OneNumberFunction f, const void *self, double x, double d, double *out) {
  for (int i = 0; i < 4; i++) out[i] = f(self, x + (i % 2 ? -1 : 1) * (1 + i / 2) * d);
}

static double slope(const double *f, double d) { return (8 * (f[0] - f[1]) - (f[2] - f[3])) / (12 * d); }

double smooth_slope(OneNumberFunction f, const void *self, double x, double d) {
  double at[4];
  find_values(f, self, x, d, at);
  return slope(at, d);
}

// The odd part of a smooth function is a line, and the even part a parabola, but for higher powers of d: how far they are not,
// and the size of all values.
typedef struct {
  double rough, size;
} Parts;

static Parts parts_of(const double *f, double middle) {
  double odd = fabs(f[2] - f[3] - 2 * (f[0] - f[1])), even = fabs(f[2] + f[3] - 4 * (f[0] + f[1]) + 6 * middle);
  return (Parts){fmax(odd, even), fabs(f[0]) + fabs(f[1]) + fabs(f[2]) + fabs(f[3]) + fabs(middle)};
}

static bool has_kink(const double *f, Parts p) {
  return p.rough > rough * fabs(f[0] - f[1]) + 64 * PETSC_MACHINE_EPSILON * p.size;
}

// Values that are small sums of larger ones have more round-off. It does not become smaller with d.
static bool is_round_off(Parts now, Parts before) {
  return now.rough > 0.5 * before.rough && now.rough < round_off * now.size;
}

// At the number itself a slope jumps only if the jump does not become smaller with d. Where it does, the curvature jumps, as where
// surfaces just touch.
double kinked_slope(OneNumberFunction f, const void *self, double x, double d, Kinks *kinks) {
  double at[4], middle = f(self, x), size = d, least = shortest * d, jump = 0, before, largest = 0, found = 0,
                longer = 0;
  Parts now = {0, 0}, last;
  bool kinked = true;
  for (;; d *= 0.1) {
    find_values(f, self, x, d, at);
    last = now, now = parts_of(at, middle), before = jump, jump = fabs(at[0] + at[1] - 2 * middle) / d;
    if (d < size && is_round_off(now, last)) {
      kinked = false;
      break;
    }
    longer = found, found = slope(at, d), kinked = has_kink(at, now);
    if (!kinked || d <= least) break;
    largest = fmax(largest, fmax(jump, fabs(at[0] - at[1]) / d));
  }
  kinks->size = fmax(kinks->size, size * fabs(found));
  if (!kinked) return found;
  if (jump > 0.3 * before) {
    if (jump > 1e-3 * largest) kinks->jump = fmax(kinks->jump, size * jump);
    return found;
  }
  double apart = (found - longer) / 9; // of the shorter difference, which is wrong by as much as d is long
  kinks->apart = fmax(kinks->apart, size * fabs(apart));
  return found + apart;
}

bool law_is_kinked(const Law *law) { return law->table || law_meets(law) || friction_acts(&law->friction); }

static bool joint_is_kinked(const Joint *joint) {
  for (int c = 0; c < joint->ncoord; c++)
    if (law_is_kinked(&joint->law[c])) return true;
  return false;
}

// Laws that elements bring themselves may have kinks, such as that of a cable that becomes slack.
static bool element_is_kinked(const ModelElement *el) {
  for (int g = 0; g < element_points(el->kind, el->data); g++) {
    ElementPoint p;
    element_point(el->kind, el->data, g, &p);
    if (p.response == &response_reel || p.begin || p.drag || p.flow) return true;
    if (p.response == &response_law && (p.law != &law_table || law_is_kinked(p.of))) return true;
  }
  return false;
}

bool product_is_kinked(const Layout *layout, int kind, PetscInt i) {
  if (kind == OF_JOINTS) return joint_is_kinked(layout_joint(layout, i));
  return kind == OF_ELEMENTS && element_is_kinked(model_element(layout->model, layout->element[i]));
}
