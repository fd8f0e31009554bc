# SPDX-License-Identifier: Apache-2.0
"""Reductions of large meshes that are kept between processes: they are found again, and nothing else is taken for them."""
import os
import pathlib
import struct

import pytest

from support import limber, write
from test_cli_inp import box, steel

MODEL = """limber: 1
meshes: {{bar: {{file: {mesh}}}}}
nodes: {{root: {{at: [0, 0, 0], kind: fixed}}}}
elements:
  - reduced_body: {{name: bar, mesh: bar.E, material: bar.Steel, modes: 0, interfaces: [{{group: bar.ROOT, node: root}}]}}
modes: {{count: 2}}
"""
HEAD = struct.Struct("<16sQQQ")
MASK = 2**64 - 1


@pytest.fixture(autouse=True)
def cache(folder, tmp_path, monkeypatch):
    for name, n in (("large", (40, 4, 4)), ("small", (20, 4, 4))):
        if not os.path.exists(name + ".yaml"):
            write(name + ".inp", box(n, (1, 0.05, 0.02)) + steel + "*Material, name=Light\n*Density\n2700.,\n*Elastic\n70e9, 0.3\n")
            write(name + ".yaml", MODEL.format(mesh=name + ".inp"))
    monkeypatch.setenv("LIMBER_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def modes(name="large.yaml", *words, ranks=1):
    said = limber("modes", name, "-o", "modes.h5", *words, ranks=ranks)
    assert said.code == 0, said.err
    return said.out


def files(cache):
    return sorted(p for p in cache.glob("*")) if cache.exists() else []


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def put(path, value, content=None):
    """The file with another value and the sum that belongs to it."""
    content = content or path.read_bytes()
    sign, key_size, _, _ = HEAD.unpack_from(content)
    body = content[HEAD.size:HEAD.size + key_size] + value
    total = 3
    for at in range(0, len(body), 8):
        total = mix(total + int.from_bytes(body[at:at + 8], "little") + 0x9E3779B97F4A7C15 & MASK)
    path.write_bytes(HEAD.pack(sign, key_size, len(value), total) + body)


def value_of(path):
    content = path.read_bytes()
    return content[HEAD.size + HEAD.unpack_from(content)[1]:]


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_reduction_is_found_again(cache, ranks):
    first = modes(ranks=ranks)
    kept, = files(cache)
    before = kept.stat().st_ino, kept.read_bytes()
    assert modes(ranks=ranks) == first
    assert (kept.stat().st_ino, kept.read_bytes()) == before
    assert (cache.stat().st_mode & 0o777, len(files(cache))) == (0o700, 1)


# three points, mass, places, stiffnesses: a body of four times the stiffness has twice the frequencies
def test_what_is_kept_is_what_is_used(cache):
    first = modes()
    kept, = files(cache)
    value = bytearray(value_of(kept))
    points = int(struct.unpack_from("<d", value)[0])
    at = 8 * (3 + 3 * points)
    for i in range(3 * points - 6):
        struct.pack_into("<d", value, at + 8 * i, 4 * struct.unpack_from("<d", value, at + 8 * i)[0])
    put(kept, bytes(value))

    def found(said):
        return [float(line.split()[1]) for line in said.splitlines() if line.split()[:1] and line.split()[0].isdigit()]
    assert found(modes()) == pytest.approx([2 * f for f in found(first)], rel=1e-5)


def spoil_sum(path):
    content = bytearray(path.read_bytes())
    content[-100] ^= 1
    path.write_bytes(content)


def spoil_key(path):
    content = bytearray(path.read_bytes())
    content[HEAD.size + 8 * 8] ^= 1
    put(path, value_of(path), bytes(content))


def of_number(index, number):
    def spoil(path):
        value = bytearray(value_of(path))
        struct.pack_into("<d", value, 8 * index, number)
        put(path, bytes(value))
    return spoil


def link(path):
    os.rename(path, path.parent.parent / "elsewhere")
    os.symlink(path.parent.parent / "elsewhere", path)


@pytest.mark.parametrize("spoil", [
    spoil_sum, spoil_key, link,
    lambda p: p.write_bytes(b""), lambda p: p.write_bytes(p.read_bytes()[:-8]), lambda p: p.write_bytes(p.read_bytes() + bytes(8)),
    lambda p: p.write_bytes(HEAD.pack(b"limber cache 1\n\0", 2**63, 2**63, 0)),
    lambda p: put(p, b""), lambda p: put(p, value_of(p)[:-8]), lambda p: put(p, value_of(p)[:-3]), lambda p: put(p, value_of(p) + bytes(8)),
    of_number(0, 1e9), of_number(0, -6), of_number(0, 12.5), of_number(0, 10), of_number(1, 0), of_number(1, float("nan")),
    of_number(200, float("inf")),
], ids=lambda f: getattr(f, "__name__", None))
def test_what_is_not_right_is_not_used(cache, spoil):
    first = modes()
    kept, = files(cache)
    spoil(kept)
    assert modes() == first


def test_a_folder_of_another_place_is_not_used(cache):
    os.mkdir(cache.parent / "other")
    os.symlink(cache.parent / "other", cache)
    modes()
    assert not os.listdir(cache.parent / "other")


def test_other_bodies_have_their_own(cache):
    modes()
    modes("large.yaml", "--set", "elements.bar.modes=1")
    modes("large.yaml", "--set", "elements.bar.hexahedra=enhanced")
    modes("large.yaml", "--set", "elements.bar.material=bar.Light")
    modes("large.yaml", "--set", "elements.bar.damping=1 %")  # not part of it
    assert len(files(cache)) == 4


def test_small_meshes_are_not_kept(cache):
    modes("small.yaml")
    assert not files(cache)


def test_nothing_is_kept_where_that_is_off(cache, monkeypatch):
    monkeypatch.setenv("LIMBER_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parent))
    modes()
    assert not os.path.exists(cache.parent / "limber")
    monkeypatch.delenv("LIMBER_CACHE")
    modes()
    assert len(list(pathlib.Path(cache.parent / "limber").glob("*"))) == 1


def test_the_oldest_make_room(cache):
    modes()
    kept, = files(cache)
    for i in range(5):
        with open(cache / f"value-{i}", "wb") as f:
            f.truncate(250 << 20)
        os.utime(cache / f"value-{i}", (1000 + i, 1000 + i))
    (cache / "mine").write_bytes(bytes(10))
    modes("large.yaml", "--set", "elements.bar.modes=1")
    left = [p.name for p in files(cache)]
    assert kept.name in left and "mine" in left and "value-0" not in left and "value-4" in left
    assert sum(p.stat().st_size for p in files(cache)) < 1 << 30
