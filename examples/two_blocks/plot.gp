# SPDX-License-Identifier: Apache-2.0
# Figure 17 of R. L. Taylor (2000): both blocks at eight times of a turn, from the polygons in the folder `work`; run by figures.sh.
set terminal pngcairo size 1200,680 font "DejaVu Sans,13"
set output "figures/positions.png"
set multiplot layout 2,4 title "Two blocks: positions during the first turn (figure 17 of Taylor 2000), x and y in m" margins 0.04,0.99,0.06,0.88 spacing 0.03,0.11
set size ratio -1
set xrange [-10:10]
set yrange [-10:10]
set tics 5 font ",10"
set grid lt 1 lc rgb "#e4e4e4"
unset key
do for [k = 0:7] {
  set title sprintf("%g s", 4 + 12 * k) font ",12" offset 0,-0.5
  plot work."/polygons" index 2*k with filledcurves fc rgb "#0072b2" fs transparent solid 0.35 border lc rgb "#0072b2", \
       "" index 2*k+1 with filledcurves fc rgb "#d55e00" fs transparent solid 0.35 border lc rgb "#d55e00", \
       "+" using (0):(0) every ::0::0 with points pt 1 ps 1.5 lw 2 lc rgb "#000000"
}
unset multiplot
