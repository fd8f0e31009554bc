# SPDX-License-Identifier: Apache-2.0
# The libraries of a Limber without MPI: those that packaging/lean.sh has built in LIMBER_PREFIX, and Debian's archives.
execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/packaging/lean.sh --where OUTPUT_VARIABLE lean
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(LIMBER_PREFIX ${lean} CACHE PATH "where packaging/lean.sh has put its libraries")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS packaging/lean.sh)
function(lean_archives out)
  set(found)
  foreach(name ${ARGN})
    if(NOT EXISTS ${LIMBER_PREFIX}/lib/lib${name}.a)
      message(FATAL_ERROR "${LIMBER_PREFIX}/lib/lib${name}.a is missing: run packaging/lean.sh first")
    endif()
    list(APPEND found ${LIMBER_PREFIX}/lib/lib${name}.a)
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# In a group: they need each other.
lean_archives(PETSC_LINK_LIBRARIES petscksp petscdm petscmat petscvec petscsys superlu)
list(PREPEND PETSC_LINK_LIBRARIES -Wl,--start-group)
list(APPEND PETSC_LINK_LIBRARIES -Wl,--end-group)
set(PETSC_INCLUDE_DIRS ${LIMBER_PREFIX}/include ${LIMBER_PREFIX}/include/petsc/mpiuni)  # mpi.h
target_compile_definitions(limber_dependencies INTERFACE LIMBER_WITHOUT_SLEPC)

if(LIMBER_STATIC)
  lean_archives(FYAML_LINK_LIBRARIES fyaml runtime)
  lean_archives(UDUNITS_LINK_LIBRARIES udunits2 expat runtime)
  lean_archives(ZLIB_LINK_LIBRARIES z runtime)
  lean_archives(HDF5_LINK_LIBRARIES hdf5 sz aec z runtime)
  lean_archives(LAPACK_LINK_LIBRARIES openblas runtime)
  list(APPEND HDF5_LINK_LIBRARIES ${CMAKE_DL_LIBS})
  pkg_search_module(HDF5_HEADERS REQUIRED hdf5-serial hdf5)
  set(HDF5_INCLUDE_DIRS ${HDF5_HEADERS_INCLUDE_DIRS})
  file(GLOB UDUNITS_DATABASE /usr/share/xml/udunits/*.xml)
  file(RELATIVE_PATH source_from_build ${CMAKE_CURRENT_BINARY_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  add_compile_options(-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/= -ffile-prefix-map=${CMAKE_CURRENT_BINARY_DIR}/=
                      -ffile-prefix-map=${LIMBER_PREFIX}/=     # functions in headers of PETSc
                      -ffile-prefix-map=${source_from_build}=  # the path that ccache with a base_dir gives
                      -ffunction-sections -fdata-sections)
  target_link_options(limber_light_dependencies INTERFACE -static-libgcc LINKER:--exclude-libs,ALL LINKER:--gc-sections
                      LINKER:-z,defs)
else()
  pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
endif()
