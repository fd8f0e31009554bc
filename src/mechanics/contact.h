// SPDX-License-Identifier: Apache-2.0
// Contact of two shapes: a one-sided potential of the gap g between them, a damper, friction.
//
// The gap is a function of dot products p_m = y_0 . y_b of vectors y that the nodes carry along, y = sum_a N_a x_a. A
// kind of gap gives coefficients with  sum_m c_m (p_m(q_k) - p_m(q_n)) = g_k - g_n  exactly, so that the force f along
//   B = sum_m c_m (y_0 mean . dy_b + y_b mean . dy_0)        works f (g_k - g_n).
// With d = max(-g, 0) the depth and U(d) = k d^2/2 or 2/5 k d^(5/2) the pressure N = -(U_k - U_n)/(g_k - g_n) works the
// change of U. The damper multiplies it: N (1 + loss (g_n - g_k)/h) >= 0 (Hunt & Crossley 1975), which takes energy by
// its form. Friction acts along the slip s, the change of a vector between the two material points over the step in the
// plane across the normal at t_n: -mu N s/sqrt(s^2 + (v0 h)^2), or a spring of stiffness K with the deflection x, at
// most mu N, whose energy K x^2/2 is stored. Without penetration there is no U: N >= 0, g_k >= 0, N g_k = 0 at the end
// of the step, and friction without a spring is Coulomb's law itself: |T| <= mu N, s = 0 or T = -mu N s/|s|. Both are
// found by an augmented Lagrangian.
// Equations: eq-contact-gap (22.1), eq-contact-pressure (22.2), eq-contact-damper (22.3), eq-contact-stick (22.5).
#ifndef LIMBER_MECHANICS_CONTACT_H
#define LIMBER_MECHANICS_CONTACT_H

#include "base/field.h"
#include "limber/catalogue.h"
#include "mechanics/node.h"

enum { CONTACT_NODES = 4, CONTACT_Y = 4, CONTACT_PRODUCTS = 3 };

// y = sum over nodes a and their vectors j of coef[a][j] x_aj
typedef struct {
  double coef[CONTACT_NODES][4];
} ContactVector;

// Numbers of a gap: sizes of the shape, and g = sign * distance - offset.
typedef struct {
  double size[3], sign, offset;
} GapShape;

typedef struct {
  double gn, gk;
  double c[CONTACT_PRODUCTS];                    // sum_m c_m (pk - pn)_m = gk - gn
  double dc[CONTACT_PRODUCTS][CONTACT_PRODUCTS]; // d c_m / d pk_l
  double end[CONTACT_PRODUCTS];                  // d gk / d pk_m
} GapSecant;

typedef struct {
  const char *name, *help;
  int ny, nproduct;
  int product[CONTACT_PRODUCTS]; // p_m = y_0 . y_product[m]; y_0 leads from the shape to the point
  // of a point from a rigid shape, which with sign 1 has no hollows (assembly/contact_sieve.h)
  bool is_distance;
  void (*secant)(const GapShape *shape, const double *pn, const double *pk, GapSecant *out);
  GapShape example;
} GapKind;

extern const GapKind *const gap_kinds[];   // ends with NULL
const GapKind *gap_find(const char *name); // NULL: there is none
// The gap at the vectors y of its kind, with its derivatives by their products.
void gap_evaluate(const GapKind *kind, const GapShape *shape, const Vec3 *y, GapSecant *out);

// max(|x| - a, 0) with the sign of x; its divided difference between two values, and the derivative of that by the
// second.
double gap_beyond(double x, double a);
double gap_beyond_secant(double xn, double xk, double a, double *rate);

typedef struct {
  double stiffness;            // k of the potential, weights and radii counted
  bool hertz;                  // its power
  double loss;                 // of the damper; s/m
  double friction, slip_speed; // mu, v0
  double stick, stick_damping; // K, and its damper over it; 0: friction is regularised
  bool hard;                   // no penetration: the pressure follows from the gap at the end ...
  double depth;                // ... which is zero by this
} ContactLaw;

// Of what a contact of restitution e has its damper: the root d of  ln((1 + d)/(1 - e d)) = d (1 + e), whose damper
// over the speed of approach leaves e of that speed, for every power of the potential.
double contact_damper(double restitution);

