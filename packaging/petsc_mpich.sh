#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# petsc_mpich.sh [FOLDER]: PETSc and SLEPc for MPICH, which Debian packages for Open MPI only, from Debian's sources and with
# Debian's libraries for MPICH (HDF5, ScaLAPACK); MUMPS is built along. FOLDER is /limber/petsc-mpich by default; its file
# `environment` sets what a build of Limber needs. Run as root within a Debian (packaging/chroot.sh), which it changes.
# SLEPC_TARBALL names a tarball of SLEPc where Debian's archive does not have its source.
set -euo pipefail
prefix=${1:-/limber/petsc-mpich}
if [[ -e $prefix/environment ]]; then exit 0; fi
sources=${LIMBER_SOURCES:-/limber/sources}
jobs=${LIMBER_JOBS:-2}
mkdir -p "$prefix" "$sources"
log=$prefix/build.log
exec > >(tee "$log" | grep --line-buffered '^====') 2>&1

echo "==== packages"
. /etc/os-release
echo "deb-src http://deb.debian.org/debian ${VERSION_CODENAME:-sid} main" >/etc/apt/sources.list.d/sources.list
apt-get -o Acquire::Check-Valid-Until=false update -q
apt-get install -q -y --no-install-recommends mpich libmpich-dev libhdf5-mpich-dev libscalapack-mpich-dev gfortran make \
  bison flex dpkg-dev

echo "==== sources"
(cd "$sources" && apt-get source -q --download-only petsc mumps && { [[ -n ${SLEPC_TARBALL-} ]] || apt-get source -q --download-only slepc; })
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unpack() { mkdir -p "$work/$1" && tar xf "$2" -C "$work/$1" --strip-components 1; }
unpack petsc "$sources"/petsc_*.orig.tar.*
unpack slepc "${SLEPC_TARBALL:-$(ls "$sources"/slepc_*.orig.tar.*)}"
mumps=$(ls "$sources"/mumps_*.orig.tar.*)

echo "==== PETSc"
cd "$work/petsc"
export PETSC_DIR=$PWD PETSC_ARCH=mpich
python3 ./configure PETSC_ARCH=mpich --prefix="$prefix" --with-cc=mpicc.mpich --with-fc=mpif90.mpich --with-cxx=0 \
  --with-mpiexec=mpiexec.mpich --with-x=0 --with-debugging=0 --with-ssl=0 --with-fortran-bindings=0 \
  --with-blaslapack-lib="-llapack -lblas" --with-scalapack-lib=-lscalapack-mpich --download-mumps="$mumps" \
  --with-make-np="$jobs" --with-packages-download-dir="$sources" COPTFLAGS=-O2 FOPTFLAGS=-O2
make -j "$jobs" MAKE_NP="$jobs"
make install

echo "==== SLEPc"
cd "$work/slepc"
export PETSC_DIR=$prefix SLEPC_DIR=$PWD
unset PETSC_ARCH
python3 ./configure --prefix="$prefix"
make MAKE_NP="$jobs"
make install
cat >"$prefix/environment" <<END
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib MPI_HOME=/usr/lib/x86_64-linux-gnu/mpich
export LIMBER_CMAKE="-DMPI_C_COMPILER=mpicc.mpich -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.mpich"
END
echo "==== done"
