// SPDX-License-Identifier: Apache-2.0
#include "post/page/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(FILE *f, const unsigned char *data, size_t size) {
  for (size_t i = 0; i < size; i += 3) {
    unsigned long x = 0;
    int n = size - i < 3 ? (int)(size - i) : 3;
    for (int k = 0; k < 3; k++) x = x << 8 | (k < n ? data[i + (size_t)k] : 0u);
    for (int k = 0; k < 4; k++) fputc(k <= n ? digits[x >> (18 - 6 * k) & 63] : '=', f);
  }
}
