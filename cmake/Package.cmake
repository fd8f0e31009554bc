# SPDX-License-Identifier: Apache-2.0
# `cmake --workflow --preset package` makes a Debian package in build/package, with the libraries that the program and
# liblimber are linked with as dependencies.
set(CPACK_PACKAGE_NAME limber)
set(CPACK_PACKAGE_VENDOR Limber)
set(CPACK_PACKAGE_CONTACT "Limber developers <limber@limber.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "flexible multibody dynamics that never creates energy")
set(CPACK_PACKAGE_DESCRIPTION "Simulates beams, cables, solids and rigid bodies joined to mechanisms, in time.
A ledger closes every step: kinetic, strain and potential energy, work of each
load, what dampers and the scheme take. With the command limber, the library
liblimber for C and the module limber for Python.")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin, libopenblas0-serial, python3, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot, python3-h5py, python3-pandas, paraview")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
# What Debian asks for beside what `cmake --install` brings: packaging/deb.cmake
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/packaging/deb.cmake)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/prerm @ONLY CONTENT
"#!/bin/sh
set -e
# what Python compiled of the module
rm -rf @CMAKE_INSTALL_PREFIX@/@LIMBER_PYTHON_DIR@/limber/__pycache__
")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/prerm ${CMAKE_CURRENT_BINARY_DIR}/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/limber RENAME copyright)
include(CPack)
