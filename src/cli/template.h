// SPDX-License-Identifier: Apache-2.0
// The model files of src/cli/templates, compiled into the program (cmake/Templates.cmake).
#ifndef LIMBER_CLI_TEMPLATE_H
#define LIMBER_CLI_TEMPLATE_H

typedef struct {
  const char *name, *text;
} Template;

extern const Template templates[]; // ends with a NULL name

#endif
