# SPDX-License-Identifier: Apache-2.0
# Limber for Homebrew (macOS, Linux), from a tree of its sources, which is a git repository:
#
#   brew tap-new you/limber && cp packaging/homebrew/limber.rb "$(brew --repository you/limber)/Formula"
#   HOMEBREW_LIMBER_SOURCE=$PWD brew install --HEAD you/limber/limber
#
# Homebrew's PETSc has no MUMPS, which Limber with MPI needs: a PETSc of your own, with it, must stand in its place.
# Tested: `ruby -c` reads it, and Homebrew has PETSc, SLEPc, libfyaml and what PETSc depends on. Not tested: the names of
# the other formulae, brew, macOS.
class Limber < Formula
  desc "Flexible multibody dynamics that never creates energy"
  license "Apache-2.0"
  head "file://#{ENV.fetch("HOMEBREW_LIMBER_SOURCE", ".")}", using: :git, branch: "main"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "expat"
  depends_on "gnuplot"
  depends_on "hdf5-mpi"
  depends_on "libfyaml"
  depends_on "numpy"
  depends_on "open-mpi"
  depends_on "openblas"
  depends_on "petsc"
  depends_on "python@3.13"
  depends_on "scotch"
  depends_on "slepc"
  depends_on "udunits"
  depends_on "zlib"

  def install
    args = %W[-DLIMBER_PYTHON_DIR=lib/python3.13/site-packages -DCMAKE_INSTALL_RPATH=#{rpath}]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build", "--target", "limber", "limber_shared", "pages"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"limber", "new", "pendulum"
    system bin/"limber", "run", "pendulum.yaml", "-q"
    assert_match "hinge", shell_output("#{bin}/limber export pendulum.h5 --list")
  end
end
