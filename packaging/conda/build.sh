#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What conda runs to build and install, with the prefix of the package in PREFIX and its Python in PYTHON.
set -euo pipefail
modules=$("${PYTHON:-python3}" -c 'import sysconfig; print(sysconfig.get_path("purelib", vars={"base": "", "platbase": ""}).lstrip("/"))')
cmake -S . -B build/conda -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DCMAKE_PREFIX_PATH="$PREFIX" -DLIMBER_PYTHON_DIR="$modules" ${CMAKE_ARGS-}
cmake --build build/conda --target limber limber_shared pages
cmake --install build/conda
