// SPDX-License-Identifier: Apache-2.0
// What has a length: beams as their section carried along, cables and bars as tubes.
import {BufferAttribute, BufferGeometry, Mesh, ShapeUtils, Vector2} from 'three';

// Corners of the closed lines of an outline with their normals in the plane of the section. Round lines are smooth.
function ring(lines) {
  const out = [], pieces = [];
  for (const line of lines) {
    const n = line.length / 2, round = n > 16, start = out.length;
    const normal = i => {
      const a = 2 * (i % n), b = 2 * ((i + 1) % n), y = line[b + 1] - line[a + 1], z = line[a] - line[b], l = Math.hypot(y, z) || 1;
      return [y / l, z / l];
    };
    for (let i = 0; i < n; i++) {
      const N = normal(i), M = normal(i + n - 1), [y0, z0] = [line[2 * i], line[2 * i + 1]], j = (i + 1) % n;
      if (round) {
        const l = Math.hypot(N[0] + M[0], N[1] + M[1]) || 1;
        out.push([y0, z0, (N[0] + M[0]) / l, (N[1] + M[1]) / l]);
        pieces.push([start + i, start + j]);
      } else {
        out.push([y0, z0, ...N], [line[2 * j], line[2 * j + 1], ...N]);
        pieces.push([out.length - 2, out.length - 1]);
      }
    }
  }
  return {corners: out, pieces};
}

const area = line => {
  let sum = 0;
  for (let i = 0, n = line.length; i < n; i += 2) sum += line[i] * line[(i + 3) % n] - line[(i + 2) % n] * line[i + 1];
  return sum / 2;
};

// Triangles between corners of the lines: holes belong to the line before them.
function cap(lines) {
  const faces = [], corners = [];
  for (let l = 0; l < lines.length; l++) {
    if (area(lines[l]) < 0) continue;
    const loops = [lines[l]];
    while (l + 1 < lines.length && area(lines[l + 1]) < 0) loops.push(lines[++l]);
    const at = corners.length, points = loops.map(line => {
      const p = [];
      for (let i = 0; i < line.length; i += 2) p.push(new Vector2(line[i], line[i + 1])), corners.push([line[i], line[i + 1], 0, 0]);
      return p;
    });
    for (const f of ShapeUtils.triangulateShape(points[0], points.slice(1))) faces.push(f.map(i => i + at));
  }
  return {corners, faces};
}

// The section at a place: of the station before it, or between two of the same kind.
function sections(item, n, scale) {
  const all = item.section.length ? item.section : [{at: 0, lines: [[-1e-9, -1e-9, 1e-9, -1e-9, 1e-9, 1e-9, -1e-9, 1e-9]]}];
  const same = all.every(s => s.lines.length === all[0].lines.length && s.lines.every((l, i) => l.length === all[0].lines[i].length));
  return Array.from({length: n}, (_, k) => {
    const at = n > 1 ? k / (n - 1) : 0;
    let i = 0;
    while (i + 2 < all.length && all[i + 1].at <= at) i++;
    const a = all[i], b = same && all[i + 1] ? all[i + 1] : a, f = b.at > a.at ? Math.min(1, Math.max(0, (at - a.at) / (b.at - a.at))) : 0;
    return a.lines.map((line, l) => line.map((x, c) => scale * ((1 - f) * x + f * b.lines[l][c])));
  });
}

export function extent(item) {
  let most = 0;
  for (const s of item.section || []) for (const line of s.lines) {
    for (let d = 0; d < 2; d++) {
      const x = line.filter((_, i) => i % 2 === d);
      most = Math.max(most, Math.max(...x) - Math.min(...x));
    }
  }
  return most;
}

