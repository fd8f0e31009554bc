// SPDX-License-Identifier: Apache-2.0
// Where everything is at a time. Between two frames positions are cubics through positions and velocities, quaternions
// likewise with angular velocities; a velocity that has little to do with the way from frame to frame, as of a fast
// vibration, is held back, so that it cannot throw the curve off.
export class Motion {
  constructor(run) {
    const a = run.arrays;
    this.a = a;
    this.times = a.frame;
    this.vectors = Float32Array.from(a.reference); // r, d1, d2, d3 of each node
    this.speed = new Float32Array(a.reference.length / 12);
    this.spin = new Float32Array(this.speed.length);
    this.values = new Float32Array(3 * a.combination_end.length); // of all combinations
    this.at(this.times[0]);
  }

  get first() { return this.times[0]; }
  get last() { return this.times[this.times.length - 1]; }

  frame(t) {
    let lo = 0, hi = this.times.length - 1;
    if (hi < 1) return [0, 0, 0, 0];
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (this.times[mid] <= t) lo = mid; else hi = mid;
    }
    const h = this.times[hi] - this.times[lo];
    return [lo, hi, h > 0 ? Math.min(1, Math.max(0, (t - this.times[lo]) / h)) : 0, h];
  }

  at(t) {
    const [i, j, s, h] = this.frame(t);
    this.now = [i, j, s];
    this.places(i, j, s, h);
    this.turns(i, j, s, h);
    this.combine();
  }

  places(i, j, s, h) {
    const {moving, x0, x1, x2, v0, v1, v2} = this.a, n = moving.length, X = [x0, x1, x2], V = [v0, v1, v2];
    const m = [0, 0, 0], k = [0, 0, 0], c = [0, 0, 0];
    for (let a = 0; a < n; a++) {
      const node = moving[a], p = i * n + a, q = j * n + a;
      let chord = 0, before = 0, after = 0;
      for (let d = 0; d < 3; d++) {
        c[d] = X[d][q] - X[d][p], m[d] = h * V[d][p] - c[d], k[d] = h * V[d][q] - c[d];
        chord += c[d] * c[d], before += m[d] * m[d], after += k[d] * k[d];
      }
      const f = before > chord ? Math.sqrt(chord / before) : 1, g = after > chord ? Math.sqrt(chord / after) : 1;
      const u = s * (1 - s);
      for (let d = 0; d < 3; d++)
        this.vectors[12 * node + d] = X[d][p] + s * c[d] + u * ((1 - s) * f * m[d] - s * g * k[d]);
      this.speed[node] = (1 - s) * Math.hypot(v0[p], v1[p], v2[p]) + s * Math.hypot(v0[q], v1[q], v2[q]);
    }
  }

  turns(i, j, s, h) {
    const {turning, q0, q1, q2, q3, w0, w1, w2} = this.a, n = turning.length;
    for (let a = 0; a < n; a++) {
      const p = i * n + a, r = j * n + a, A = [q0[p], q1[p], q2[p], q3[p]], B = [q0[r], q1[r], q2[r], q3[r]];
      const wa = [w0[p], w1[p], w2[p]], wb = [w0[r], w1[r], w2[r]];
      this.spin[turning[a]] = (1 - s) * Math.hypot(...wa) + s * Math.hypot(...wb);
      // the sign of B is that of A carried on by the mean angular velocity
      const mean = wa.map((w, d) => 0.5 * (w + wb[d])), guess = advance(A, mean, h);
      if (guess[0] * B[0] + guess[1] * B[1] + guess[2] * B[2] + guess[3] * B[3] < 0) for (let d = 0; d < 4; d++) B[d] = -B[d];
      const ra = rate(A, wa), rb = rate(B, wb), m = [], k = [];
      let chord = 0, before = 0, after = 0;
      for (let d = 0; d < 4; d++) {
        const c = B[d] - A[d];
        m[d] = h * ra[d] - c, k[d] = h * rb[d] - c;
        chord += c * c, before += m[d] * m[d], after += k[d] * k[d];
      }
      const f = before > chord ? Math.sqrt(chord / before) : 1, g = after > chord ? Math.sqrt(chord / after) : 1, u = s * (1 - s);
      const Q = A.map((x, d) => x + s * (B[d] - x) + u * ((1 - s) * f * m[d] - s * g * k[d]));
      axes(Q, this.vectors, 12 * turning[a] + 3);
    }
  }

  combine() {
    const {combination_end: end, combination_vector: vector, combination_factor: factor} = this.a, V = this.vectors, out = this.values;
    for (let c = 0, k = 0; c < end.length; c++) {
      let x = 0, y = 0, z = 0;
      for (; k < end[c]; k++) {
        const f = factor[k], v = 3 * vector[k];
        x += f * V[v], y += f * V[v + 1], z += f * V[v + 2];
      }
      out[3 * c] = x, out[3 * c + 1] = y, out[3 * c + 2] = z;
    }
  }

  get(c, out) { return out.set(this.values[3 * c], this.values[3 * c + 1], this.values[3 * c + 2]); }

  // The value of an array of cells, [frame][cell], at the present time.
  cell(array, count, c) {
    const [i, j, s] = this.now;
    return (1 - s) * array[i * count + c] + s * array[j * count + c];
  }

  // Combinations that are places: they follow the positions of nodes, but not those of the ground alone.
  places_of() {
    const {combination_end: end, combination_vector: vector, combination_factor: factor} = this.a, out = [];
    for (let c = 0, k = 0; c < end.length; c++) {
      let sum = 0;
      for (; k < end[c]; k++) if (vector[k] % 4 === 0) sum += factor[k];
      if (Math.abs(sum - 1) < 1e-4) out.push(c);
    }
    return out;
  }

  // Times of at most so many frames, evenly spaced.
  spread(most) {
    const n = Math.min(most, this.times.length);
    return Array.from({length: n}, (_, k) => this.times[n > 1 ? Math.round(k * (this.times.length - 1) / (n - 1)) : 0]);
  }

  // Places of all that is drawn at these times, three numbers each.
  cloud(times, extra) {
    const out = [], places = this.places_of();
    for (const t of times) {
      this.at(t);
      for (const i of this.a.moving) out.push(this.vectors[12 * i], this.vectors[12 * i + 1], this.vectors[12 * i + 2]);
      for (const c of places) out.push(this.values[3 * c], this.values[3 * c + 1], this.values[3 * c + 2]);
      if (extra) extra(out);
    }
    this.at(this.first);
    return out;
  }
}

// dq/dt = w q/2, with w in ground axes.
function rate([a, b, c, d], [x, y, z]) {
  return [-0.5 * (x * b + y * c + z * d), 0.5 * (x * a + y * d - z * c), 0.5 * (y * a + z * b - x * d), 0.5 * (z * a + x * c - y * b)];
}

function advance(q, w, h) {
  const angle = 0.5 * h * Math.hypot(...w);
  if (angle < 1e-12) return q;
  const r = rate(q, w), f = Math.sin(angle) / angle * h;
  return q.map((x, d) => Math.cos(angle) * x + f * r[d]);
}

function axes(q, out, at) {
  const l = Math.hypot(...q) || 1, [a, b, c, d] = q.map(x => x / l);
  out[at] = 1 - 2 * (c * c + d * d), out[at + 1] = 2 * (b * c + a * d), out[at + 2] = 2 * (b * d - a * c);
  out[at + 3] = 2 * (b * c - a * d), out[at + 4] = 1 - 2 * (b * b + d * d), out[at + 5] = 2 * (c * d + a * b);
  out[at + 6] = 2 * (b * d + a * c), out[at + 7] = 2 * (c * d - a * b), out[at + 8] = 1 - 2 * (b * b + c * c);
}
