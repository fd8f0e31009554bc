# SPDX-License-Identifier: Apache-2.0
# Only directories and libraries are taken from pkg-config: some distributions add optimisation macros to PETSc's
# flags that do not suit every build type. All headers are system headers.
find_package(MPI REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
option(LIMBER_INDEX64 "PETSc and SLEPc with 64-bit indices, for more than 2^31 entries of a matrix" OFF)
if(LIMBER_INDEX64)  # the names of Debian's petsc64-dev and slepc64-dev
  set(bits 64)
endif()
pkg_search_module(PETSC REQUIRED IMPORTED_TARGET PETSc${bits}>=3.18 petsc${bits}>=3.18)
pkg_search_module(LAPACK REQUIRED IMPORTED_TARGET lapack)
pkg_search_module(BLAS REQUIRED IMPORTED_TARGET blas)
pkg_search_module(SLEPC REQUIRED IMPORTED_TARGET SLEPc${bits}>=3.18 slepc${bits}>=3.18)
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-openmpi hdf5-mpich hdf5-mpi hdf5)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(UDUNITS REQUIRED IMPORTED_TARGET udunits)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)
# Scotch comes with PETSc and has no file of pkg-config.
find_path(SCOTCH_INCLUDE_DIRS scotch.h PATH_SUFFIXES scotch REQUIRED)
find_library(SCOTCH_LIBRARY scotch REQUIRED)
find_library(SCOTCH_ERROR_LIBRARY scotcherr REQUIRED)
set(SCOTCH_LINK_LIBRARIES ${SCOTCH_LIBRARY} ${SCOTCH_ERROR_LIBRARY})

add_library(limber_light_dependencies INTERFACE)
target_link_libraries(limber_light_dependencies INTERFACE m)
add_library(limber_post_dependencies INTERFACE)  # no PETSc; HDF5 on MPI needs its header
target_link_libraries(limber_post_dependencies INTERFACE MPI::MPI_C limber_light_dependencies)
add_library(limber_dependencies INTERFACE)
target_link_libraries(limber_dependencies INTERFACE limber_post_dependencies)
function(add_packages target)
  foreach(package ${ARGN})
    target_include_directories(${target} SYSTEM INTERFACE ${${package}_INCLUDE_DIRS})
    target_link_libraries(${target} INTERFACE ${${package}_LINK_LIBRARIES})
  endforeach()
endfunction()
add_packages(limber_light_dependencies FYAML UDUNITS MUPARSER)
add_packages(limber_post_dependencies HDF5)
add_packages(limber_dependencies SLEPC PETSC SCOTCH LAPACK BLAS)
