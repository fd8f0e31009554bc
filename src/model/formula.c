// SPDX-License-Identifier: Apache-2.0
#include "model/formula.h"

struct Formula {
  Tape tape;
  TapeStep step[];
};

Error FormulaCreate(const char *text, FormulaName name, void *owner, Formula **out, FormulaMistake *mistake) {
  Formula *f;
  *out = NULL;
  TRY(MemoryNew(sizeof *f + tape_room(text) * sizeof *f->step, &f));
  f->tape.step = f->step;
  if (!tape_read(text, name, owner, &f->tape, mistake)) memory_free(&f);
  *out = f;
  return 0;
}

void formula_destroy(Formula **formula) { memory_free(formula); }

double formula_value(const Formula *f) { return tape_value(&f->tape); }
