// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/parts.h"

#include "input/yaml/fields.h"

#include <string.h>

#define PART(name, required, help) &part_##name,
const Part *const parts[] = {
#include "input/yaml/parts.def"
    NULL};
#undef PART

static const Field file_fields[] = {
    {"limber", FIELD_INT, 1, offsetof(FileText, limber), "", true, 0, "version of the format: 1", NULL},
    {"title", FIELD_TEXT, 1, offsetof(FileText, title), "", false, 0, "description of the model", NULL},
    {"include", FIELD_ANY, 1, offsetof(FileText, include), "", false, 0,
     "further model files whose parts are added to this one: a name or a list", NULL},
    {"refine", FIELD_INT, 1, offsetof(FileText, refine), "", false, 1,
     "every beam and cable gets this many times its `elements`; nodes along it keep their numbers", NULL},
    {"let", FIELD_ANY, 1, offsetof(FileText, let), "", false, 0,
     "parameters: a map of name to number or formula; use them wherever a number is expected", NULL},
#define PART(name, required, help) {#name, FIELD_ANY, 1, offsetof(FileText, part_##name), "", required, 0, help, NULL},
#include "input/yaml/parts.def"
#undef PART
};
static const FieldTable file_table = FIELDS(file_fields, FileText);
const Kind kind_file = {"file", "A model file.", &file_table};

const Part *part_find(const char *key) {
  for (int i = 0; parts[i]; i++)
    if (!strcmp(parts[i]->key, key)) return parts[i];
  return NULL;
}

const Tree *file_part(const FileText *text, const Part *part) {
  const Tree *tree;
  memcpy(&tree, (const char *)text + field_find(&file_table, part->key)->offset, sizeof tree);
  return tree;
}

const FieldReader field_readers[] = {
    [FIELD_REAL] = ReadRealField,
    [FIELD_INT] = ReadIntField,
    [FIELD_REALS] = ReadRealsField,
    [FIELD_ONE_OR_REALS] = ReadOneOrRealsField,
    [FIELD_OPTIONAL_REALS] = ReadOptionalRealsField,
    [FIELD_MATRIX] = ReadMatrixField,
    [FIELD_TENSOR] = ReadTensorField,
    [FIELD_LIST] = ReadListField,
    [FIELD_ROWS] = ReadRowsField,
    [FIELD_NODE] = ReadNodeField,
    [FIELD_NODES] = ReadNodesField,
    [FIELD_SECTION] = ReadSectionField,
    [FIELD_FUNCTION] = ReadFunctionField,
    [FIELD_FUNCTIONS] = ReadFunctionsField,
    [FIELD_FORMULA] = ReadFormulaField,
    [FIELD_JOINT] = ReadJointField,
    [FIELD_LOAD] = ReadLoadField,
    [FIELD_EVENT] = ReadEventField,
    [FIELD_ELEMENT] = ReadElementField,
    [FIELD_ELEMENTS] = ReadElementsField,
    [FIELD_SURFACES] = ReadSurfacesField,
    [FIELD_MATERIAL] = ReadMaterialField,
    [FIELD_CELLS] = ReadCellsField,
    [FIELD_BULK] = ReadBulkField,
    [FIELD_MESH] = ReadMeshField,
    [FIELD_TEXT] = ReadTextField,
    [FIELD_WORD] = ReadWordField,
    [FIELD_FLAG] = ReadFlagField,
    [FIELD_MAP] = ReadMapField,
    [FIELD_MAPS] = ReadMapsField,
    [FIELD_DAMPING] = ReadDampingField,
    [FIELD_ANY] = ReadAnyField,
};
