/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The version of the headers, and marks of public functions. CMake reads the version of the project here. */
#ifndef LIMBER_VERSION_H
#define LIMBER_VERSION_H

#define LIMBER_VERSION_MAJOR 0 /**< changes where programs have to be changed */
#define LIMBER_VERSION_MINOR 2 /**< changes with new functions (before 1.0 as the major number does) */
#define LIMBER_VERSION_PATCH 0 /**< changes with corrections */

/** 1 if the headers are of this version or of a later one. */
#define LIMBER_VERSION_AT_LEAST(major, minor, patch) \
  (LIMBER_VERSION_MAJOR > (major) || \
   (LIMBER_VERSION_MAJOR == (major) && \
    (LIMBER_VERSION_MINOR > (minor) || (LIMBER_VERSION_MINOR == (minor) && LIMBER_VERSION_PATCH >= (patch)))))

/** Marks a function that the library shows. */
#if defined(__GNUC__)
#define LIMBER_API __attribute__((visibility("default")))
#else
#define LIMBER_API
#endif

#endif
