# SPDX-License-Identifier: Apache-2.0
# src/cli/templates/<name>.yaml is what `limber new <name>` writes: compiled into the program as text.
file(GLOB template_files CONFIGURE_DEPENDS src/cli/templates/*.yaml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${template_files})
set(template_entries "")
foreach(file ${template_files})
  cmake_path(GET file STEM name)
  file(READ ${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
  string(APPEND template_entries "    {\"${name}\",\n     \"${text}\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/templates.c @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
#include \"cli/command.h\"

const Template templates[] = {
@template_entries@    {0},
};
")
