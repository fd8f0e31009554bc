// SPDX-License-Identifier: Apache-2.0
// A page as PDF, printed by Chromium.
#include "post/page/base64.h"
#include "post/page/browser.h"
#include "post/page/page.h"

#include <stdlib.h>
#include <string.h>

static bool write_bytes(const char *command, const Arguments *a, const char *path, const char *text) {
  unsigned char block[3 << 12];
  OutputFile f;
  if (!begin_output(command, a, path, FILE_PDF, &f)) return false;
  for (size_t n; (n = base64_read(&text, block, sizeof block)) > 0;) fwrite(block, 1, n, f.out);
  return end_output(command, &f);
}

ExitCode page_print(const char *command, const Arguments *a, const char *page, const char *pdf) {
  static const char loaded[] =
      "new Promise(done => document.readyState === 'complete' && location.protocol === 'file:' ? "
      "done(1) : addEventListener('load', () => done(1)))";
  char program[4200];
  Browser b = {.to = -1, .from = -1};
  if (!program_find(browser_names, program, sizeof program))
    return print_command_error(
               command,
               "a PDF is printed by Chromium, which is not there: apt install chromium, or open %s in a\n"
               "  browser and print it",
               page),
           EXIT_MISTAKE;
  if (!check_output(command, a, pdf, FILE_PDF)) return EXIT_MISTAKE;
  bool good = browser_start(&b, program, page, "", 1000, 1400) && browser_value(&b, loaded);
  const char *bytes = good ? browser_pdf(&b) : NULL;
  if (!bytes)
    print_command_error(command, "%s did not print the page; does `%s --headless=new --version` work?", program,
                        program);
  bool written = bytes && write_bytes(command, a, pdf, bytes);
  browser_end(&b);
  return written ? EXIT_GOOD : EXIT_MACHINE;
}
