# SPDX-License-Identifier: Apache-2.0
# tests/test_*.c      one executable and one ctest entry each, linked with the hidden names
# tests/test_mpi_*.c  the same, run by 1 process and by 2
# tests/<other>.c     shared by all tests
# tests/*.sh          run with LIMBER (the command) and LIMBER_SOURCE (this tree) in the environment
set(test_environment OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1)
set(mpi_flags ${MPIEXEC_PREFLAGS})
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpi_version ERROR_QUIET)
if(mpi_version MATCHES "Open MPI|OpenRTE")
  # Several small runs share the cores: no pinning, no spinning, no remote launcher, no ptrace between ranks.
  list(APPEND mpi_flags --oversubscribe --bind-to none)
  list(APPEND test_environment OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_plm=isolated
       OMPI_MCA_btl_vader_single_copy_mechanism=none)
  execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(user EQUAL 0)
    list(APPEND mpi_flags --allow-run-as-root)
  endif()
endif()

function(add_limber_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT "${test_environment}")
endfunction()

file(GLOB test_sources CONFIGURE_DEPENDS tests/test_*.c)
file(GLOB support_sources CONFIGURE_DEPENDS tests/*.c)
list(REMOVE_ITEM support_sources ${test_sources})
if(support_sources)
  add_library(test_support STATIC ${support_sources})
  target_link_libraries(test_support PUBLIC limber_archive)
endif()

foreach(source ${test_sources})
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/tests)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:test_support> limber_archive)
  add_limber_test(${name} ${name})
  if(name MATCHES "^test_mpi_")
    add_limber_test(${name}_on_2 ${MPIEXEC_EXECUTABLE} ${mpi_flags} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:${name}>)
    set_tests_properties(${name}_on_2 PROPERTIES PROCESSORS 2 LABELS mpi)
  endif()
endforeach()

file(GLOB test_scripts CONFIGURE_DEPENDS tests/*.sh)
list(APPEND test_environment LIMBER=${bin}/limber LIMBER_SOURCE=${CMAKE_CURRENT_SOURCE_DIR})
foreach(script ${test_scripts})
  cmake_path(GET script FILENAME name)
  add_limber_test(${name} bash ${script})
endforeach()
