#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Writes directions.def from the table of Boost.Random: directions.py /usr/include/boost/random/detail/sobol_table.hpp
import re
import sys

DIMENSIONS = 128


def numbers(text, name):
    return [int(n) for n in re.search(name + r"\[[^]]*\] = \{([^}]*)\}", text).group(1).replace("\n", " ").split(",") if n.strip()]


text = open(sys.argv[1]).read()
degree = int(re.search(r"max_degree = (\d+)", text).group(1))
polynomial, start = numbers(text, "sobol_a"), numbers(text, "sobol_minit")
print("// Made by directions.py. Of each dimension after the first: the primitive polynomial, whose bits are its coefficients, and")
print("// the first direction numbers, as many as its degree.")
for i in range(DIMENSIONS - 1):
    n = polynomial[i].bit_length() - 1
    print(f"DIRECTION({polynomial[i]}, {', '.join(map(str, start[degree * i: degree * i + n]))})")
