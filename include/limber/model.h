/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A model: nodes, sections, functions of time, elements, joints and loads. Elements, joints, loads and functions
 * are added by the functions of limber/adders.h, one for each kind of the catalogue; the functions `...ByKind` take
 * the kind as a word.
 *
 * A mistake in a component is no error code: limber_model_diagnostics gives all of them, and a run of such a model
 * does not start. After a call that returned an error code, further calls that build the model or start an analysis of
 * it do nothing and return that code: a program checks limber_model_error once. */
#ifndef LIMBER_MODEL_H
#define LIMBER_MODEL_H

#include <limber/catalogue.h>
#include <limber/events.h>
#include <limber/version.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model. It is constant during a run, but for signals. */
typedef struct LimberModelData *LimberModel;

/** Makes a model with the ground as its only node. It lives on all ranks of the program; limber/mpi.h has
 * LimberModelCreateOn for some of them. Collective. */
LIMBER_API int LimberModelCreate(LimberModel *model);
/** Frees a model and sets the pointer to NULL. Its runs must be destroyed before. Collective. */
LIMBER_API int LimberModelDestroy(LimberModel *model);

/** Adds a node with 6 degrees of freedom. axes: nine numbers, the three axes one after the other in ground components;
 * NULL: the ground's. id may be NULL. The same on every rank. */
LIMBER_API int LimberModelAddFrame(LimberModel model, const char *name, const double position[3], const double *axes,
                                   LimberNodeId *id);
/** Adds a frame that stays where it is: a place of the ground with axes of its own. The same on every rank. */
LIMBER_API int LimberModelAddFixed(LimberModel model, const char *name, const double position[3], const double *axes,
                                   LimberNodeId *id);
/** Adds a node with 3 degrees of freedom. The same on every rank. */
LIMBER_API int LimberModelAddPoint(LimberModel model, const char *name, const double position[3], LimberNodeId *id);
/** Gives a node a velocity and an angular velocity at the start, in ground components. The same on every rank. */
LIMBER_API int LimberModelSetVelocity(LimberModel model, LimberNodeId node, const double velocity[3],
                                      const double angular[3]);
/** Sets every node in motion as one rigid body that has `velocity` at the ground's origin. The same on every rank. */
LIMBER_API int LimberModelSetRigidVelocity(LimberModel model, const double velocity[3], const double angular[3]);

/** Adds the section of a beam, with one station or several along the span. The same on every rank. */
LIMBER_API int LimberModelAddSection(LimberModel model, const char *name, int stations, const LimberSection *station,
                                     LimberSectionId *id);
/** Adds a section that is solved on a mesh of its plane (docs/section_meshes.md), the same all along the span. `id` may
 * be NULL. What is wrong with the mesh is a diagnostic of the model. The same on every rank. */
LIMBER_API int LimberModelAddSectionMesh(LimberModel model, const char *name, const LimberSectionMesh *mesh,
                                         LimberSectionId *id);
/** The section of a shape, by the name and the structure of the shape: NULL, or what is wrong. `offset` (y, z) moves
 * the reference line, `shear` are shear factors along e2 and e3; either may be NULL. limber/adders.h has a function
 * for each shape. */
LIMBER_API const char *limber_section(const char *shape, const void *params, const LimberMaterial *material,
                                      const double *offset, const double *shear, LimberSection *out);

/** Adds a function of time. kind: a name of the catalogue; params: the structure of the kind; size: its sizeof. A size
 * that is not that of the kind's structure is an error code. The same on every rank. */
LIMBER_API int LimberModelAddFunctionByKind(LimberModel model, const char *kind, const char *name, const void *params,
                                            size_t size, LimberFunctionId *id);
/** Adds an element; arguments as of LimberModelAddFunctionByKind. The same on every rank. */
LIMBER_API int LimberModelAddElementByKind(LimberModel model, const char *kind, const char *name, const void *params,
                                           size_t size, LimberElementId *id);
/** Adds a joint; arguments as of LimberModelAddFunctionByKind. The same on every rank. */
LIMBER_API int LimberModelAddJointByKind(LimberModel model, const char *kind, const char *name, const void *params,
                                         size_t size, LimberJointId *id);
/** Adds a load; arguments as of LimberModelAddFunctionByKind. The same on every rank. */
LIMBER_API int LimberModelAddLoadByKind(LimberModel model, const char *kind, const char *name, const void *params,
                                        size_t size, LimberLoadId *id);

/** Adds a surface that can touch others; arguments as of LimberModelAddFunctionByKind. The structures of its kinds are
 * LimberSphereSurface and the like. The same on every rank. */
LIMBER_API int LimberModelAddSurfaceByKind(LimberModel model, const char *kind, const char *name, const void *params,
                                           size_t size, LimberSurfaceId *id);
/** Defaults of a wave port. */
LIMBER_API LimberWave limber_wave_default(void);
/** Adds a wave port (limber/ports.h) at a joint or node that was added before. id may be NULL. The same on every rank.
 */
LIMBER_API int LimberModelAddWave(LimberModel model, const char *name, const LimberWave *params, LimberPortId *id);
/** Defaults of a contact. */
LIMBER_API LimberContact limber_contact_default(void);
/** Adds a contact between surfaces that were added before. id may be NULL. The same on every rank. */
LIMBER_API int LimberModelAddContact(LimberModel model, const char *name, const LimberContact *params,
                                     LimberContactId *id);
/** Adds an event; arguments as of LimberModelAddFunctionByKind. The structures are in limber/events.h. The same on
 * every rank. */
LIMBER_API int LimberModelAddEventByKind(LimberModel model, const char *kind, const char *name, const void *params,
                                         size_t size, LimberEventId *id);
/** Defaults of what an event does: nothing. */
LIMBER_API LimberEventAction limber_event_action_default(void);

/** The node of that name; LIMBER_NO_NODE if there is none. */
LIMBER_API LimberNodeId limber_model_find_node(LimberModel model, const char *name);
/** The element of that name; LIMBER_NO_ELEMENT if there is none. */
LIMBER_API LimberElementId limber_model_find_element(LimberModel model, const char *name);
/** The joint of that name; LIMBER_NO_JOINT if there is none. */
LIMBER_API LimberJointId limber_model_find_joint(LimberModel model, const char *name);
/** The load of that name; LIMBER_NO_LOAD if there is none. */
LIMBER_API LimberLoadId limber_model_find_load(LimberModel model, const char *name);
/** The function of that name; LIMBER_NO_FUNCTION if there is none. */
LIMBER_API LimberFunctionId limber_model_find_function(LimberModel model, const char *name);
/** The i-th node along a component (a beam's nodes from start to end); LIMBER_NO_NODE past the last. */
LIMBER_API LimberNodeId limber_model_element_node(LimberModel model, LimberElementId element, int i);
/** How many integration points a component has. */
LIMBER_API int limber_model_element_points(LimberModel model, LimberElementId element);
/** How many nodes there are, with the ground. */
LIMBER_API int limber_model_nodes(LimberModel model);
/** "" or the mistakes of the model, one a line. */
LIMBER_API const char *limber_model_diagnostics(LimberModel model);
/** What is wrong with the model: "", the message of the first call on it that failed, or its mistakes. A program that
 * builds a model needs no other check. */
LIMBER_API const char *limber_model_error(LimberModel model);
/** Sets a function of the kind `signal`, from the next step of a run on: what a controller in a program puts out. The
 * work of a load that it drives is part of the ledger, as that of any other load. Collective. */
LIMBER_API int LimberModelSetSignal(LimberModel model, LimberFunctionId function, double value);

#ifdef __cplusplus
}
#endif

#endif
