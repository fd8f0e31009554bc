// SPDX-License-Identifier: Apache-2.0
// What messages call a part of the model that may have no name.
#ifndef LIMBER_ANALYSES_SHOWN_NAME_H
#define LIMBER_ANALYSES_SHOWN_NAME_H

static inline const char *shown_name(const char *name) { return name ? name : "?"; }

#endif