double contact_energy(const ContactLaw *l, double gap);

// Two shapes over a step: their vectors, the law, and what friction remembers.
typedef struct {
  const GapKind *kind;
  GapShape shape;
  ContactLaw law;
  int nnode;
  NodeKind node[CONTACT_NODES];
  ContactVector y[CONTACT_Y], slip; // slip: from the material point of the shape to that of the other, at t_n
  Vec3 normal;                      // at t_n, towards the point
  Vec3 deflection;                  // of the spring that sticks, at t_n
  double penalty, multiplier;       // of a law without penetration: N = max(0, multiplier - penalty (g_k - floor))
  double grip;                      // and of its friction: the traction is shear - grip s, at most mu N long
  Vec3 shear;
} ContactPair;

// What the gap of a law without penetration may not fall below: 0; or where it was, beyond its depth as at the start, or
// so near to zero that it is not worth a motion.
static inline double contact_floor(const ContactLaw *l, double gn) {
  return gn < -l->depth || fabs(gn) <= 0.5 * l->depth ? gn : 0;
}
// Whether a pair without penetration was apart at t_n, by more than what is left of a gap.
static inline bool contact_apart(const ContactLaw *l, double gn) { return gn > 100 * l->depth; }
static inline double contact_hard_pressure(const ContactPair *p, double gn, double gk) {
  double n = p->multiplier - p->penalty * (gk - contact_floor(&p->law, gn));
  return n > 0 ? n : 0;
}

// Whether its friction is Coulomb's law itself, neither regularised nor a spring.
static inline bool contact_is_coulomb(const ContactLaw *l) { return l->hard && l->friction > 0 && !(l->stick > 0); }

// The vectors of its nodes at t_n and at the end, 4 a node, and their changes.
typedef struct {
  const Vec3 *xn[CONTACT_NODES];
  const NodeMotion *motion[CONTACT_NODES]; // over stage 0
} ContactMotion;

typedef struct {
  double gn, gk, pressure;
  double impact, friction; // energy taken
  double stored;           // by the spring that sticks, at the end
  Vec3 traction;           // on the point
  double unsettled;        // m: by how much Coulomb's law without penetration is not met, as a slip
  Vec3 deflection;         // at the end
} ContactBalance;

// The gap of a state, whose vectors are `x`, 4 a node; its rate, where those change by `rate`; and the direction in
// which it grows.
double contact_gap(const ContactPair *p, const Vec3 *const *x);
double contact_gap_rate(const ContactPair *p, const Vec3 *const *x, const Vec3 *const *rate, Vec3 *normal);
// Its derivatives by the vectors of the nodes.
void contact_gap_gradient(const ContactPair *p, const Vec3 *const *x, Vec3 (*out)[4]);

// A pair over a step: its forces and their tangent follow from this.
typedef struct {
  Vec3 yk[CONTACT_Y], mean[CONTACT_Y];
  GapSecant gap;
  double elastic, pressure, rate; // N without and with the damper, and its derivative by g_k
  Vec3 traction;
  Mat3 by_slip;     // d traction / d slip
  Vec3 by_pressure; // d traction / d N
  double friction, stored, unsettled;
  Vec3 deflection;
} PairStep;

// Forces of stage 0. block[a]: first block of a node in the item, whose tangent is not wanted.
void contact_evaluate(const ContactPair *p, double h, const ContactMotion *m, const int *block, PairStep *s,
                      Local *out);

// The tangent of these forces, 3 x 3 numbers for each pair of blocks of the nodes, those of a block by columns.
enum { CONTACT_BLOCKS = 2 * CONTACT_NODES };
typedef struct {
  const ContactPair *pair;
  ContactMotion motion;
  PairStep step;
  double k[9 * CONTACT_BLOCKS * CONTACT_BLOCKS];
} ContactTangent;
// Of all of a list, side by side where they are alike (contact_batch.c). At most CONTACT_TANGENTS.
enum { CONTACT_TANGENTS = 32 };
void contact_tangents(ForceRule force_rule, int count, ContactTangent *list);
void contact_balance(const ContactPair *p, double h, const ContactMotion *m, ContactBalance *out);

#endif
