/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Wave ports: runs of several models that exchange waves after every step. Their energies and that of the waves
 * together never grow beyond the work of their loads, whatever the step.
 *
 *     LimberConnection c = {{0, 1}, {limber_run_find_port(a, "tip"), limber_run_find_port(b, "root")}, 1};
 *     LimberRun run[] = {a, b};
 *     LimberPortsStart(2, run, 1, &c);
 *     for (int i = 0; i < 1000; i++) {
 *       LimberRunStep(a, &outcome), LimberRunStep(b, &outcome);
 *       LimberPortsExchange(2, run, 1, &c);
 *     }
 *
 * Over a step of length h with the displacement D a port of impedance Z has the force b = Z D/h + sqrt(2 Z) u_in on its
 * line, and the wave u_out = sqrt(2 Z) D/h + u_in goes out; the other end receives -u_out in the next step. With a mass
 * z0 of the line Z is z0/h. */
#ifndef LIMBER_PORTS_H
#define LIMBER_PORTS_H

#include <limber/analysis.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of waves of a port: those of the position of a node. */
enum { LIMBER_MOST_WAVES = 3 };

/** A port of a run. Masses are kg, or kg m2 at an angle. */
typedef struct {
  const char *name;                   /**< it belongs to the model */
  int waves;                          /**< 1 at a coordinate, 3 at a node */
  double mass;                        /**< of the line; 0: the impedance is given */
  double impedance;                   /**< N s/m, or N m s/rad at an angle */
  double largest_mass;                /**< that the line could have, by the masses at the start; 0: not known */
  double step;                        /**< s: after which waves are exchanged */
  double velocity[LIMBER_MOST_WAVES]; /**< m/s or rad/s: at the start */
} LimberPort;

/** Waves of a port, and the last step; the first `waves` of each. */
typedef struct {
  double in[LIMBER_MOST_WAVES];    /**< sqrt(W): the wave that comes in */
  double out[LIMBER_MOST_WAVES];   /**< sqrt(W): that which went out; of a step that was taken in parts the mean */
  double force[LIMBER_MOST_WAVES]; /**< N or N m: of the model on the line, mean over the step */
  double moved[LIMBER_MOST_WAVES]; /**< m or rad: the displacement of the step */
  double gap[LIMBER_MOST_WAVES];   /**< m or rad: F h^2/z0, by which this force F moves the ends of the line apart */
} LimberPortState;

/** A bond to an FMU over the last step; of a step that was taken in parts, over the last part. */
typedef struct {
  const char *name; /**< it belongs to the model */
  double flow;      /**< m/s or rad/s: velocity that the FMU got */
  double effort;    /**< N or N m: mean of its forces at the start and the end */
  double force;     /**< N or N m: on the model; less than the effort where that would create energy */
  double moved;     /**< m or rad: displacement of the coordinate */
  double exchange;  /**< J: work of the force less flow times effort, since the start */
} LimberBondState;

/** A line between the ports of two runs. */
typedef struct {
  int run[2];           /**< indices of the runs */
  LimberPortId port[2]; /**< a port of each */
  double sign;          /**< 1: both move alike; -1: in opposite directions */
} LimberConnection;

/** How many ports a run has. */
LIMBER_API int limber_run_ports(LimberRun run);
/** The port of that name; LIMBER_NO_PORT if there is none. */
LIMBER_API LimberPortId limber_run_find_port(LimberRun run, const char *name);
/** A port of a run. Not collective. */
LIMBER_API int LimberRunGetPort(LimberRun run, LimberPortId port, LimberPort *out);
/** Its waves and its force over the last step. Not collective. */
LIMBER_API int LimberRunGetPortState(LimberRun run, LimberPortId port, LimberPortState *state);
/** Sets the wave that comes in over the next steps: as many numbers as the port has waves. The same on every rank. */
LIMBER_API int LimberRunSetPortWave(LimberRun run, LimberPortId port, const double *in);
/** How many bonds to FMUs a run has. */
LIMBER_API int limber_run_bonds(LimberRun run);
/** The i-th bond of a run. Not collective. */
LIMBER_API int LimberRunGetBond(LimberRun run, int i, LimberBondState *out);
/** Sets the waves of all lines at the start, from the forces and accelerations of the coupled system there. Each port
 * of the runs has one connection; both ends have the same mass or impedance, the same step and the same velocity. Call
 * it before a saved state is restored, too. The same on every rank. */
LIMBER_API int LimberPortsStart(int runs, const LimberRun *run, int connections, const LimberConnection *connection);
/** After each of the runs took a step: what went out of one end comes in at the other. The same on every rank. */
LIMBER_API int LimberPortsExchange(int runs, const LimberRun *run, int connections, const LimberConnection *connection);

/** How to run a system of models. A program starts from limber_couple_options_default. */
typedef struct {
  int cookie;                /**< the mark of limber_couple_options_default: leave it */
  int changes;               /**< how many */
  const char *const *change; /**< such as "run.step=1ms" or "crane.let.load=2 t" */
  bool resume;               /**< continues from the last checkpoint of all participants */
  bool allow_library;        /**< models may load FMUs and shared libraries */
  bool overwrite;            /**< also files that Limber did not write */
} LimberCoupleOptions;
/** No changes, from the start. */
LIMBER_API LimberCoupleOptions limber_couple_options_default(void);
/** Does what `limber couple` does: runs the models of a system file together, each in a process of its own, and writes
 * the results of the whole to `path`, for LimberHistoryOpen, and those of each participant beside it. Options may be
 * NULL. The processes are made by fork and start MPI themselves: call it before LimberInitialize. Fails if a model is
 * wrong or a run fails; stderr says why. Not collective. */
LIMBER_API int LimberCouple(const char *system, const char *path, const LimberCoupleOptions *options);

#ifdef __cplusplus
}
#endif

#endif
