// SPDX-License-Identifier: Apache-2.0
// Bytes as text of 64 letters (RFC 4648).
#ifndef LIMBER_POST_PAGE_BASE64_H
#define LIMBER_POST_PAGE_BASE64_H

#include <stddef.h>
#include <stdio.h>

void base64_write(FILE *f, const unsigned char *data, size_t size);

#endif
