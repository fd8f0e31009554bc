// SPDX-License-Identifier: Apache-2.0
// `limber view`: a run as one page. The page is the viewer (folder viewer) with two texts put into it: a description in
// JSON, and arrays of numbers, one after the other, in base64.
#ifndef LIMBER_POST_VIEW_VIEW_H
#define LIMBER_POST_VIEW_VIEW_H

#include "post/selection.h"
#include "post/picture/scene.h"

extern const char *const view_name;

typedef struct {
  const Arguments *arguments;
  Results *run;
  Input *in; // the model of the run
  Scene scene;
  char path[4200];   // of the page
  FILE *json;        // where the arrays are named
  ModelArray bytes;  // all of them
  int *shown, nodes; // of each node of the model its place among those that are drawn, -1; their number with the ground
  int frames, snapshots;
  double position_error; // m, of rounding
  int rows, rows_of;     // rows of a history in the page, of how many
  double row_shift;      // s, by which a value may be moved in time
  bool machine;          // memory or a file failed
} ViewerPage;

typedef enum { VIEW_U16, VIEW_I32, VIEW_F32, VIEW_F64 } ViewType;

// Appends an array and names it in the JSON: "name":["f32",offset,count]
void view_array(ViewerPage *v, const char *name, ViewType type, size_t count, const void *values);
// Numbers of `count` rows as u16 between their least and largest: value = lo + q (hi - lo)/65535.
void view_quantised(ViewerPage *v, const char *name, size_t count, const double *values, double *step);

bool view_frames(ViewerPage *v);  // vectors of nodes and values of cells at each frame
bool view_history(ViewerPage *v); // the columns

// A picture of the mechanism, where Chromium is there: whether it is and all that is asked for makes sense, with a
// message, and the picture.
enum { PICTURE_TIMES = 12 };
typedef struct {
  const char *path;
  int width, height;
  double at[PICTURE_TIMES]; // the last is drawn, the others are its shadows
  int times;
  char direction[100]; // of the page's script
} ViewPicture;
bool picture_possible(const ViewerPage *v, ViewPicture *out);
ExitCode picture_make(const ViewerPage *v, const ViewPicture *p);

extern const char viewer_ready[]; // of the page's script: it has drawn

// A film of the page, where Chromium and FFmpeg are there: whether they are, with a message, and the film.
bool video_possible(const ViewerPage *v, const char *path);
ExitCode video_make(ViewerPage *v, const char *path);

#endif
