/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Blades, towers and shafts from files of other programs: BeamDyn, WindIO, HAWC2, VABS,
 * ElastoDyn. Axis and sections are in
 * the axes of the root, z from the root to the tip, x to the suction side, y to the trailing edge.
 *
 * To add one to a model, give its sections to LimberModelAddSection, and its stations to a beam, whose `up` is x. */
#ifndef LIMBER_BLADE_H
#define LIMBER_BLADE_H

#include <limber/catalogue.h>
#include <limber/version.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Formats of blade files. */
typedef enum {
  LIMBER_BLADE_RECOGNISED, /**< the one that recognises the file */
  LIMBER_BLADE_BEAMDYN,    /**< the primary file of BeamDyn (OpenFAST) */
  LIMBER_BLADE_WINDIO,     /**< a wind turbine of WindIO (YAML) */
  LIMBER_BLADE_HAWC2,      /**< an .htc file of HAWC2 */
  LIMBER_BLADE_VABS,       /**< a section of VABS or SONATA (.K) */
  LIMBER_BLADE_ELASTODYN   /**< the primary file of ElastoDyn (OpenFAST) */
} LimberBladeFormat;

/** What to read of a file. A program starts from limber_blade_options_default. */
typedef struct {
  int cookie;               /**< the mark of limber_blade_options_default: leave it */
  LimberBladeFormat format; /**< of the file */
  const char *part;         /**< of a file with several, such as "tower"; NULL: the blade */
  const char *sections;     /**< of HAWC2: a file of sections in place of the one that the .htc names; NULL: that one */
  bool about_mass_centre; /**< of HAWC2: radii of gyration are about the mass centre; false: about the elastic centre */
  double torsion;         /**< N m2: of ElastoDyn, whose files have no torsional stiffness; 0: stiff */
  double stretch;         /**< N: of ElastoDyn, whose files have no axial stiffness; 0: stiff */
} LimberBladeOptions;
/** The blade of a file whose format is recognised. */
LIMBER_API LimberBladeOptions limber_blade_options_default(void);

/** A blade of a file. */
typedef struct LimberBladeData *LimberBlade;

/** Reads a file with those that it names; options may be NULL. A mistake in a file is no error code:
 * limber_blade_errors counts them, and limber_blade_diagnostics returns their text. Not collective. */
LIMBER_API int LimberBladeRead(const char *path, const LimberBladeOptions *options, LimberBlade *blade);
/** Destroys the blade and sets the pointer to NULL. Not collective. */
LIMBER_API int LimberBladeDestroy(LimberBlade *blade);
/** The number of mistakes in the file. If there is one, the blade is empty. */
LIMBER_API int limber_blade_errors(LimberBlade blade);
/** The mistakes, with file and line, as `limber check` prints them; or "". */
LIMBER_API const char *limber_blade_diagnostics(LimberBlade blade);
/** The name of the format that was read. */
LIMBER_API const char *limber_blade_format(LimberBlade blade);
/** The axis, as a beam takes it, with twist about the tangent: how many stations there are, 0 where the file has
 * sections only. */
LIMBER_API int limber_blade_stations(LimberBlade blade, const LimberStation **station);
/** The sections along the axis, as LimberModelAddSection takes them: how many there are. */
LIMBER_API int limber_blade_sections(LimberBlade blade, const LimberSection **section);
/** How far the stiffness of section i was from symmetric in the file: largest |K_ij - K_ji| over sqrt(K_ii K_jj). */
LIMBER_API double limber_blade_asymmetry(LimberBlade blade, int i);
/** Chord of section i, m; 0 where the file has none. */
LIMBER_API double limber_blade_chord(LimberBlade blade, int i);
/** Six times of damping, s: axial, shear 2, 3, torsion, bending 2, 3; 0 where the file has none. */
LIMBER_API const double *limber_blade_damping(LimberBlade blade);
/** What the file contains that Limber does not use: "" or one remark per line. */
LIMBER_API const char *limber_blade_remarks(LimberBlade blade);

#ifdef __cplusplus
}
#endif

#endif
