// SPDX-License-Identifier: Apache-2.0
// Updates the list of pairs that may touch, and the tangent matrix with slots for each pair; and copies the tangent
// without its zero blocks.
#include "assembly/evaluate.h"
#include "assembly/contacts.h"
#include "assembly/workspace.h"
#include "solvers/solvers.h"

// Rebuilds matrix, solvers and slots for the present list.
static PetscErrorCode RenewMatrix(System *s) {
  Pattern p;
  PetscFunctionBegin;
  PetscCall(KSPDestroy(&s->linear.ksp));
  PetscCall(KSPDestroy(&s->linear.robust));
  PetscCall(MatDestroy(&s->equations.matrix.tangent));
  PetscCall(MatDestroy(&s->equations.matrix.reduced));
  s->equations.matrix.reduced_from = 0;
  PetscCall(PatternCreate(&s->motion.layout, s->motion.contacts, &p));
  PetscCall(TangentCreate(&s->motion.layout, &s->equations.matrix, &p));
  PetscCall(PatternDestroy(&p));
  PetscCall(SystemCreateSolvers(s));
  PetscCall(BatchesDestroy(&s->equations.batches));
  PetscCall(BatchesDestroyFrames(&s->equations.batches));
  PetscCall(BatchesDestroyJointBatches(&s->equations.batches));
  s->equations.batches = (Batches){0};
  PetscCall(PetscFree(s->equations.matrix.thin));
  PetscCall(EquationsCreateBatches(&s->motion.layout, &s->equations));
  PetscCall(EquationsCreateFrames(&s->motion.layout, &s->equations));
  PetscCall(EquationsCreateJointBatches(&s->motion.layout, &s->equations));
  PetscCall(MatrixCreateThinFrames(&s->motion.layout, &s->equations.matrix));
  for (int i = 0; i < 2; i++) s->linear.factors[i] = (FactorRecord){0}, s->linear.used[i] = false;
  s->linear.scale_tangent = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemListContacts(System *s, double skin) {
  bool linked = s->motion.contacts->linked;
  PetscFunctionBegin;
  PetscCall(ContactsList(&s->motion, skin));
  s->equations.matrix.count = 0;
  if (linked || s->motion.contacts->linked) PetscCall(RenewMatrix(s));
  PetscFunctionReturn(0);
}

// The skin keeps a list valid for some steps, as long as it is small compared with the shapes.
PetscErrorCode SystemUpdateContacts(System *s, double h) {
  double moved, speed;
  PetscFunctionBegin;
  if (!s->motion.contacts) PetscFunctionReturn(0);
  PetscCall(ContactsDistance(&s->motion, false, &moved));
  PetscCall(ContactsSpeed(&s->motion, &speed));
  double way = 1.25 * h * speed;
  if (moved + way <= s->motion.contacts->skin) PetscFunctionReturn(0);
  PetscCall(SystemListContacts(s, PetscMax(2 * way, PetscMin(10 * way, s->motion.contacts->usual_skin))));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCheckContacts(System *s, bool *again) {
  double moved, here;
  PetscFunctionBegin;
  *again = false;
  if (!s->motion.contacts) PetscFunctionReturn(0);
  PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
  PetscCall(ContactsDistance(&s->motion, true, &moved));
  if (moved <= s->motion.contacts->skin || !(moved < HUGE_VAL)) PetscFunctionReturn(0);
  PetscCall(ContactsDistance(&s->motion, false, &here));
  PetscCall(SystemListContacts(s, 1.5 * (moved + here)));
  *again = true;
  PetscFunctionReturn(0);
}

// ---- the tangent without its zero blocks, for iterative solvers ----
// The tangent has slots for all pairs of bodies that may touch before the list is next updated, but few of them do.
// Without the others, the matrix and its factors are much smaller.

static const double worthwhile = 0.6; // fraction of the blocks kept, above which no copy is made

// Copies the non-zero blocks of a row and the diagonal block, from `at` on, as long as their global columns are below
// `limit`. Returns where it stopped.
static PetscInt keep_blocks(const Layout *layout, const MatrixParts *t, int part, PetscInt row, PetscInt at,
                            PetscInt limit, Pattern *to, double *value, PetscInt *count) {
  static const double zero[9 * MAX_STAGES * MAX_STAGES];
  PetscInt bs = layout->bs, size = bs * bs;
  for (; at < t->start[part][row + 1]; at++) {
    PetscInt local = t->column[part][at], column = part ? t->ghost[local] : local + layout->first_block;
    const double *from = t->value[part] + at * size;
    if (column >= limit) break;
    if ((part || local != row) && !memcmp(from, zero, sizeof *from * (size_t)size)) continue;
    to->column[*count] = column;
    double *block = value + size * (*count)++;
    if (!t->part[1]) memcpy(block, from, sizeof *from * (size_t)size);
    for (int i = 0; i < bs && t->part[1]; i++) // stored by columns, and passed by rows on several ranks
      for (int j = 0; j < bs; j++) block[i * bs + j] = from[j * bs + i];
  }
  return at;
}

// Copies all rows in the order of global columns: those of lower ranks, own, those of higher ranks.
static PetscInt collect_blocks(const Layout *layout, const MatrixParts *t, Pattern *to, double *value) {
  PetscInt count = 0;
  for (PetscInt row = 0; row < layout->nblock_own; row++) {
    to->start[row] = count;
    PetscInt other = t->part[1] ? t->start[1][row] : 0;
    if (t->part[1]) other = keep_blocks(layout, t, 1, row, other, layout->first_block, to, value, &count);
    keep_blocks(layout, t, 0, row, t->start[0][row], PETSC_MAX_INT, to, value, &count);
    if (t->part[1]) keep_blocks(layout, t, 1, row, other, PETSC_MAX_INT, to, value, &count);
  }
  return to->start[layout->nblock_own] = count;
}

// On one rank the columns and the values are given at once, which saves a search for each block.
static PetscErrorCode CreateOnOneRank(const Layout *layout, const Pattern *p, const double *value, Mat *out) {
  PetscInt rows = layout->nblock_own, bs = layout->bs, *count;
  double *to;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(rows, &count));
  for (PetscInt i = 0; i < rows; i++) count[i] = p->start[i + 1] - p->start[i];
  PetscCall(MatCreateSeqBAIJ(PETSC_COMM_SELF, bs, rows * bs, rows * bs, 0, count, out));
  PetscCall(MatSeqBAIJSetColumnIndices(*out, p->column));
  PetscCall(MatSeqBAIJGetArray(*out, &to));
  PetscCall(PetscArraycpy(to, value, p->start[rows] * bs * bs));
  PetscCall(MatSeqBAIJRestoreArray(*out, &to));
  PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscFree(count));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateOnRanks(const Layout *layout, const Pattern *p, const double *value, Mat *out) {
  PetscInt n = layout->nblock_own * layout->bs;
  PetscFunctionBegin;
  PetscCall(MatCreate(layout->comm, out));
  PetscCall(MatSetSizes(*out, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetType(*out, MATBAIJ));
  PetscCall(MatSetBlockSize(*out, layout->bs));
  PetscCall(MatMPIBAIJSetPreallocationCSR(*out, layout->bs, p->start, p->column, value));
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixReducedTangent(const Motion *motion, MatrixSlots *matrix, Mat *out) {
  const Layout *layout = &motion->layout;
  MatrixParts t;
  Pattern p;
  double *value;
  PetscInt64 blocks[2]; // all, kept
  PetscFunctionBegin;
  if (motion->contacts && motion->contacts->linked && matrix->reduced_from != matrix->made) {
    PetscCall(MatDestroy(&matrix->reduced));
    matrix->reduced_from = matrix->made;
    PetscCall(MatrixPartsOpen(matrix->tangent, &t));
    blocks[0] = t.start[0][layout->nblock_own] + (t.part[1] ? t.start[1][layout->nblock_own] : 0);
    PetscCall(PetscMalloc3(layout->nblock_own + 1, &p.start, blocks[0], &p.column, blocks[0] * layout->bs * layout->bs,
                           &value));
    blocks[1] = collect_blocks(layout, &t, &p, value);
    PetscCall(MatrixPartsClose(&t));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, blocks, 2, MPIU_INT64, MPI_SUM, layout->comm));
    if ((double)blocks[1] < worthwhile * (double)blocks[0])
      PetscCall((layout->size > 1 ? CreateOnRanks : CreateOnOneRank)(layout, &p, value, &matrix->reduced));
    PetscCall(PetscFree3(p.start, p.column, value));
  }
  *out = matrix->reduced ? matrix->reduced : matrix->tangent;
  PetscFunctionReturn(0);
}
