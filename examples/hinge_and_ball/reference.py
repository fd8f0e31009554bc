#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The two boxes of hinge_and_ball.yaml, with nothing of Limber's: the angle of the hinge, and the rotation matrix and
angular velocity of the second box; Newton's and Euler's equations with the force in the ball joint as unknown; Runge-Kutta
steps of order 4. Prints the angle of the hinge and the height of the second box, for two lengths of step."""
import sys

import numpy as np

m, length, a, g = 2.0, 2.0, 0.2, 9.81
along, across = m * a * a / 6, m * (length**2 + a**2) / 12
inertia = np.diag([along, across, across])
hinge_inertia = across + m * (length / 2) ** 2
weight = np.array([0, 0, -m * g])


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rates(y):
    """y: angle, its rate, rotation matrix, angular velocity in ground axes. The first box points to (cos, 0, -sin)."""
    angle, rate, rotation, omega = y[0], y[1], y[2:11].reshape(3, 3), y[11:14]
    arm = length * np.array([np.cos(angle), 0, -np.sin(angle)])
    across_arm = length * np.array([-np.sin(angle), 0, -np.cos(angle)])
    lever = rotation @ np.array([length / 2, 0, 0])  # from the ball joint to the centre of the second box
    moments = rotation @ inertia @ rotation.T
    # Unknowns: angular acceleration of the hinge, force of the first box on the second, angular acceleration of the second.
    matrix, right = np.zeros((7, 7)), np.zeros(7)
    matrix[0, 0], matrix[0, 1:4] = hinge_inertia, across_arm
    right[0] = weight @ across_arm / 2
    matrix[1:4, 0], matrix[1:4, 1:4], matrix[1:4, 4:7] = m * across_arm, -np.eye(3), -m * skew(lever)
    right[1:4] = weight - m * (-arm * rate**2 + np.cross(omega, np.cross(omega, lever)))
    matrix[4:7, 1:4], matrix[4:7, 4:7] = skew(lever), moments
    right[4:7] = -np.cross(omega, moments @ omega)
    solution = np.linalg.solve(matrix, right)
    return np.concatenate([[rate, solution[0]], (skew(omega) @ rotation).ravel(), solution[4:7]])


def run(h, end):
    y = np.concatenate([[0.0, 0.0], [0, -1, 0, 1, 0, 0, 0, 0, 1], np.zeros(3)])
    for _ in range(round(end / h)):
        k1 = rates(y)
        k2 = rates(y + h / 2 * k1)
        k3 = rates(y + h / 2 * k2)
        k4 = rates(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    height = 5 - length * np.sin(y[0]) + (y[2:11].reshape(3, 3) @ [length / 2, 0, 0])[2]
    return y[0], height


end = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
for h in (1e-3, 5e-4):
    print("h = %g s: angle %.10f rad, height of the second box %.10f m" % ((h,) + run(h, end)))
