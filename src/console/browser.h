// SPDX-License-Identifier: Apache-2.0
// A browser without a window. The program `limber` controls it; commands in the library use it through this table,
// which comes with their arguments.
#ifndef LIMBER_CONSOLE_BROWSER_H
#define LIMBER_CONSOLE_BROWSER_H

#include "console/console.h"

typedef struct Browser Browser;

typedef enum { PICTURE_JPEG, PICTURE_PNG } PictureFormat;

struct BrowserControl {
  bool (*find)(char *program, size_t size); // the path of a browser; false: none is installed
  // Shows a page, a file, with a part of it: "", "#film". NULL: the browser does not start.
  Browser *(*start)(const char *program, const char *page, const char *part, int width, int height);
  // The value of an expression as text of JSON in the answer; NULL: the browser is gone, or the expression failed.
  const char *(*value)(Browser *b, const char *expression);
  bool (*wait)(Browser *b, const char *expression); // until an expression is true, a minute at most
  // A picture of the page, the page as PDF: in base64, up to a quotation mark; NULL: the browser is gone.
  const char *(*picture)(Browser *b, PictureFormat format);
  const char *(*pdf)(Browser *b);
  bool (*save)(int fd, const char *base64); // the bytes of such a text
  void (*end)(Browser *b);                  // NULL is allowed
};

// Whether the command has a browser; its path.
static inline bool browser_find(const Arguments *a, char *program, size_t size) {
  return a->browser && a->browser->find(program, size);
}

#endif
