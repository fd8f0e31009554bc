// SPDX-License-Identifier: Apache-2.0
// The sidecar: which blocks of the results make up each snapshot, in XDMF, for programs that do not read /VTKHDF in
// time. A reader always finds a whole one (files/output_file.h).
//
// Readers of XDMF 3 take the first entry of an array and know no HyperSlab, those of XDMF 2 know that and nothing else:
// each block is told in both dialects. The empty names and the single 0 are what readers of XDMF 3 expect around a
// Subset. The comment keeps readers of XDMF 2 from taking the geometry of one time for that of another.
#include "results/write/snapshots.h"

#include "files/output_file.h"
#include "console/console.h"

#include <stdio.h>
#include <string.h>

void snapshot_beside(const char *path, const char *ending, char *out, size_t size) {
  static const char *const ends[] = {".h5", ".hdf5", ".hdf", ".vtkhdf"};
  size_t n = strlen(path), dropped = 0;
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    size_t m = strlen(ends[i]);
    if (n > m && path[n - m - 1] != '/' && !strcmp(path + n - m, ends[i])) dropped = m;
  }
  snprintf(out, size, "%.*s%s", (int)(n - dropped), path, ending);
}

static void print_name(FILE *f, const char *text) {
  for (; *text; text++)
    if (*text == '&') fputs("&amp;", f);
    else if (*text == '<') fputs("&lt;", f);
    else if (*text == '>') fputs("&gt;", f);
    else fputc(*text, f);
}

typedef struct {
  const char *file;
  long long first, count, total; // rows of a block, of all
} Block;

// One level of a block: "<DataItem ... Dimensions="rows width" ...>".
static void print_item(FILE *f, const char *tag, long long rows, int width) {
  fprintf(f, "<%s Dimensions=\"%lld %d\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">", tag, rows, width);
}

static void print_block(FILE *f, const SnapshotArray *a, Block b) {
  char tag[128];
  snprintf(tag, sizeof tag, "Subset SubsetStarts=\"0 0\" SubsetStrides=\"1 1\" SubsetDimensions=\"%lld %d\"", b.count,
           a->width);
  print_item(f, tag, b.count, a->width);
  fputs(":<DataItem Dimensions=\"1\" Format=\"XML\">0</DataItem>", f);
  print_item(f, "DataItem", b.count, a->width);
  print_name(f, b.file);
  fprintf(f, ":/VTKHDF/%s|%lld 0:1 1:%lld %d:%lld %d</DataItem></Subset>\n", a->path, b.first, b.count, a->width,
          b.total, a->width);
  fprintf(f, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%lld %d\"><!-- %lld -->", b.count, a->width, b.first);
  fprintf(f, "<DataItem Dimensions=\"3 2\" NumberType=\"Int\" Format=\"XML\">%lld 0 1 1 %lld %d</DataItem>", b.first,
          b.count, a->width);
  print_item(f, "DataItem", b.total, a->width);
  print_name(f, b.file);
  fprintf(f, ":/VTKHDF/%s</DataItem></DataItem>", a->path);
}

static void print_array(FILE *f, const char *file, const Snapshots *s, const SnapshotArray *a, int k) {
  long long block = a->cell ? s->cells : s->points;
  const char *name = strchr(a->path, '/');
  if (!name) fputs("<Geometry GeometryType=\"XYZ\">", f);
  else
    fprintf(f, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", name + 1,
            a->width == 1   ? "Scalar"
            : a->width == 3 ? "Vector"
                            : "Matrix",
            a->cell ? "Cell" : "Node");
  if (!a->still) print_block(f, a, (Block){file, block * k, block, block * s->count});
  else {
    fprintf(f, "<DataItem Dimensions=\"%lld\" NumberType=\"Int\" Precision=\"4\" Format=\"HDF\">", block);
    print_name(f, file);
    fprintf(f, ":/VTKHDF/%s</DataItem>", a->path);
  }
  fputs(name ? "</Attribute>\n" : "</Geometry>\n", f);
}

static void print_all(FILE *f, const char *file, const Snapshots *s) {
  fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
        "<Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
        f);
  for (int k = 0; k < s->count; k++) {
    fprintf(f, "<Grid Name=\"model\" GridType=\"Uniform\">\n<Time Value=\"%.17g\"/>\n", s->time[k]);
    fprintf(f, "<Topology TopologyType=\"Mixed\" NumberOfElements=\"%lld\">", (long long)s->cells);
    fprintf(f, "<DataItem Dimensions=\"%lld\" NumberType=\"Int\" Precision=\"8\" Format=\"HDF\">", (long long)s->mixed);
    print_name(f, file);
    fputs(":/xdmf/topology</DataItem></Topology>\n", f);
    for (const SnapshotArray *a = snapshot_arrays; a->path; a++) print_array(f, file, s, a, k);
    fputs("</Grid>\n", f);
  }
  fputs("</Grid>\n</Domain>\n</Xdmf>\n", f);
}

PetscErrorCode SnapshotsWriteSidecar(Snapshots *s, bool last) {
  char path[4200], wrong[4400];
  OutputFile f;
  const char *base = strrchr(s->file->path, '/');
  PetscFunctionBegin;
  if (s->file->rank || s->told == s->count) PetscFunctionReturn(0);
  double begun = clock_seconds();
  if (!last && begun - s->told_at < 20 * s->telling) PetscFunctionReturn(0); // a twentieth of the run at most
  snapshot_beside(s->file->path, ".xdmf", path, sizeof path);
  PetscCheck(output_open(path, &(OutputRules){.kind = FILE_XDMF, .force = output_force()}, &f, wrong, sizeof wrong),
             PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%.*s", (int)strcspn(wrong, "\n"), wrong);
  print_all(f.out, base ? base + 1 : s->file->path, s);
  PetscCheck(output_finish(&f, wrong, sizeof wrong), PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", wrong);
  s->told = s->count, s->told_at = clock_seconds(), s->telling = s->told_at - begun;
  PetscFunctionReturn(0);
}
