# SPDX-License-Identifier: Apache-2.0
# include/limber/adders.h in the build folder: for every line of the catalogues' .def lists the function that gives the
# defaults of the kind's structure and the one that adds such a component; src/model/adders.c defines them from the same
# lines.
set(generated_include ${CMAKE_CURRENT_BINARY_DIR}/include)
set(adders)

# The sentence that the descriptor of a kind has as its help.
function(kind_help folder name out)
  file(READ src/${folder}/${name}.c text)
  set(help "")
  if(text MATCHES "\\.help =[ \n]*((\"[^\"]*\"[ \n]*)+)")
    string(REGEX REPLACE "\"[ \n]*\"" "" help "${CMAKE_MATCH_1}")
    string(REGEX REPLACE "\"[ \n]*" "" help "${help}")
  endif()
  set(${out} "${help}" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/${folder}/${name}.c)
endfunction()

macro(read_list file)
  file(STRINGS src/${file} lines REGEX "^[A-Z]+\\(")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/${file})
endmacro()

foreach(folder elements joints loads base/functions surfaces events)
  cmake_path(GET folder FILENAME list)
  read_list(${folder}/${list}.def)
  string(REGEX REPLACE "s$" "" one ${list})
  string(SUBSTRING ${one} 0 1 first)
  string(SUBSTRING ${one} 1 -1 others)
  string(TOUPPER ${first} first)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^[A-Z]+\\(([a-z_]+), ([A-Za-z]+)\\)$" matched "${line}")
    if(NOT matched)
      message(FATAL_ERROR "src/${folder}/${list}.def: a line reads KIND(name, Name), not ${line}")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(Name ${CMAKE_MATCH_2})
    kind_help(${folder} ${name} help)
    set(default limber_${name}_default)
    if(folder MATCHES "^(surfaces|events)$") # names that other kinds have too
      set(default limber_${name}_${one}_default)
    endif()
    string(APPEND adders
           "/** Defaults of the ${one} `${name}`. */\n"
           "LIMBER_API Limber${Name} ${default}(void);\n"
           "/** Adds the ${one} `${name}`. ${help} id may be NULL. The same on every rank. */\n"
           "LIMBER_API int LimberModelAdd${Name}(LimberModel model, const char *name, const Limber${Name} *params,\n"
           "                                     Limber${first}${others}Id *id);\n")
  endforeach()
endforeach()

read_list(sections/sections.def)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^SHAPE\\(([a-z_]+), ([A-Za-z]+),.*\"shape: (.*)\"\\)$" matched "${line}")
  set(name ${CMAKE_MATCH_1})
  set(structure ${CMAKE_MATCH_2})
  string(APPEND adders
         "/** Defaults of the shape `${name}`. */\n"
         "LIMBER_API ${structure} limber_${name}_default(void);\n"
         "/** The section of a `${name}` (${CMAKE_MATCH_3}): NULL, or what is wrong. offset and shear as of limber_section. */\n"
         "LIMBER_API const char *limber_${name}_section(const ${structure} *params, const LimberMaterial *material,\n"
         "                                              const double *offset, const double *shear, LimberSection *out);\n")
endforeach()

file(CONFIGURE OUTPUT ${generated_include}/limber/adders.h @ONLY CONTENT
"/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * For each kind of the catalogue: the defaults of its structure, and the function that adds such a component to a model. This
 * header is made from the lists of the catalogue.
 *
 *     LimberBeam strip = limber_beam_default();
 *     strip.from = a, strip.to = b, strip.section = steel;
 *     LimberModelAddBeam(model, \"strip\", &strip, &id);
 *
 * Parts within these structures (LimberMaterial, LimberLaw, LimberArc ...) have zero as the default of all their members. */
#ifndef LIMBER_ADDERS_H
#define LIMBER_ADDERS_H

#include <limber/catalogue.h>
#include <limber/model.h>

#ifdef __cplusplus
extern \"C\" {
#endif

@adders@
#ifdef __cplusplus
}
#endif

#endif
")
