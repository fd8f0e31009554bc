// SPDX-License-Identifier: Apache-2.0
#include "mechanics/block.h"

#define BLOCK(name) extern const BlockKind block_##name;
#include "blocks/blocks.def"
#undef BLOCK

#define BLOCK(name) &block_##name,
const BlockKind *const block_kinds[] = {
#include "blocks/blocks.def"
    NULL};
#undef BLOCK
