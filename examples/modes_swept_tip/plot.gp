# SPDX-License-Identifier: Apache-2.0
set terminal pngcairo size 900,640 font "DejaVu Sans,11"
set output "figures/sweep.png"
set datafile separator ","
set xlabel "sweep of the tip [deg]"
set ylabel "frequency [Hz]"
set xrange [-1:46]
set yrange [0:65]
set xtics 15
set key outside right top
set grid lc rgb "#dddddd"
$measured << END
0,1.4,10.3,27.7,10.2,25.2,47.0,14.8,36.1,62.9
15,1.8,10.2,27.2,10.1,25.2,44.4,14.4,34.8,55.9
30,1.7,10.4,26.6,10.2,23.7,39.3,14.9,30.7,48.6
45,1.6,10.4,24.8,10.2,21.6,35.1,14.7,26.1,44.8
END
at(r, m) = sprintf("< awk -F, '$1 == %s && $3 == %d' results/sweep.csv", r, m)
plot for [i=1:3] for [m=1:5] at(word("0 500 750", i), m) using 2:4 with lines lw 1.5 lc i title m == 1 ? word("0 500 750", i)." rpm" : "", \
     for [i=1:3] for [k=1:3] $measured using 1:(column(1 + 3*(i - 1) + k)) with points pt 7 ps 1.2 lc i title i == 1 && k == 1 ? "measured" : ""
