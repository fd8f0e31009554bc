# SPDX-License-Identifier: Apache-2.0
# viewer/dist/viewer.html, the page that `limber view` fills, is compiled into the library as text. Run as a script
# (cmake -DPAGE= -DOUT= -P) it writes the C file.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${PAGE} text HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" text "${text}")
  string(REGEX REPLACE "(................................................................................................................................)" "\\1\"\n\"" text "${text}")
  file(WRITE ${OUT} "// SPDX-License-Identifier: Apache-2.0\nextern const char viewer_page[];\nconst char viewer_page[] = \"${text}\";\n")
else()
  set(viewer_page ${CMAKE_CURRENT_SOURCE_DIR}/viewer/dist/viewer.html)
  set(viewer_code ${CMAKE_CURRENT_BINARY_DIR}/viewer.c)
  add_custom_command(OUTPUT ${viewer_code} DEPENDS ${viewer_page} ${CMAKE_CURRENT_LIST_FILE} VERBATIM
                     COMMAND ${CMAKE_COMMAND} -DPAGE=${viewer_page} -DOUT=${viewer_code} -P ${CMAKE_CURRENT_LIST_FILE})
endif()