export class Line {
  // radius: of what has no section
  constructor(run, item, material, {scale = 1, radius = 0}) {
    const n = item.stations, beam = item.visual === 'beam' && item.section.length;
    const round = Array.from({length: 20}, (_, i) => radius * (i % 2 ? Math.sin : Math.cos)(Math.PI * (i >> 1) / 5));
    const lines = beam ? sections(item, n, scale) : Array.from({length: n}, () => [round]);
    this.run = run, this.item = item, this.n = n, this.axes = item.visual === 'beam';
    const first = ring(lines[0]), m = first.corners.length, lid = cap(lines[0]), c = lid.corners.length;
    this.rings = lines.map(l => ring(l).corners);
    this.lids = [lid.corners, cap(lines[n - 1]).corners];
    this.m = m, this.c = c;
    const index = [];
    for (let k = 0; k + 1 < n; k++)
      for (const [a, b] of first.pieces) {
        const p = k * m;
        index.push(p + a, p + b, p + m + a, p + b, p + m + b, p + m + a); // seen from outside anticlockwise
      }
    for (let end = 0; end < 2; end++)
      for (const [a, b, d] of lid.faces) {
        const p = n * m + end * c;
        index.push(p + a, p + (end ? b : d), p + (end ? d : b));
      }
    const count = n * m + 2 * c;
    const g = new BufferGeometry();
    this.position = new BufferAttribute(new Float32Array(3 * count), 3);
    this.normal = new BufferAttribute(new Float32Array(3 * count), 3);
    this.colour = new BufferAttribute(new Float32Array(3 * count).fill(1), 3);
    g.setAttribute('position', this.position).setAttribute('normal', this.normal).setAttribute('color', this.colour).setIndex(index);
    this.mesh = new Mesh(g, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.frames = new Float32Array(12 * n);
  }

  // Place and three axes at each station; what has no axes gets some that turn as little as they can.
  place(values) {
    const s = this.run.arrays.station, f = this.frames;
    for (let k = 0; k < this.n; k++) {
      const c = 3 * s[4 * (this.item.station + k)];
      for (let d = 0; d < (this.axes ? 12 : 3); d++) f[12 * k + d] = values[c + d];
    }
    for (let k = 0; k < this.n; k++) {
      const p = 12 * k;
      if (this.axes) {
        orthonormal(f, p + 3, p + 6, p + 9);
        continue;
      }
      const a = 12 * Math.max(0, k - 1), b = 12 * Math.min(this.n - 1, k + 1);
      for (let d = 0; d < 3; d++) f[p + 3 + d] = f[b + d] - f[a + d];
      const old = k ? 12 * (k - 1) + 6 : -1, t = [Math.abs(f[p + 3]), Math.abs(f[p + 4]), Math.abs(f[p + 5])];
      for (let d = 0; d < 3; d++) f[p + 6 + d] = old >= 0 ? f[old + d] : +(t[d] === Math.min(...t));
      orthonormal(f, p + 3, p + 6, p + 9);
    }
  }

  update(values) {
    this.place(values);
    const f = this.frames, P = this.position.array, N = this.normal.array;
    for (let k = 0, v = 0; k < this.n; k++) {
      const p = 12 * k;
      for (const [y, z, ny, nz] of this.rings[k]) {
        for (let d = 0; d < 3; d++) P[v + d] = f[p + d] + y * f[p + 6 + d] + z * f[p + 9 + d], N[v + d] = ny * f[p + 6 + d] + nz * f[p + 9 + d];
        v += 3;
      }
    }
    for (let end = 0, v = 3 * this.n * this.m; end < 2; end++) {
      const p = end ? 12 * (this.n - 1) : 0;
      for (const [y, z] of this.lids[end]) {
        for (let d = 0; d < 3; d++) P[v + d] = f[p + d] + y * f[p + 6 + d] + z * f[p + 9 + d], N[v + d] = (end ? 1 : -1) * f[p + 3 + d];
        v += 3;
      }
    }
    this.position.needsUpdate = this.normal.needsUpdate = true;
  }

  // colour(station, rgb): of each station
  paint(colour) {
    const C = this.colour.array, rgb = [1, 1, 1];
    for (let k = 0; k < this.n; k++) {
      colour(k, rgb);
      for (let i = 3 * k * this.m; i < 3 * (k + 1) * this.m; i += 3) C[i] = rgb[0], C[i + 1] = rgb[1], C[i + 2] = rgb[2];
    }
    for (let end = 0; end < 2; end++) {
      colour(end ? this.n - 1 : 0, rgb);
      const v = this.n * this.m + end * this.c;
      for (let i = 3 * v; i < 3 * (v + this.c); i += 3) C[i] = rgb[0], C[i + 1] = rgb[1], C[i + 2] = rgb[2];
    }
    this.colour.needsUpdate = true;
  }
}

// e1 keeps its direction, e2 its plane.
function orthonormal(f, a, b, c) {
  const l = Math.hypot(f[a], f[a + 1], f[a + 2]) || 1;
  for (let d = 0; d < 3; d++) f[a + d] /= l;
  const dot = f[a] * f[b] + f[a + 1] * f[b + 1] + f[a + 2] * f[b + 2];
  for (let d = 0; d < 3; d++) f[b + d] -= dot * f[a + d];
  const m = Math.hypot(f[b], f[b + 1], f[b + 2]) || 1;
  for (let d = 0; d < 3; d++) f[b + d] /= m;
  f[c] = f[a + 1] * f[b + 2] - f[a + 2] * f[b + 1];
  f[c + 1] = f[a + 2] * f[b] - f[a] * f[b + 2];
  f[c + 2] = f[a] * f[b + 1] - f[a + 1] * f[b];
}
