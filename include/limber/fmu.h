/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Functional mock-up units (FMUs) of other programs, for co-simulation and model exchange, versions 2.0 and 3.0 of the
 * interface: what they contain, and running them step by step (docs/fmu.md).
 *
 *     LimberFmuOptions o = limber_fmu_options_default();
 *     o.allow_library = true;
 *     LimberFmuOpen("valve.fmu", &o, &fmu);
 *     LimberFmuSet(fmu, limber_fmu_find(fmu, "k"), 900);
 *     LimberFmuStart(fmu, 0);
 *     for (int i = 0; i < 100; i++) LimberFmuStep(fmu, 0.01);
 *     LimberFmuGet(fmu, limber_fmu_find(fmu, "x"), &x);
 *     LimberFmuClose(&fmu);
 *
 * Numbers are in the units that the FMU states. The functions need no LimberInitialize and are not collective. */
#ifndef LIMBER_FMU_H
#define LIMBER_FMU_H

#include <limber/version.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An FMU. */
typedef struct LimberFmuData *LimberFmu;

/** Interfaces of FMUs. */
typedef enum {
  LIMBER_FMU_ANY = 0,       /**< co-simulation if it is made for that, otherwise model exchange */
  LIMBER_FMU_CO_SIMULATION, /**< the FMU takes its steps itself */
  LIMBER_FMU_MODEL_EXCHANGE /**< Limber integrates its states, by the method of Dormand and Prince */
} LimberFmuInterface;

/** What a variable is for. */
typedef enum {
  LIMBER_FMU_LOCAL = 0,  /**< inside of the FMU */
  LIMBER_FMU_INPUT,      /**< it can be set at any time */
  LIMBER_FMU_OUTPUT,     /**< a result */
  LIMBER_FMU_PARAMETER,  /**< it can be set before the start */
  LIMBER_FMU_CALCULATED, /**< it follows from parameters */
  LIMBER_FMU_INDEPENDENT /**< the time */
} LimberFmuCausality;

/** How to open an FMU. A program starts from limber_fmu_options_default. */
typedef struct {
  int cookie;         /**< the mark of limber_fmu_options_default: leave it */
  bool allow_library; /**< it may be started: its library runs with your permissions */
  int interface;      /**< a LimberFmuInterface */
  double tolerance;   /**< relative error of a step of the solver of model exchange; 0: that of the FMU, or 1e-6 */
} LimberFmuOptions;
/** Any interface, no permission to start it. */
LIMBER_API LimberFmuOptions limber_fmu_options_default(void);

/** What an FMU is. */
typedef struct {
  const char *name;    /**< of the model; it belongs to the FMU */
  int version;         /**< of the interface: 2 or 3 */
  bool co_simulation;  /**< it is made for co-simulation */
  bool model_exchange; /**< it is made for model exchange */
  int interface;       /**< the LimberFmuInterface that is used */
  bool can_save;       /**< its state can be saved */
  bool variable_step;  /**< its steps may have any length */
  int variables;       /**< how many it has */
  double start;        /**< s: of its default experiment, as the next ones; NAN: not given */
  double stop;         /**< s */
  double step;         /**< s */
  double tolerance;    /**< relative */
} LimberFmuDescription;

/** A variable of an FMU. */
typedef struct {
  const char *name; /**< it belongs to the FMU, as the next two */
  const char *unit; /**< as the FMU writes it; "": none */
  const char *type; /**< Float64, Int32, Boolean, String and so on, as version 3.0 calls them */
  int causality;    /**< a LimberFmuCausality */
  bool number;      /**< it is a single number; others cannot be read or set */
  bool settable;    /**< before the start, and later if it is an input */
  double start;     /**< start value; NAN: none is given */
} LimberFmuVariable;

/** Reads the description of an FMU; options may be NULL. Its library is not loaded. A file that cannot be used gives an
 * error code, and limber_error says why. */
LIMBER_API int LimberFmuOpen(const char *path, const LimberFmuOptions *options, LimberFmu *fmu);
/** Ends the simulation, removes its temporary folder and sets the pointer to NULL. */
LIMBER_API int LimberFmuClose(LimberFmu *fmu);
/** What it is. */
LIMBER_API int LimberFmuGetDescription(LimberFmu fmu, LimberFmuDescription *out);
/** The i-th of its variables. */
LIMBER_API int LimberFmuGetVariable(LimberFmu fmu, int i, LimberFmuVariable *out);
/** The variable of that name; LIMBER_NONE, -1: there is none. */
LIMBER_API int limber_fmu_find(LimberFmu fmu, const char *name);
/** Loads its library and initialises it at this time [s]. It needs the permission of the options. */
LIMBER_API int LimberFmuStart(LimberFmu fmu, double time);
/** Sets a number: a parameter, start value or input before the start, an input after it. An input is held until it is
 * set again. */
LIMBER_API int LimberFmuSet(LimberFmu fmu, int variable, double value);
/** A number, after the start. */
LIMBER_API int LimberFmuGet(LimberFmu fmu, int variable, double *value);
/** Takes a step of this length [s]. A step that fails gives an error code with the FMU's reason; only LimberFmuClose may
 * follow. */
LIMBER_API int LimberFmuStep(LimberFmu fmu, double step);
/** The time that it has reached [s]; NAN before the start. */
LIMBER_API double limber_fmu_time(LimberFmu fmu);
/** Its state as bytes, with its inputs. `*state` is NULL, or memory of an earlier call, which is freed; limber_state_free
 * frees it. An FMU that cannot serialise its state gives an error code. */
LIMBER_API int LimberFmuSave(LimberFmu fmu, void **state, size_t *size);
/** Takes it back to a state that was saved, also by another FMU of the same file with the same options, in another
 * process. It must have been started. */
LIMBER_API int LimberFmuRestore(LimberFmu fmu, const void *state, size_t size);

#ifdef __cplusplus
}
#endif

#endif
