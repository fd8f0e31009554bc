#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lean.sh [PART ...]: builds the libraries of a Limber without MPI as archives that a shared library may hold.
#   superlu    sparse LU with pivots, in the place of MUMPS
#   petsc      without MPI, C++, Fortran and X; with SuperLU
#   archives   HDF5, libfyaml, UDUNITS, expat, OpenBLAS with LAPACK: those of Debian's packages
# Without a part: all, for the preset `wheel`. `lean.sh superlu petsc` is what the preset `serial` needs.
#
# Sources are those of Debian, checked by SHA-256. They are taken from LIMBER_SOURCES, a folder, or fetched into it. The result is
# in LIMBER_PREFIX. Both are by default in ~/.cache/limber, the latter by a hash of what is done here: what is built is built once.
# `lean.sh --where` prints the prefix. Exit code 75: a source is out of reach.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

flags() { echo "-O2 -fPIC -ffunction-sections -fdata-sections -ffile-prefix-map=$work=."; }

# source_of PATH SHA256: the path of a file of Debian's archive, which comes from where apt takes its packages, or from MIRROR.
source_of() {
  local file="$sources/${1##*/}" host hosts
  mapfile -t hosts < <(echo "${MIRROR-}"; apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 2>/dev/null | sort -u)
  for host in "" "${hosts[@]}"; do
    if [[ -n $host ]]; then
      curl -sSfL --retry 2 --connect-timeout 20 -o "$file.part" "${host%/}/pool/main/$1" || continue
      mv "$file.part" "$file"
    fi
    if echo "$2  $file" | sha256sum --status -c 2>/dev/null; then echo "$file"; return; fi
  done
  echo "lean.sh: ${1##*/} cannot be had, or is another; put it into $sources" >&2
  return 75
}

unpack() { # unpack FOLDER PATH SHA256: below $work
  local file
  file=$(source_of "$2" "$3") || exit
  mkdir -p "$work/$1"
  tar xf "$file" -C "$work/$1" --strip-components 1
}

# MC64, which is not free, is no part of Debian's source; only incomplete factors would ask for it.
superlu() {
  unpack superlu s/superlu/superlu_7.0.1+dfsg1.orig.tar.xz 50b896aa4991397b6a3587a14125819ab2649a59097b31015edfff7b2605f468
  echo '#include <stdlib.h>
void mc64id_(int *a) { (void)a; abort(); }
void mc64ad_(int *a) { (void)a; abort(); }' >"$work/superlu/SRC/mc64ad.c"
  cmake -S "$work/superlu" -B "$work/superlu_build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$(flags)" \
    -DBUILD_SHARED_LIBS=OFF -Denable_internal_blaslib=OFF -DTPL_BLAS_LIBRARIES=blas -Denable_single=OFF \
    -Denable_complex=OFF -Denable_complex16=OFF -Denable_tests=OFF -Denable_examples=OFF -Denable_fortran=OFF \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib
  cmake --build "$work/superlu_build" -j "$jobs" --target install
  cp "$work/superlu/License.txt" "$prefix/licenses/superlu"
}

# Of its libraries only those that Limber uses. Any BLAS serves for the questions that configure asks.
petsc() {
  local archives=() name
  unpack petsc p/petsc/petsc_3.18.5+dfsg1.orig.tar.xz e80001ace81706271c25701d3200e75cb62d69194f9e0ed85e4ae213eecb33b6
  cd "$work/petsc"
  export PYTHONHASHSEED=0 # the order of files in the archives is that of a set
  python3 ./configure PETSC_ARCH=lean --prefix="$prefix" --with-mpi=0 --with-fc=0 --with-cxx=0 --with-x=0 --with-ssl=0 \
    --with-shared-libraries=0 --with-single-library=0 --with-debugging=0 --with-pthread=0 --with-hwloc=0 --with-valgrind=0 \
    --with-blaslapack-lib="-llapack -lblas" --with-superlu-include="$prefix/include" \
    --with-superlu-lib="$prefix/lib/libsuperlu.a" CFLAGS="$(flags)" COPTFLAGS="-O2"
  # The same sources give the same archives: neither host, time, folders nor flags of this build go into them.
  sed -i 's/= ".*/= "";/; /^"/d' lean/include/petscmachineinfo.h lean/include/petscconfiginfo.h
  sed -i -E 's/^(#define PETSC_(DIR|LIB_DIR|PYTHON_EXE)) .*/\1 ""/' lean/include/petscconf.h
  # Types of grids, which would all be part of the binary; KSP asks for one.
  {
    echo 'int DMRegister(const char *, int (*)(void *)), DMCreate_Shell(void *), DMRegisterAll(void);'
    echo 'int DMRegisterAll(void) { return DMRegister("shell", DMCreate_Shell); }'
  } >src/dm/interface/dmregall.c
  for name in PetscDS PetscDualSpace PetscFE PetscFV PetscLimiter PetscSpace; do
    echo "int ${name}RegisterAll(void); int ${name}RegisterAll(void) { return 0; }"
  done >>src/dm/interface/dmregall.c
  for name in sys vec mat dm ksp; do archives+=("lean/lib/libpetsc$name.a"); done
  make -f gmakefile PETSC_DIR="$PWD" PETSC_ARCH=lean -j "$jobs" "${archives[@]}"
  cp "${archives[@]}" "$prefix/lib"
  cp -r lib/petsc lean/lib/petsc "$prefix/lib"
  cp -r include/. lean/include/. "$prefix/include"
  cp LICENSE "$prefix/licenses/petsc"
}

