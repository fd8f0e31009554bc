// SPDX-License-Identifier: Apache-2.0
#include "analyses/analysis.h"

#include <string.h>

#define ANALYSIS(name) &analysis_##name,
const AnalysisKind *const analysis_kinds[] = {
#include "analyses/analyses.def"
    NULL};
#undef ANALYSIS

const AnalysisKind *analysis_find(const char *name) {
  for (int i = 0; analysis_kinds[i]; i++)
    if (!strcmp(analysis_kinds[i]->name, name)) return analysis_kinds[i];
  return NULL;
}
