// SPDX-License-Identifier: Apache-2.0
// The page: the viewer as it was built (viewer/dist/viewer.html), with the run in the place of its mark.
#include "post/view/view.h"

#include "post/page/base64.h"

#include <errno.h>
#include <string.h>

extern const char viewer_page[]; // made by CMake from the file

bool view_write(ViewerPage *v, const char *text, const char *arrays) {
  static const char mark[] = "<!--run-->";
  const char *at = strstr(viewer_page, mark);
  FILE *f = at ? fopen(v->path, "wb") : NULL;
  if (!f)
    return print_command_error(view_name, "cannot write '%s': %s", v->path, strerror(errno)), v->machine = true, false;
  fwrite(viewer_page, 1, (size_t)(at - viewer_page), f);
  fprintf(f, "<script type=\"application/json\" id=\"run\">{%s,\n\"arrays\":{%s}}</script>\n", text, arrays);
  fputs("<script type=\"text/plain\" id=\"bytes\">", f);
  base64_write(f, v->bytes.data, (size_t)v->bytes.count);
  fputs("</script>\n", f);
  fputs(at + strlen(mark), f);
  bool broken = ferror(f) != 0;
  broken = fclose(f) || broken;
  if (broken) print_command_error(view_name, "cannot write '%s': %s", v->path, strerror(errno)), v->machine = true;
  return !broken;
}
