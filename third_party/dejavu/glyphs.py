# SPDX-License-Identifier: Apache-2.0
"""glyphs.py DejaVuSans.ttf > glyphs.def: outlines of the letters that pictures are written with, as C source.

A line is GLYPH(code, advance, path): the path in M (begin), L (line) and Q (quadratic curve), in units of 1/2048 of the
size, y upwards; every contour is closed."""
import struct
import sys

CODES = [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x391, 0x3CA), *range(0x410, 0x450), *range(0x2074, 0x207F),
         *range(0x2080, 0x208A), 0x2070, *map(ord, "ϑϕЁё–—‘’“”„•…′″€←↑→↓∂∆∑−√∞∫≈≠≤≥⟂�")]


class Font:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        count, = struct.unpack_from(">H", self.data, 4)
        self.table = {}
        for i in range(count):
            tag, _, at, _ = struct.unpack_from(">4sIII", self.data, 12 + 16 * i)
            self.table[tag.decode()] = at
        self.long = struct.unpack_from(">h", self.data, self.table["head"] + 50)[0]
        self.metrics = struct.unpack_from(">H", self.data, self.table["hhea"] + 34)[0]
        self.codes = self.read_codes()

    def read_codes(self):
        """From characters to glyphs: the part of the table in format 4."""
        at = self.table["cmap"]
        for i in range(struct.unpack_from(">H", self.data, at + 2)[0]):
            sub = at + struct.unpack_from(">I", self.data, at + 8 + 8 * i)[0]
            if struct.unpack_from(">H", self.data, sub)[0] == 4:
                break
        n = struct.unpack_from(">H", self.data, sub + 6)[0] // 2
        words = lambda k: struct.unpack_from(">%dH" % n, self.data, sub + 14 + 2 * n * k + (2 if k else 0))
        end, start, delta, offset = words(0), words(1), words(2), words(3)
        out = {}
        for i in range(n):
            for code in range(start[i], end[i] + 1):
                glyph = code
                if offset[i]:
                    place = sub + 16 + 6 * n + 2 * i + offset[i] + 2 * (code - start[i])
                    glyph = struct.unpack_from(">H", self.data, place)[0]
                if glyph or not offset[i]:
                    out[code] = (glyph + delta[i]) & 0xFFFF
        return out

    def advance(self, glyph):
        return struct.unpack_from(">H", self.data, self.table["hmtx"] + 4 * min(glyph, self.metrics - 1))[0]

    def contours(self, glyph):
        """Lists of (x, y, on the curve)."""
        form, size = (">II", 4) if self.long else (">HH", 2)
        a, b = struct.unpack_from(form, self.data, self.table["loca"] + size * glyph)
        if not self.long:
            a, b = 2 * a, 2 * b
        if a == b:
            return []
        at = self.table["glyf"] + a
        count, = struct.unpack_from(">h", self.data, at)
        return self.simple(at + 10, count) if count >= 0 else self.composite(at + 10)

    def simple(self, at, count):
        ends = struct.unpack_from(">%dH" % count, self.data, at)
        at += 2 * count
        at += 2 + struct.unpack_from(">H", self.data, at)[0]
        flags = []
        while len(flags) <= ends[-1]:
            flag, at = self.data[at], at + 1
            flags.append(flag)
            if flag & 8:
                flags += [flag] * self.data[at]
                at += 1
        axes = []
        for short, same in (2, 16), (4, 32):
            value, values = 0, []
            for flag in flags:
                if flag & short:
                    value += self.data[at] if flag & same else -self.data[at]
                    at += 1
                elif not flag & same:
                    value += struct.unpack_from(">h", self.data, at)[0]
                    at += 2
                values.append(value)
            axes.append(values)
        points = [(x, y, flag & 1) for x, y, flag in zip(*axes, flags)]
        return [points[a:b + 1] for a, b in zip([0, *[e + 1 for e in ends]], ends)]

    def composite(self, at):
        out, flags = [], 0x20
        while flags & 0x20:
            flags, glyph = struct.unpack_from(">HH", self.data, at)
            form, size = (">hh", 4) if flags & 1 else (">bb", 2)
            dx, dy = struct.unpack_from(form, self.data, at + 4)
            at += 4 + size
            matrix = [1, 0, 0, 1]
            n = 1 if flags & 8 else 2 if flags & 0x40 else 4 if flags & 0x80 else 0
            values = [v / 16384 for v in struct.unpack_from(">%dh" % n, self.data, at)]
            at += 2 * n
            if n == 1:
                matrix = [values[0], 0, 0, values[0]]
            elif n == 2:
                matrix = [values[0], 0, 0, values[1]]
            elif n == 4:
                matrix = values
            a, b, c, d = matrix
            out += [[(round(a * x + c * y + dx), round(b * x + d * y + dy), on) for x, y, on in contour]
                    for contour in self.contours(glyph)]
        return out


def path(contours):
    out = ""
    for points in contours:
        full = []  # with the points between two that lie off the curve
        for i, (x, y, on) in enumerate(points):
            px, py, before = points[i - 1]
            if not on and not before:
                full.append(((x + px) // 2, (y + py) // 2, 1))
            full.append((x, y, on))
        first = next(i for i, point in enumerate(full) if point[2])
        full = full[first:] + full[:first + 1]
        out += "M%d %d" % full[0][:2]
        i = 1
        while i < len(full):
            if full[i][2]:
                out += "L%d %d" % full[i][:2]
                i += 1
            else:
                out += "Q%d %d %d %d" % (*full[i][:2], *full[i + 1][:2])
                i += 2
    return out


font = Font(sys.argv[1])
print("// Outlines of DejaVu Sans 2.37, made by glyphs.py; licence: LICENSE.txt")
for code in sorted(set(CODES)):
    if code in font.codes:
        print('GLYPH(0x%X, %d, "%s")' % (code, font.advance(font.codes[code]), path(font.contours(font.codes[code]))))
