// SPDX-License-Identifier: Apache-2.0
// A drawing of a model as it stands before it is run, as SVG: lines and bodies to scale, joints and loads as symbols of
// a fixed size.
#ifndef LIMBER_POST_PICTURE_PICTURE_H
#define LIMBER_POST_PICTURE_PICTURE_H

#include "model/model.h"

#include <stdio.h>

extern const char *const picture_views[]; // words for `view`; ends with NULL

// view: one of the words, or NULL: a planar model is drawn in its plane, any other from aslant.
Error PictureWrite(Model m, const char *title, const char *view, FILE *out);

#endif
