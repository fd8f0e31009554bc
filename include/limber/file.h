/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Deprecated: limber/results.h stands in its place. */
#ifndef LIMBER_FILE_H
#define LIMBER_FILE_H

#include <limber/limber.h>

#endif
