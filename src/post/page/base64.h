// SPDX-License-Identifier: Apache-2.0
// Bytes as text of 64 letters (RFC 4648).
#ifndef LIMBER_POST_PAGE_BASE64_H
#define LIMBER_POST_PAGE_BASE64_H

#include <stddef.h>
#include <stdio.h>

void base64_write(FILE *f, const unsigned char *data, size_t size);

// The next bytes of a text, at most `room`, a multiple of 3; the text moves on. 0: it has ended, by padding or by what is none.
size_t base64_read(const char **text, unsigned char *out, size_t room);

#endif
