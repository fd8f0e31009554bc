# SPDX-License-Identifier: Apache-2.0
"""Limber for Spack, from a tree of its sources: it has no public archive from which Spack could fetch one.

    mkdir -p repo/packages/limber && echo "repo: {namespace: limber}" >repo/repo.yaml
    cp packaging/spack/package.py repo/packages/limber
    spack repo add repo
    spack dev-build -d . limber@main

Tested: `spack info limber` of Spack 0.22.2 reads it, with its packages of PETSc, SLEPc, HDF5, libfyaml and
UDUNITS. Not tested: the concretizer and a build.
"""
from spack.package import *


class Limber(CMakePackage):
    """Flexible multibody dynamics that never creates energy: rigid bodies, geometrically exact beams, cables, solids and
    joints, integrated in time on PETSc and MPI."""

    license("Apache-2.0", checked_by="limber")

    version("main", branch="main")

    variant("python", default=True, description="the module for Python, with numpy")
    variant("int64", default=False, description="PETSc with 64-bit indices")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("petsc@3.18:3.25+mpi+mumps+ptscotch~complex")
    depends_on("petsc+int64", when="+int64")
    depends_on("petsc~int64", when="~int64")
    depends_on("slepc@3.18:3.25")
    depends_on("scotch")
    depends_on("blas")
    depends_on("lapack")
    depends_on("hdf5+mpi")
    depends_on("libfyaml")
    depends_on("udunits")
    depends_on("expat")
    depends_on("zlib-api")
    depends_on("python@3.9:", when="+python", type=("build", "run"))
    depends_on("py-numpy", when="+python", type=("build", "run"))
    depends_on("gnuplot", type="run")
    extends("python", when="+python")

    generator("ninja")
    build_targets = ["limber", "limber_shared", "pages"]

    def cmake_args(self):
        args = [
            self.define("CMAKE_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("CMAKE_BUILD_TYPE", "Release"),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("LIMBER_PYTHON_DIR", python_platlib))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def verify_pendulum(self):
        Executable(self.prefix.bin.limber)("verify", "pendulum")
