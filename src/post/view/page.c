// SPDX-License-Identifier: Apache-2.0
// The page: the viewer as it was built (viewer/dist/viewer.html), with the run in the place of its mark.
#include "post/view/view.h"

#include "post/page/base64.h"

#include <string.h>

extern const char viewer_page[]; // made by CMake from the file

bool view_write(ViewerPage *v, const char *text, const char *arrays) {
  static const char mark[] = "<!--run-->";
  const char *at = strstr(viewer_page, mark);
  OutputFile file;
  if (!at) return print_command_error(view_name, "the viewer has no place for a run"), v->machine = true, false;
  if (!begin_output(view_name, v->arguments, v->path, FILE_HTML, &file)) return false;
  FILE *f = file.out;
  fwrite(viewer_page, 1, (size_t)(at - viewer_page), f);
  fprintf(f, "<script type=\"application/json\" id=\"run\">{%s,\n\"arrays\":{%s}}</script>\n", text, arrays);
  fputs("<script type=\"text/plain\" id=\"bytes\">", f);
  base64_write(f, v->bytes.data, (size_t)v->bytes.count);
  fputs("</script>\n", f);
  fputs(at + strlen(mark), f);
  v->machine = !end_output(view_name, &file);
  return !v->machine;
}
