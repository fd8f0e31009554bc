# SPDX-License-Identifier: Apache-2.0
"""Eigenvalues of Coleman and Feingold's rotor on a damped isotropic support, in the frame of the ground: roots of a polynomial of degree 4 with complex coefficients."""


def roots(c):  # Durand and Kerner; c[0] leads
    c = [x/c[0] for x in c]
    z = [(0.4 + 0.9j)**i*10 for i in range(len(c) - 1)]
    for _ in range(2000):
        for i, x in enumerate(z):
            value, below = 0, 1
            for a in c:
                value = value*x + a
            for j, y in enumerate(z):
                below *= x - y if i != j else 1
            z[i] = x - value/below
    return z


def eigenvalues(speed, e=0.3, rc=1.2, k=40, d=0.4, kh=8000, dh=30, mb=5, ib=3.2, mh=60, n=3):
    sb, i, m = mb*rc, ib + mb*rc**2, mh + n*mb
    lag, hub = (i, d - 2j*i*speed, k + e*sb*speed**2 - i*speed**2 - 1j*d*speed), (m, dh, kh)
    product = [sum(lag[a]*hub[s - a] for a in range(3) if 0 <= s - a <= 2) for s in range(5)]
    return roots([product[0] - n*sb**2/2] + product[1:])


if __name__ == "__main__":
    for s in (4, 10, 16, 20):
        for x in sorted(eigenvalues(s), key=lambda x: abs(x.imag)):
            print(f"{s:3} {x.real:.10g} {x.imag:.10g} Hz {abs(x.imag)/6.283185307179586:.10g}")
