// SPDX-License-Identifier: Apache-2.0
// The mark of an options structure that its default function made.
#ifndef LIMBER_BASE_COOKIE_H
#define LIMBER_BASE_COOKIE_H

#define OPTIONS_COOKIE 0x4c696d62

#endif
