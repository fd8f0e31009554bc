# SPDX-License-Identifier: Apache-2.0
# Only directories and libraries are taken from pkg-config: some distributions add optimisation macros to PETSc's
# flags that do not suit every build type. All headers are system headers.
option(LIMBER_MPI "Runs on many processes; OFF: on one, with the libraries that packaging/lean.sh builds" ON)
option(LIMBER_STATIC "Without MPI: liblimber and the program need nothing but the C library" OFF)
option(LIMBER_INDEX64 "PETSc and SLEPc with 64-bit indices, for more than 2^31 entries of a matrix" OFF)
find_package(PkgConfig REQUIRED)
if(LIMBER_INDEX64)  # the names of Debian's petsc64-dev and slepc64-dev
  set(bits 64)
endif()

add_library(limber_light_dependencies INTERFACE)
target_link_libraries(limber_light_dependencies INTERFACE m)
add_library(limber_post_dependencies INTERFACE)  # no PETSc
target_link_libraries(limber_post_dependencies INTERFACE limber_light_dependencies)
add_library(limber_dependencies INTERFACE)
target_link_libraries(limber_dependencies INTERFACE limber_post_dependencies)
function(add_packages target)
  foreach(package ${ARGN})
    target_include_directories(${target} SYSTEM INTERFACE ${${package}_INCLUDE_DIRS})
    target_link_libraries(${target} INTERFACE ${${package}_LINK_LIBRARIES})
  endforeach()
endfunction()

if(LIMBER_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
  pkg_search_module(PETSC REQUIRED IMPORTED_TARGET PETSc${bits}>=3.18 petsc${bits}>=3.18)
  pkg_search_module(SLEPC REQUIRED IMPORTED_TARGET SLEPc${bits}>=3.18 slepc${bits}>=3.18)
  # Debian has HDF5 once for each MPI.
  set(hdf5_names hdf5-openmpi hdf5-mpich)
  if("${MPI_C_COMPILER};${MPI_C_INCLUDE_DIRS}" MATCHES "mpich")
    list(REVERSE hdf5_names)
  endif()
  pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET ${hdf5_names} hdf5-mpi hdf5)
  # Scotch comes with PETSc and has no file of pkg-config.
  find_path(SCOTCH_INCLUDE_DIRS scotch.h PATH_SUFFIXES scotch REQUIRED)
  find_library(SCOTCH_LIBRARY scotch REQUIRED)
  find_library(SCOTCH_ERROR_LIBRARY scotcherr REQUIRED)
  set(SCOTCH_LINK_LIBRARIES ${SCOTCH_LIBRARY} ${SCOTCH_ERROR_LIBRARY})
  if(NOT LIMBER_INDEX64)  # MUMPS comes with PETSc and has no file of pkg-config either
    find_path(MUMPS_INCLUDE_DIRS dmumps_c.h REQUIRED)
    find_library(MUMPS_LINK_LIBRARIES dmumps REQUIRED)
  endif()
  target_link_libraries(limber_post_dependencies INTERFACE MPI::MPI_C)  # HDF5 on MPI needs its header
else()
  include(Lean)  # PETSC, HDF5; LIMBER_STATIC: all others too
endif()
if(NOT LIMBER_STATIC)
  pkg_search_module(LAPACK REQUIRED IMPORTED_TARGET lapack)
  pkg_search_module(BLAS REQUIRED IMPORTED_TARGET blas)
  pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
  pkg_check_modules(UDUNITS REQUIRED IMPORTED_TARGET udunits)
  pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
  pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
endif()

add_packages(limber_light_dependencies FYAML UDUNITS EXPAT ZLIB)
add_packages(limber_post_dependencies HDF5)
add_packages(limber_dependencies SLEPC PETSC SCOTCH MUMPS LAPACK BLAS)
