# SPDX-License-Identifier: Apache-2.0
"""Coleman and Feingold's rotor in the rotating frame, Z = hub, zeta = sum of lag angles times e^(i psi):
(M (p + i w)^2 + kh) Z + i S (p + i w)^2 zeta = 0,   3/(2i) S (p + i w)^2 Z + (I p^2 + w^2 e S + k) zeta = 0."""
import numpy

e, rc, k, kh, mb, ib, mh = 0.3, 1.2, 40, 8000, 5, 3.2, 60
S, I, M = mb * rc, ib + mb * rc ** 2, mh + 3 * mb
for w in (0, 4, 8, 10, 12, 16, 20, 24):
    square = numpy.poly1d([1, 1j * w]) ** 2
    det = (M * square + kh) * numpy.poly1d([I, 0, w ** 2 * e * S + k]) - 1.5 * S ** 2 * square ** 2
    both = sorted(det.roots, key=lambda p: (abs(p.imag), p.real))
    print(w, " ".join(f"{p.real:+.10g}{p.imag:+.10g}i" for p in both), f"collective {((w ** 2 * e * S + k) / I) ** 0.5:.10g}")
