// SPDX-License-Identifier: Apache-2.0
#include "fmu/archive.h"

static void print_quoted(FILE *out, const char *text) {
  putc('"', out);
  for (; *text; text++) switch (*text) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    default: putc((unsigned char)*text < ' ' || *text == 127 ? ' ' : *text, out);
    }
  putc('"', out);
}

void xml_print_text(FILE *out, const char *attribute, const char *text) {
  fprintf(out, " %s=", attribute);
  print_quoted(out, text);
}

void xml_print_number(FILE *out, const char *attribute, double value) {
  fprintf(out, " %s=\"%.17g\"", attribute, value);
}
