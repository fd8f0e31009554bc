// SPDX-License-Identifier: Apache-2.0
// A page as PDF, printed by Chromium.
#include "engine/browser.h"
#include "engine/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c) {
  static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? strchr(all, c) : NULL;
  return at ? (int)(at - all) : -1;
}

// Bytes of base64 up to what is none.
static bool write_bytes(const char *path, const char *text) {
  FILE *f = fopen(path, "wb");
  unsigned long x = 0;
  int n = 0;
  if (!f) return false;
  for (; digit(*text) >= 0; text++) {
    x = x << 6 | (unsigned)digit(*text), n += 6;
    if (n >= 8) n -= 8, fputc((int)(x >> n & 0xFF), f);
  }
  bool good = !ferror(f);
  return !fclose(f) && good;
}

// The page as an address: what is not a plain letter is written as %XX.
static bool address_of(const char *path, char *out, size_t size) {
  char *full = realpath(path, NULL);
  size_t n = (size_t)snprintf(out, size, "file://");
  for (const char *c = full; c && *c && n + 4 < size; c++)
    n += (size_t)snprintf(out + n, size - n, strchr("/._-", *c) || (*c != '+' && digit(*c) >= 0) ? "%c" : "%%%02X",
                          (unsigned char)*c);
  free(full);
  return full != NULL;
}

ExitCode page_print(const char *command, const char *page, const char *pdf) {
  static const char loaded[] =
      "new Promise(done => document.readyState === 'complete' && location.protocol === 'file:' ? "
      "done(1) : addEventListener('load', () => done(1)))";
  char program[4200], address[12800];
  Browser b = {.to = -1, .from = -1};
  if (!program_find(browser_names, program, sizeof program))
    return complain(command,
                    "a PDF is printed by Chromium, which is not there: apt install chromium, or open %s in a\n"
                    "  browser and print it",
                    page),
           EXIT_MISTAKE;
  if (!choose_output(command, pdf)) return EXIT_MISTAKE;
  bool good = address_of(page, address, sizeof address) && browser_start(&b, program, address, 1000, 1400) &&
              browser_value(&b, loaded);
  const char *bytes = good ? browser_pdf(&b) : NULL;
  if (!bytes)
    complain(command, "%s did not print the page; does `%s --headless=new --version` work?", program, program);
  bool written = bytes && write_bytes(pdf, bytes);
  if (bytes && !written) complain(command, "cannot write '%s': %s", pdf, strerror(errno));
  browser_end(&b);
  return written ? EXIT_GOOD : EXIT_MACHINE;
}
