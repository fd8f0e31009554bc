// SPDX-License-Identifier: Apache-2.0
// Chromium without a window, through its debugging pipe: messages in JSON on descriptors 3 and 4, each with a zero behind it.
#ifndef LIMBER_POST_PAGE_BROWSER_H
#define LIMBER_POST_PAGE_BROWSER_H

#include "model/model.h"

#include <sys/types.h>

typedef struct {
  pid_t process;
  int to, from;
  char folder[4200]; // its own, for what it writes
  char session[80];
  int number;
  ModelArray text; // bytes that came; the message that was taken last stands at the start
  size_t taken;
} Browser;

// A program of the path, or NULL. `names` ends with NULL.
const char *program_find(const char *const *names, char *out, size_t size);
extern const char *const browser_names[];

// Starts a program with descriptors: fd[i][0] becomes fd[i][1]; the list ends with -1. False: it cannot be started.
bool program_start(char *const *argv, const int (*fd)[2], pid_t *process);

// Shows a page, a file, with a part of it: "", "#film".
bool browser_start(Browser *b, const char *program, const char *page, const char *part, int width, int height);
// The value of an expression as text of JSON in the answer; NULL: the browser is gone, or the expression failed.
const char *browser_value(Browser *b, const char *expression);
// Waits until an expression holds, a minute at most.
bool browser_wait(Browser *b, const char *expression);
// A picture of the page in base64, up to a quotation mark; NULL: the browser is gone.
typedef enum { PICTURE_JPEG, PICTURE_PNG } PictureFormat;
const char *browser_picture(Browser *b, PictureFormat format);
bool browser_save(int fd, const char *text); // bytes of such a text
// The page as PDF, in base64 up to a quotation mark; NULL: the browser is gone.
const char *browser_pdf(Browser *b);
void browser_end(Browser *b);

#endif
