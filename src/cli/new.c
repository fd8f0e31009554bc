// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"
#include "input/yaml/names.h"

#include <stdio.h>
#include <string.h>

// The rest of the line that begins with `title: `.
static void print_title(const char *text) {
  const char *title = strstr(text, "\ntitle: ");
  title = title ? title + strlen("\ntitle: ") : "";
  printf("%.*s\n", (int)strcspn(title, "\n"), title);
}

static ExitCode print_list(void) {
  for (const Template *t = templates; t->name && is_printing_process(); t++) {
    printf("  %-10s ", t->name);
    print_title(t->text);
  }
  return EXIT_GOOD;
}

static const Template *find_template(const char *name) {
  Nearest n;
  nearest_begin(&n, name);
  for (const Template *t = templates; t->name; t++) {
    if (!strcmp(t->name, name)) return t;
    nearest_try(&n, t->name);
  }
  print_command_error("new", "there is no model '%s'%s", name, nearest_hint(&n, "there are"));
  return NULL;
}

// Columns worth a look, as the last line of the text names them: "... limber plot pendulum.h5 tip.x tip.z".
static const char *columns_of(const char *text) {
  const char *columns = strstr(text, ".h5 ");
  return columns ? columns + strlen(".h5") : "\n";
}

static void print_next(const char *file, const char *text) {
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
  int stem = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  printf("%s was written. Next:\n"
         "\n"
         "  limber check %s --picture %.*s.svg\n"
         "  limber run %s\n"
         "  limber plot %.*s.h5%s  limber view %.*s.h5\n",
         file, file, stem, base, file, stem, base, columns_of(text), stem, base);
}

static bool write_text(const Arguments *a, const char *file, const char *text) {
  OutputFile f;
  if (!begin_output("new", a, file, FILE_MODEL, &f)) return false;
  fputs(text, f.out);
  return end_output("new", &f);
}

static ExitCode run(const Arguments *a) {
  if (argument_value(a, "list")) return print_list();
  if (!a->words) {
    print_command_error("new", "the name of a model is missing; limber new --list lists the models");
    return EXIT_MISTAKE;
  }
  const Template *t = find_template(a->word[0]);
  if (!t) return EXIT_MISTAKE;
  char made[64];
  const char *file = argument_value(a, "output");
  snprintf(made, sizeof made, "%s.yaml", t->name);
  if (!file) file = made;
  if (!is_printing_process()) return EXIT_GOOD;
  if (!write_text(a, file, t->text)) return EXIT_MISTAKE;
  if (!is_device(file)) print_next(file, t->text);
  return EXIT_GOOD;
}

static const Option options[] = {
    {"output", "o", "model.yaml", "output file; default: the model's name with .yaml, in this folder", OPTION_ONCE},
    {"force", "f", NULL, "overwrites a file that exists", OPTION_ONCE},
    {"list", "l", NULL, "lists the models", OPTION_ONCE},
    {0},
};

const Command command_new = {"new",
                             "Writes a model file to start from.",
                             "new pendulum [-o model.yaml] [--force], or new --list",
                             "The file is a working model with a comment on every part: adapt it to your needs. "
                             "`empty`\ncontains one example of each part of a model file.",
                             "  limber new --list\n"
                             "  limber new four-bar\n"
                             "  limber new pendulum -o swing.yaml",
                             options,
                             0,
                             1,
                             "model",
                             false,
                             run,
                             NULL};
