# SPDX-License-Identifier: Apache-2.0
# Draws figures/stability.png and figures/work.png from results/*.csv; run by run.sh in this folder.
set datafile separator comma
set datafile columnheaders
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set key Left reverse samplen 3 spacing 1.25
set style line 1 lc rgb "#0072b2" lw 3   pt 7 ps 1.3 # exponential
set style line 2 lc rgb "#d55e00" lw 2.5 pt 8 ps 1.3 # the paper's
set style line 3 lc rgb "#e69f00" lw 2.5 pt 10 ps 1.3
set style line 4 lc rgb "#009e73" lw 2.5 pt 4 ps 1.3 # Newmark's
set style line 5 lc rgb "#000000" lw 2   pt 6 ps 1.3
set style line 6 lc rgb "#888888" lw 2   pt 2 ps 1.3
set terminal pngcairo size 1200,800 font "DejaVu Sans,16"

set output "figures/stability.png"
set title "Truss, tip in the slot: spectral radius of a step"
set xlabel "{/Symbol w}_{max} {/Symbol t}"
set ylabel "spectral radius"
set logscale x
set xrange [0.05:100]
set yrange [0.6:2]
set key top left
t = "results/stability.csv"
plot t using "omega_tau":"paper_stable_slot" with lines ls 3 title "exponential\\\_paper, stabilised", \
     t using "omega_tau":"paper_slot" with lines ls 2 title "exponential\\\_paper", \
     t using "omega_tau":"alpha_slot" with lines ls 6 title "generalized\\\_alpha, 0.5", \
     t using "omega_tau":"preserving_slot" with lines ls 5 title "preserving", \
     t using "omega_tau":"newmark_slot" with lines ls 4 dt 2 title "newmark\\\_paper", \
     t using "omega_tau":"exponential_slot" with lines ls 1 dt 3 title "exponential"

set output "figures/work.png"
set title "Truss, tip in the slot, 0.1 s: error against CPU time"
set xlabel "CPU time [s]"
set ylabel "error of all displacements, relative"
set logscale xy
set xrange [0.004:2]
set yrange [1e-11:1]
set format y "10^{%L}"
set key bottom left
w = "results/work.csv"
only(name) = sprintf("< grep -E '^(scheme|%s),' %s", name, w)
plot only("newmark") using 3:4 with linespoints ls 4 title "newmark\\\_paper", \
     only("alpha") using 3:4 with linespoints ls 6 title "generalized\\\_alpha, 0.5", \
     only("preserving") using 3:4 with linespoints ls 5 title "preserving", \
     only("paper") using 3:4 with linespoints ls 2 title "exponential\\\_paper", \
     only("exponential") using 3:4 with linespoints ls 1 title "exponential"
