# SPDX-License-Identifier: Apache-2.0
# tests/test_*.c      one executable and one ctest entry each, linked with the hidden names
# tests/test_mpi_*.c  the same, run by 1 process and by 2, 3 and 4, the large ones below by fewer
# tests/<other>.c     shared by all tests
# tests/test_*.py     pytest, and
# tests/*.sh          scripts, both run with LIMBER (the command) and LIMBER_SOURCE (this tree) in the environment, and
#                     LIMBER_WITHOUT_MPI where that is so: what asks for several processes is left out then
#
# Labels:
#   mpi    several processes
#   slow   more than 5 s of CPU
#   site   what is tested are pages
#   plain  not under sanitizers: browsers, packages and pages, what takes minutes there and goes through code that the
#          others visit, and errors after which memory is left on purpose (api/arguments.h)
#   alone  one process of what several run, too: neither under sanitizers nor with 64-bit indices
#   light  scripts about what reads and shows models and results: not without MPI, where this code is the same
# The order is by COST, CPU seconds: the longest first, so that no core waits for one at the end.
file(STRINGS tests/mpi.env test_environment REGEX "^[A-Z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS tests/mpi.env)
if(NOT LIMBER_MPI)
  list(APPEND test_environment LIMBER_WITHOUT_MPI=1)
endif()

function(add_limber_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT "${test_environment}")
endfunction()

file(GLOB test_sources CONFIGURE_DEPENDS tests/test_*.c)
file(GLOB support_sources CONFIGURE_DEPENDS tests/*.c)
list(REMOVE_ITEM support_sources ${test_sources})
if(NOT LIMBER_MPI)
  list(FILTER test_sources EXCLUDE REGEX "/test_mpi_divided\\.c$")  # a solver of several processes
endif()
if(support_sources)
  add_library(test_support STATIC ${support_sources})
  target_link_libraries(test_support PUBLIC limber_archive)
endif()

# Large models: more ranks than cores would take minutes.
set(two_ranks test_mpi_repeat test_mpi_wide test_mpi_rigid_tie test_mpi_contact test_mpi_damping test_mpi_exponential
              test_mpi_simplex test_mpi_solid test_mpi_start test_mpi_state)

# Motions on one process against closed forms, through the same assembly and solvers as those of other programs: not with
# 64-bit indices.
set(motions test_control test_corotation test_driven test_drives test_energy test_enforcement test_floquet test_loops
            test_rotation_cost test_rubber test_shell test_simplex test_stations test_steady test_swing)

foreach(source ${test_sources})
  cmake_path(GET source STEM name)
  file(STRINGS ${source} calls_petsc REGEX "petsc|PETSC" LIMIT_COUNT 1)
  if(LIMBER_INDEX64 AND (NOT calls_petsc OR name IN_LIST motions))
    continue()  # it knows no index of PETSc, or none that others do not know
  endif()
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/tests)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/tests)
  target_link_options(${name} PRIVATE ${fast_linker})
  target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:test_support> limber_archive)
  add_limber_test(${name} ${name})
  if(name MATCHES "^test_mpi_" AND LIMBER_MPI)
    set_property(TEST ${name} APPEND PROPERTY LABELS alone)
    set(ranks 2 3 4)
    if(name IN_LIST two_ranks)
      set(ranks 2)
    endif()
    foreach(count ${ranks})
      add_limber_test(${name}_on_${count} ${MPIEXEC_EXECUTABLE} ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG} ${count}
                      $<TARGET_FILE:${name}>)
      # Ranks that wait for each other keep their cores busy: on two cores nothing else runs beside them.
      set_tests_properties(${name}_on_${count} PROPERTIES PROCESSORS 3 LABELS mpi)
    endforeach()
  endif()
endforeach()

list(APPEND test_environment LIMBER=${bin}/limber LIMBER_SOURCE=${CMAKE_CURRENT_SOURCE_DIR}
     MPIEXEC=${MPIEXEC_EXECUTABLE})
file(GLOB test_scripts CONFIGURE_DEPENDS tests/*.sh)
if(NOT LIMBER_MPI)
  list(FILTER test_scripts EXCLUDE REGEX "/(elbow_ranks|many_loads|indices)\\.sh$")  # several processes, or another PETSc
endif()
if(NOT LIMBER_STATIC)
  list(FILTER test_scripts EXCLUDE REGEX "/wheel\\.sh$")
endif()
if(NOT CMAKE_INSTALL_PREFIX STREQUAL /usr)
  list(FILTER test_scripts EXCLUDE REGEX "/package\\.sh$")
endif()
foreach(script ${test_scripts})
  cmake_path(GET script FILENAME name)
  add_limber_test(${name} bash ${script})
endforeach()

# A Python with the modules that are needed: the system's, where another without them stands before it.
foreach(candidate python3 /usr/bin/python3)
  execute_process(COMMAND ${candidate} -c "import pytest, h5py, numpy" RESULT_VARIABLE lacking OUTPUT_QUIET ERROR_QUIET)
  if(lacking EQUAL 0)
    set(test_python ${candidate})
    break()
  endif()
endforeach()
file(GLOB test_modules CONFIGURE_DEPENDS tests/test_*.py)
if(LIMBER_MPI)
  list(FILTER test_modules EXCLUDE REGEX "/test_without_mpi\\.py$")
endif()
if(NOT test_python)
  message(WARNING "No Python with pytest, h5py and numpy: tests/test_*.py are left out (Debian: .ci/setup)")
  set(test_modules)
endif()
foreach(module ${test_modules})
  cmake_path(GET module FILENAME name)
  add_limber_test(${name} ${test_python} -B -m pytest -q --no-header --tb=short -p no:cacheprovider ${module})
endforeach()

set_tests_properties(install.sh installed.sh PROPERTIES RESOURCE_LOCK install_manifest)  # both install from this build
set_tests_properties(installed.sh test_toys.py PROPERTIES TIMEOUT 1800)

if(LIMBER_STATIC)
  set_tests_properties(wheel.sh PROPERTIES TIMEOUT 3000)  # it builds the whole
endif()

set(site site.sh test_pages.py)
set(plain ${site} test_floquet test_examples.py test_fmu.py test_fmu_linear.py test_licenses.py test_types.py test_notebooks.py test_binary_interface.py test_ci.py test_faults.py test_state.py layering.sh install.sh installed.sh wheel.sh package.sh release.sh test_toys.py test_cli_view.py test_cli_resume.py test_cli_slurm.py cli_verify.sh cli_speed.sh
          elbow_ranks.sh peers.sh forces.sh random.sh steps.sh indices.sh many_loads.sh test_mpi_wide
          test_mpi_wide_on_2 test_mpi_faults test_mpi_faults_on_2)

set(light test_carets.py test_cli_attacks.py test_cli_blade.py test_cli_check.py test_cli_compare.py test_cli_damaged.py test_cli_export.py
          test_cli_import.py test_cli_visuals.py test_cli_mesh.py test_cli_openfast.py test_cli_parts.py test_cli_plot.py test_cli_report.py
          test_cli_section.py test_cli_section_mesh.py test_cli_study_page.py cli_manual.sh cli_new.sh cli_picture.sh cli_schema.sh)

# CPU seconds of tests that take more than 2.
set(cost_wheel.sh 400)
set(cost_installed.sh 170)
set(cost_test_toys.py 100)
set(cost_test_fmu.py 15)
set(cost_test_fmu_linear.py 8)
set(cost_test_floquet 20)
set(cost_test_cli_campbell.py 15)
set(cost_forces.sh 35)
set(cost_test_mpi_wide_on_2 31)
set(cost_test_cli_resume.py 28)
set(cost_test_state.py 30)
set(cost_test_cli_snapshots.py 20)
set(cost_test_mpi_wide 14)
set(cost_test_cli_study.py 25)
set(cost_test_cli_slurm.py 30)
set(cost_test_cli_run.py 12)
set(cost_test_mpi_rigid_tie_on_2 10)
set(cost_test_mpi_damping_on_2 10)
set(cost_test_wheel.py 10)
set(cost_cli_speed.sh 9)
set(cost_indices.sh 20)
set(cost_many_loads.sh 7)
set(cost_site.sh 85)
set(cost_test_pages.py 60)
set(cost_test_solid 6)
set(cost_random.sh 8)
set(cost_test_cli_failures.py 8)
set(cost_test_cli_view.py 26)
set(cost_test_driven 8)
set(cost_test_enforcement 7)
set(cost_steps.sh 7)
set(cost_test_mpi_repeat_on_2 11)
set(cost_test_mpi_start_on_2 6)
set(cost_test_cli_damaged.py 37)
set(cost_test_cli_plot.py 20)
set(cost_test_mpi_rigid_tie 5)
set(cost_python.sh 5)
set(cost_test_cli_attacks.py 5)
set(cost_test_water.py 5)
set(cost_test_mpi_divided_on_4 8)
set(cost_test_mpi_divided_on_3 6)
set(cost_test_mpi_simplex_on_2 5)
set(cost_test_energy 4)
set(cost_test_mpi_solid_on_2 4)
set(cost_test_shell 4)
set(cost_test_types.py 7)
set(cost_test_notebooks.py 30)
set(cost_test_faults.py 40)

get_property(names DIRECTORY PROPERTY TESTS)
foreach(name ${names})
  if(name IN_LIST site)
    set_property(TEST ${name} APPEND PROPERTY LABELS site)
  endif()
  if(name IN_LIST light)
    set_property(TEST ${name} APPEND PROPERTY LABELS light)
  endif()
  if(name IN_LIST plain OR name MATCHES "_on_[34]$")
    set_property(TEST ${name} APPEND PROPERTY LABELS plain)
  endif()
  if(DEFINED cost_${name})
    set_tests_properties(${name} PROPERTIES COST ${cost_${name}})
    if(cost_${name} GREATER 5)
      set_property(TEST ${name} APPEND PROPERTY LABELS slow)
    endif()
  endif()
endforeach()

# What the tests need, without studies and benchmarks.
get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER targets INCLUDE REGEX "^(test_|limber$|limber_shared$)")
add_custom_target(checks)
add_dependencies(checks ${targets})
