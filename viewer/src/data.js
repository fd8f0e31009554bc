// SPDX-License-Identifier: Apache-2.0
// The run in the page: a description in JSON, and arrays in base64.
const types = {u16: Uint16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array};

export function load() {
  const run = JSON.parse(document.getElementById('run').textContent);
  const text = atob(document.getElementById('bytes').textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const arrays = {};
  for (const [name, [type, offset, count, lo, hi]] of Object.entries(run.arrays)) {
    const values = new types[type](bytes.buffer, offset, count);
    arrays[name] = type === 'u16' ? unpack(values, lo, hi) : values;
  }
  run.arrays = arrays;
  return run;
}

// 16-bit numbers between the smallest and the largest value.
function unpack(q, lo, hi) {
  const out = new Float32Array(q.length), step = (hi - lo) / 65535;
  for (let i = 0; i < q.length; i++) out[i] = lo + q[i] * step;
  return out;
}

export const column = (run, i) => run.arrays.history.subarray(i * run.arrays.time.length, (i + 1) * run.arrays.time.length);

export function number(x) {
  if (!isFinite(x)) return '–';
  if (x === 0) return '0';
  const a = Math.abs(x);
  if (a >= 1e5 || a < 1e-3) return Number(x.toPrecision(3)).toExponential().replace('e+', 'e').replace(/-/g, '−');
  return String(Number(x.toPrecision(4))).replace('-', '−');
}

const powers = {'-1': '⁻¹', '-2': '⁻²', '-3': '⁻³', 2: '²', 3: '³'};
export const unit = u => !u || u === '1' ? '' : u.replace(/([a-zA-Z])(-?\d)/g, (_, a, p) => a + (powers[p] || p)).replace(/ /g, ' ');
export const withUnit = (name, u) => unit(u) ? `${name} [${unit(u)}]` : name;
