# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` brings where: the program, the library with its public headers, files for pkg-config and for
# find_package(Limber), examples, the Python module. All places are relative: the whole may be moved.
include(CMakePackageConfigHelpers)
install(TARGETS limber)
install(TARGETS limber_shared EXPORT LimberTargets)
install(TARGETS ${fmu_targets} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/limber)
if(NOT LIMBER_MPI)
  list(FILTER public_headers EXCLUDE REGEX "/mpi\\.h$")
endif()
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber)
# Examples with the files that their models read and the scripts that their references come from (tests/installed.sh).
set(example_files README.md *.yaml *.py *.msh *.geo *.obj *.stl *.urdf *.csv *.dat *.inp *.htc *.st)
list(TRANSFORM example_files PREPEND PATTERN\;)
install(DIRECTORY examples/ DESTINATION ${examples_folder}
        FILES_MATCHING ${example_files} PATTERN "examples/c/*" PATTERN figures EXCLUDE PATTERN results EXCLUDE
        PATTERN __pycache__ EXCLUDE)
# Licences of what the binaries hold (src/app/licenses.def).
install(FILES third_party/pocketfft/LICENSE.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/limber RENAME pocketfft.txt)
install(FILES third_party/dejavu/LICENSE.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/limber RENAME dejavu.txt)
install(FILES third_party/joe_kuo/LICENSE.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/limber RENAME joe_kuo.txt)
install(FILES viewer/THIRD-PARTY.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/limber RENAME viewer.md)
if(LIMBER_STATIC)
  install(FILES ${UDUNITS_DATABASE} DESTINATION ${units_folder})
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Limber)
install(EXPORT LimberTargets NAMESPACE Limber:: DESTINATION ${package_folder})
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/LimberConfig.cmake @ONLY CONTENT
"# SPDX-License-Identifier: Apache-2.0
include(\${CMAKE_CURRENT_LIST_DIR}/LimberTargets.cmake)
")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/LimberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/LimberConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/LimberConfigVersion.cmake
        DESTINATION ${package_folder})

file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/limber.pc @ONLY CONTENT
"prefix=\${pcfiledir}/@prefix_from_pc@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: limber
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I\${includedir}
Libs: -L\${libdir} -llimber -lm
")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/limber.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The Python module. In the build folder it is a link beside the library: PYTHONPATH=build/dev/python.
set(LIMBER_PYTHON_DIR lib/python3/dist-packages CACHE STRING "where Python looks for modules, from the prefix")
install(DIRECTORY python/limber DESTINATION ${LIMBER_PYTHON_DIR} FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/python)
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/python/limber ${CMAKE_CURRENT_BINARY_DIR}/python/limber SYMBOLIC)

# Pages of man and completions of shells, printed by the program itself.
set(command_lists src/cli/commands.def src/input/analyses/point_analyses.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${command_lists})
set(command_names)
foreach(list ${command_lists})
  file(STRINGS ${list} lines REGEX "^(COMMAND|POINT_ANALYSIS)")
  list(TRANSFORM lines REPLACE "^[A-Z_]+\\(([a-z]+).*" "\\1")
  list(APPEND command_names ${lines})
endforeach()
set(pages_folder ${CMAKE_CURRENT_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${pages_folder})
set(pages)
function(add_page file)
  add_custom_command(OUTPUT ${pages_folder}/${file} COMMAND limber ${ARGN} > ${pages_folder}/${file} DEPENDS limber VERBATIM)
  set(pages ${pages} ${pages_folder}/${file} PARENT_SCOPE)
endfunction()
function(install_page file folder)
  install(FILES ${pages_folder}/${file} DESTINATION ${folder} ${ARGN})
endfunction()
add_page(limber.1 man)
install_page(limber.1 ${CMAKE_INSTALL_MANDIR}/man1)
foreach(name ${command_names})
  add_page(limber-${name}.1 man ${name})
  install_page(limber-${name}.1 ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()
add_page(limber.bash completions bash)
add_page(_limber completions zsh)
add_page(limber.fish completions fish)
install_page(limber.bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME limber)
install_page(_limber ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install_page(limber.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
add_custom_target(pages ALL DEPENDS ${pages})

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_CURRENT_BINARY_DIR}/install_manifest.txt
                  -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/Uninstall.cmake VERBATIM)
