// SPDX-License-Identifier: Apache-2.0
// How each type of field is written: the readers of single values, by the file that has them.
#ifndef LIMBER_INPUT_YAML_FIELDS_H
#define LIMBER_INPUT_YAML_FIELDS_H

#include "input/yaml/form.h"
#include "input/yaml/reader.h"
#include "input/yaml/tree.h"
#include "limber/limber.h"

extern const FieldReader field_readers[]; // by FieldType: parts.c

// ---- numbers and words: values.c ----
Error ReadRealField(Reader *r, FieldValue *v, void *out);
Error ReadIntField(Reader *r, FieldValue *v, void *out);
Error ReadRealsField(Reader *r, FieldValue *v, void *out);
Error ReadOneOrRealsField(Reader *r, FieldValue *v, void *out);
Error ReadOptionalRealsField(Reader *r, FieldValue *v, void *out);
Error ReadMatrixField(Reader *r, FieldValue *v, void *out);
Error ReadTensorField(Reader *r, FieldValue *v, void *out);
Error ReadRowsField(Reader *r, FieldValue *v, void *out);
Error ReadFormulaField(Reader *r, FieldValue *v, void *out);
Error ReadTextField(Reader *r, FieldValue *v, void *out);
Error ReadWordField(Reader *r, FieldValue *v, void *out);
Error ReadFlagField(Reader *r, FieldValue *v, void *out);
Error ReadAnyField(Reader *r, FieldValue *v, void *out);
Error ReadDampingField(Reader *r, FieldValue *v, void *out);
// The k-th number of a field that has several.
Error ReadReal(Reader *r, FieldValue *v, const Tree *t, int k, double *out);

// ---- axes: values.c ----
// Axes of a node or an instance: written out as `axes`, or as a turn, `rotate: {about: [x, y, z], by: 90 deg}`.
typedef struct {
  double about[3], by;
} RotateText;

extern const FieldMore rotate_more;

// The axes, one after the other, from `axes` or `rotate` of a form that has been read; `has` tells whether there are
// any. `what`: "a node".
Error ReadAxes(Reader *r, const char *what, const Form *form, const Tree *entry, const RotateText *turn, double axes[9],
               bool *has, bool *good);

// ---- columns of files: table.c ----
Error ReadListField(Reader *r, FieldValue *v, void *out);
// Rows of a polar: blades.c
Error ReadPolarFile(Reader *r, FieldValue *v, void *out);

// ---- names of other things: references.c ----
Error ReadNodeField(Reader *r, FieldValue *v, void *out);
Error ReadNodesField(Reader *r, FieldValue *v, void *out);
Error ReadSectionField(Reader *r, FieldValue *v, void *out);
Error ReadJointField(Reader *r, FieldValue *v, void *out);
Error ReadLoadField(Reader *r, FieldValue *v, void *out);
Error ReadEventField(Reader *r, FieldValue *v, void *out);
Error ReadElementField(Reader *r, FieldValue *v, void *out);
Error ReadElementsField(Reader *r, FieldValue *v, void *out);
Error ReadSurfacesField(Reader *r, FieldValue *v, void *out);
Error ReadFunctionField(Reader *r, FieldValue *v, void *out);
Error ReadFunctionsField(Reader *r, FieldValue *v, void *out);
Error ReadMaterialField(Reader *r, FieldValue *v, void *out);

// ---- meshes: cells.c ----
Error ReadCellsField(Reader *r, FieldValue *v, void *out);
Error ReadBulkField(Reader *r, FieldValue *v, void *out);
Error ReadMeshField(Reader *r, FieldValue *v, void *out);

// Words that stand where a node is wanted.

typedef struct Reader Reader;

// The node that a word names: its own name, ELEMENT.end, MESH.17, or a body of points; BROKEN after a mistake.
Error FindNode(Reader *r, const Tree *word, int *id);

#endif
