# SPDX-License-Identifier: Apache-2.0
# The thrown cube of cube.yaml as an ordinary differential equation, computed on its own. One brick with an eighth of its mass at each
# corner moves as x = F(t) X; with the edge 2 h and S = mu (1 - C^-1) + lambda/2 (det C - 1) C^-1, C = F^T F,
#   rho h^2 F'' = -F S.
# Classical Runge-Kutta of order 4, 10000 steps and 20000; prints the corners g and b and how far both runs are apart.
import numpy as np

E, nu, rho, h, end = 1e5, 0.4, 1e3, 0.05, 0.1
lam, mu = E * nu / (1 + nu) / (1 - 2 * nu), E / 2 / (1 + nu)
G = np.array([[60, -30, 20], [40, -70, 10], [-20, -10, 20]], float)


def rate(y):
    F = y[:3]
    C = F.T @ F
    d, Ci = np.linalg.det(C), np.linalg.inv(C)
    S = mu * (np.eye(3) - Ci) + lam / 2 * (d - 1) * Ci
    return np.vstack([y[3:], -F @ S / (rho * h * h)])


def run(n):
    y, t = np.vstack([np.eye(3), G]), end / n
    low, high = 9.0, 0.0
    for i in range(n):
        k1 = rate(y)
        k2 = rate(y + t / 2 * k1)
        k3 = rate(y + t / 2 * k2)
        k4 = rate(y + t * k3)
        y = y + t / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if i % 100 == 0:
            s = np.linalg.svd(y[:3], compute_uv=False)
            low, high = min(low, s[-1]), max(high, s[0])
    return y, low, high


coarse, _, _ = run(10000)
fine, low, high = run(20000)
X = {"g": np.array([h, h, h]), "b": np.array([h, -h, -h])}
for name, x in X.items():
    print(name, *("%.9f" % v for v in fine[:3] @ x))
print("principal stretches from %.3f to %.3f; halving the step moves F by %.1e" % (low, high, abs(fine - coarse)[:3].max()))
