#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wheel.py BUILD [OUT]: makes of a build with the preset `wheel`
     limber-VERSION-py3-none-manylinux_X_Y_x86_64.whl   pip install FILE: program, Python module, library, examples
     limber-VERSION-linux-x86_64.tar.gz                 the same, and the C headers: unpack, run bin/limber
Both need glibc X.Y and nothing else, which is checked. The same sources give the same bytes: times are SOURCE_DATE_EPOCH, or
that of the last commit."""
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
C_LIBRARY = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}

METADATA = """\
Metadata-Version: 2.1
Name: limber
Version: {version}
Summary: Flexible multibody dynamics that never creates energy
License: Apache-2.0
Platform: manylinux
Classifier: Topic :: Scientific/Engineering :: Physics
Classifier: Programming Language :: C
Requires-Python: >=3.8
Requires-Dist: numpy
{files}Description-Content-Type: text/markdown

Simulates beams, cables, solids and rigid bodies joined to mechanisms, in time. An energy ledger closes every step.
With the command `limber`, the library `liblimber` for C and the module `limber` for Python. This build runs on one process,
without MPI.

    limber new pendulum
    limber run pendulum.yaml
    limber view pendulum.h5
"""


def output(*words):
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, cwd=SOURCE).stdout


def needs(path):
    """What an ELF file needs: shared libraries, and the newest version of glibc."""
    libraries = set(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", str(path))))
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", output("objdump", "-T", str(path)))
    return libraries, max((int(a), int(b)) for a, b in versions)


def install(build, stage):
    """Installed and stripped; the folder of licences is filled from the libraries that the build holds."""
    subprocess.run(["cmake", "--install", str(build), "--prefix", str(stage), "--strip"], check=True, stdout=subprocess.DEVNULL)
    cache = (build / "CMakeCache.txt").read_text()
    if "LIMBER_STATIC:BOOL=ON" not in cache:
        sys.exit(f"wheel.py: {build} is no build with the preset `wheel`")
    prefix = pathlib.Path(re.search(r"^LIMBER_PREFIX:PATH=(.*)$", cache, re.M)[1])
    licenses = stage / "share/doc/limber"
    licenses.mkdir(parents=True, exist_ok=True)
    for file in sorted((prefix / "licenses").iterdir()):
        (licenses / f"{file.name}.txt").write_bytes(file.read_bytes())
    return licenses


def entries_of_tarball(stage):
    return {str(p.relative_to(stage)): p for p in stage.rglob("*") if p.is_symlink() or p.is_file()}


def entries_of_wheel(stage, licenses, version):
    """Names in the wheel. Program, library and the rest go into the prefix of the environment, where the program and the module
    find them from where they are: wheels have no links, so the library has its soname only."""
    data, info, out = f"limber-{version}.data", f"limber-{version}.dist-info", {}
    for path in entries_of_tarball(stage).values():
        name = path.relative_to(stage)
        top = name.parts[0]
        if path.is_symlink() or top == "include" or "cmake" in name.parts or "pkgconfig" in name.parts:
            continue
        if top == "bin":
            out[f"{data}/scripts/{name.name}"] = path
        elif name.parts[:2] == ("lib", "python3"):  # examples have scripts, too, some with the name of a module
            out[f"limber/{name.name}"] = path
        else:
            out[f"{data}/data/{name}"] = path
    library = next(n for n in out if re.search(r"/liblimber\.so\.[0-9.]+$", n))
    soname = re.search(r"\(SONAME\).*\[(.*)\]", output("readelf", "-d", str(out[library])))[1]
    out[f"{data}/data/lib/{soname}"] = out.pop(library)
    for path in sorted(licenses.iterdir()):
        out[f"{info}/licenses/{path.name}"] = path
    return out, info


def write_wheel(path, entries, info, version, tag, when):
    stamp = time.gmtime(max(when, 315532800))[:6]  # zip begins in 1980
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        def add(name, content, mode=0o644):
            item = zipfile.ZipInfo(name, stamp)
            item.external_attr, item.compress_type, item.create_system = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED, 3
            z.writestr(item, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
        for name in sorted(entries):
            add(name, entries[name].read_bytes(), 0o755 if "/scripts/" in name or ".so" in name else 0o644)
        files = "".join(f"License-File: {n.split('/')[-1]}\n" for n in sorted(entries) if n.startswith(f"{info}/licenses/"))
        add(f"{info}/METADATA", METADATA.format(version=version, files=files).encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: limber\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        z.writestr(zipfile.ZipInfo(f"{info}/RECORD", stamp), "".join(record) + f"{info}/RECORD,,\n", zipfile.ZIP_DEFLATED)


def write_tarball(path, entries, top, when):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as t:
        for name in sorted(entries):
            item = t.gettarinfo(entries[name], f"{top}/{name}")
            item.uid = item.gid = 0
            item.uname = item.gname = "root"
            item.mtime, item.mode = when, 0o755 if item.mode & 0o100 or ".so" in name else 0o644
            with open(entries[name], "rb") as f:
                t.addfile(item, None if item.issym() else f)
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=when) as z:
        z.write(raw.getvalue())


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
    version = ".".join(re.findall(r"#define LIMBER_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)",
                                  (SOURCE / "include/limber/version.h").read_text()))
    when = int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct"))
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder) / "stage"
        licenses = install(build, stage)
        newest = (2, 17)
        for file in [stage / "bin/limber", *stage.glob("lib/limber/*.so"), *stage.glob("lib/liblimber.so.*")]:
            libraries, glibc = needs(file)
            if not libraries <= C_LIBRARY:
                sys.exit(f"wheel.py: {file.name} needs {', '.join(sorted(libraries - C_LIBRARY))}")
            newest = max(newest, glibc)
        tag = f"py3-none-manylinux_{newest[0]}_{newest[1]}_x86_64"
        wheel, tarball = out / f"limber-{version}-{tag}.whl", out / f"limber-{version}-linux-x86_64.tar.gz"
        write_wheel(wheel, *entries_of_wheel(stage, licenses, version), version, tag, when)
        write_tarball(tarball, entries_of_tarball(stage), f"limber-{version}-linux-x86_64", when)
    for file in (wheel, tarball):
        print(f"{file} {file.stat().st_size / 1e6:.1f} MB")


main()