# See runtime.c. OpenBLAS is that for one thread, the same code as in libopenblas0-serial: results have the same bits. What chooses
# among the kinds of processors is compiled anew, to know Intel's since 2008 and AMD's since 2017 (others: SSE3): the code for
# more is more than half of it.
archives() {
  local lib path package rename=() deb
  lib=/usr/lib/$(gcc -print-multiarch)
  for path in stdin stdout stderr; do rename+=(--redefine-sym "$path=limber_$path"); done
  while read -r package path; do
    objcopy "${rename[@]}" "$lib/$path" "$prefix/lib/${path##*/}"
    cp "/usr/share/doc/$package/copyright" "$prefix/licenses/$package"
  done <<END
libhdf5-dev hdf5/serial/libhdf5.a
libaec-dev libsz.a
libaec-dev libaec.a
zlib1g-dev libz.a
libfyaml-dev libfyaml.a
libudunits2-dev libudunits2.a
libexpat1-dev libexpat.a
END
  gcc $(flags) -fvisibility=hidden -c "$here/runtime.c" -o "$work/runtime.o"
  ar rcsD "$prefix/lib/libruntime.a" "$work/runtime.o"
  deb=$(source_of o/openblas/libopenblas-serial-dev_0.3.21+ds-4_amd64.deb \
    f2ec16bce5ee3dea2c1d9ecb08b93c7d4e5b1e15407558ae0ef7bad375122a63) || exit
  dpkg-deb -x "$deb" "$work/openblas"
  cp "$work/openblas$lib/openblas-serial/libopenblas.a" "$prefix/lib"
  unpack choice o/openblas/openblas_0.3.21+ds.orig.tar.xz bbec5cca61c8033b2d57aaecde205d709323a0b35a5f193290081dbb3826848a
  local options=(DYNAMIC_ARCH=1 TARGET=GENERIC USE_THREAD=0 USE_OPENMP=0 NUM_THREADS=64 NO_LAPACKE=1 NO_AFFINITY=1 NO_WARMUP=1
    SMALL_MATRIX_OPT=1 CFLAGS=-O2 COMMON_OPT= DYNAMIC_LIST="NEHALEM SANDYBRIDGE HASWELL ZEN SKYLAKEX COOPERLAKE")
  make -C "$work/choice/driver/others" "${options[@]}" TOPDIR=../.. dynamic.o
  # Both must agree on where in the table of a processor's functions the one stands that they call.
  ar p "$prefix/lib/libopenblas.a" dynamic.o >"$work/dynamic.o"
  cmp <(objdump -d "$work/dynamic.o" | grep -oE 'call +\*.*') <(objdump -d "$work/choice/driver/others/dynamic.o" | grep -oE 'call +\*.*')
  ar rD "$prefix/lib/libopenblas.a" "$work/choice/driver/others/dynamic.o"
  cp "$work/openblas/usr/share/doc/libopenblas-serial-dev/copyright" "$prefix/licenses/openblas"
  cp /usr/share/doc/gcc-12-base/copyright "$prefix/licenses/gcc" # libgcc
}

all=(superlu petsc archives)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/limber
key=$({ declare -f flags "${all[@]}"; cat "$here/runtime.c"; } | sha256sum | cut -c1-12)
prefix=${LIMBER_PREFIX:-$cache/lean-$key}
sources=${LIMBER_SOURCES:-$cache/sources}
jobs=${JOBS:-$(env -u OMP_NUM_THREADS nproc)}
if [[ ${1-} == --where ]]; then echo "$prefix"; exit; fi
parts=("$@")
[[ $# -gt 0 ]] || parts=("${all[@]}")
mkdir -p "$sources" "$prefix"/{lib,include,licenses,made}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for part in "${parts[@]}"; do
  if [[ -e $prefix/made/$part ]]; then continue; fi
  log=$prefix/$part.log begun=$SECONDS
  echo "lean.sh: $part ..."
  set +e
  (set -e; "$part") >"$log" 2>&1 # not in a condition: there `set -e` would hold nothing up
  code=$?
  set -e
  if [[ $code -ne 0 ]]; then
    tail -n 20 "$log" >&2
    echo "lean.sh: $part failed; see $log" >&2
    exit $code
  fi
  touch "$prefix/made/$part"
  echo "lean.sh: $part took $((SECONDS - begun)) s"
done
