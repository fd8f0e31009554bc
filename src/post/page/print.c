// SPDX-License-Identifier: Apache-2.0
// A page as PDF, printed by Chromium.
#include "console/browser.h"
#include "post/page/page.h"

#include <stdlib.h>
#include <string.h>

static bool write_bytes(const char *command, const Arguments *a, const char *path, const char *text) {
  OutputFile f;
  if (!begin_output(command, a, path, FILE_PDF, &f)) return false;
  if (a->browser->save(fileno(f.out), text)) return end_output(command, &f);
  return output_discard(&f), false;
}

ExitCode page_print(const char *command, const Arguments *a, const char *page, const char *pdf) {
  static const char loaded[] =
      "new Promise(done => document.readyState === 'complete' && location.protocol === 'file:' ? "
      "done(1) : addEventListener('load', () => done(1)))";
  char program[4200];
  if (!browser_find(a, program, sizeof program))
    return print_command_error(
               command,
               "a PDF is printed by Chromium, which is not there: apt install chromium, or open %s in a\n"
               "  browser and print it",
               page),
           EXIT_MISTAKE;
  if (!check_output(command, a, pdf, FILE_PDF)) return EXIT_MISTAKE;
  Browser *b = a->browser->start(program, page, "", 1000, 1400);
  const char *bytes = b && a->browser->value(b, loaded) ? a->browser->pdf(b) : NULL;
  if (!bytes)
    print_command_error(command, "%s did not print the page; does `%s --headless=new --version` work?", program,
                        program);
  bool written = bytes && write_bytes(command, a, pdf, bytes);
  a->browser->end(b);
  return written ? EXIT_GOOD : EXIT_MACHINE;
}
