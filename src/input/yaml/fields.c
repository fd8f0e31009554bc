// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/fields.h"

const FieldReader field_readers[] = {
    [FIELD_REAL] = ReadRealField,           [FIELD_INT] = ReadIntField,
    [FIELD_REALS] = ReadRealsField,         [FIELD_OPTIONAL_REALS] = ReadOptionalRealsField,
    [FIELD_MATRIX] = ReadMatrixField,       [FIELD_TENSOR] = ReadTensorField,
    [FIELD_LIST] = ReadListField,           [FIELD_ROWS] = ReadRowsField,
    [FIELD_NODE] = ReadNodeField,           [FIELD_NODES] = ReadNodesField,
    [FIELD_SECTION] = ReadSectionField,     [FIELD_FUNCTION] = ReadFunctionField,
    [FIELD_FUNCTIONS] = ReadFunctionsField, [FIELD_FORMULA] = ReadFormulaField,
    [FIELD_JOINT] = ReadJointField,         [FIELD_ELEMENT] = ReadElementField,
    [FIELD_ELEMENTS] = ReadElementsField,   [FIELD_MATERIAL] = ReadMaterialField,
    [FIELD_CELLS] = ReadCellsField,         [FIELD_BULK] = ReadBulkField,
    [FIELD_TEXT] = ReadWordField,           [FIELD_MAP] = ReadMapField,
    [FIELD_MAPS] = ReadMapsField,           [FIELD_ANY] = ReadAnyField,
};
