# SPDX-License-Identifier: Apache-2.0
# Draws what sweeps over steps and loads found, results/*.csv; run by run.sh in this folder.
set datafile separator comma
set datafile columnheaders
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set key Left reverse samplen 2.5 spacing 1.2 noopaque

# one colour per scheme, from a palette that colour-blind readers can tell apart
set style line 1 lc rgb "#e69f00" lw 2.5 pt 4 ps 1.2  # generalized-alpha
set style line 2 lc rgb "#009e73" lw 2.5 pt 12 ps 1.3 # preserving
set style line 3 lc rgb "#0072b2" lw 2.5 pt 7 ps 1.0  # decaying A
set style line 4 lc rgb "#cc79a7" lw 2.5 pt 9 ps 1.2  # decaying C
set style line 5 lc rgb "#d55e00" lw 2.5 pt 6 ps 1.2
set style line 7 lc rgb "#888888" lw 1.5 dt 2         # slopes

array scheme[4] = ["generalized_alpha", "preserving", "decaying_a", "decaying_c"]
array name[4] = ["generalized-{/Symbol a}", "preserving", "decaying A", "decaying C"]
is(i) = stringcolumn("scheme") eq scheme[i] ? column("steps") : NaN
within(from, x) = x >= from && x <= 16000 ? 1 : NaN
decades = "set xtics ('250' 250, '' 500, '1000' 1000, '' 2000, '4000' 4000, '' 8000, '16000' 16000)"

do for [kind in "png svg"] {
  low = kind eq "png" ? "pngcairo size 1350,640 font 'DejaVu Sans,15'" : "svg size 1350,640 font 'DejaVu Sans,16' background 'white'"
  high = kind eq "png" ? "pngcairo size 1350,1150 font 'DejaVu Sans,14'" : "svg size 1350,1150 font 'DejaVu Sans,15' background 'white'"

  # ---- Figs 6 and 7 ----
  eval "set terminal ".low
  set output sprintf("figures/convergence.%s", kind)
  set multiplot layout 1,3 title "Errors at 0.25 s against each scheme's own 32000 steps; 4 cubic elements"
  array error[3] = ["u_error", "v_error", "M_error"]
  array what[3] = ["tip displacement (Fig. 6)", "tip velocity (Fig. 7)", "root moment (Fig. 7)"]
  array bottom[3] = [5e-10, 1e-6, 1e-6]
  array top[3] = [1e-3, 1e-1, 1e0]
  array two[3] = [6e-5, 6e-3, 6e-1]
  array three[3] = [8e-8, 4e-5, 2.5e-3]
  set logscale xy
  set format y "10^{%T}"
  eval decades
  set xlabel "steps"
  set xrange [200:20000]
  do for [j = 1:3] {
    set title what[j]
    if (j == 3) { set key bottom left } else { unset key }
    if (j == 1) { set ylabel "relative error" } else { unset ylabel }
    set yrange [bottom[j]:top[j]]
    plot for [i = 1:4] "results/convergence.csv" using (is(i)):(column(error[j])) with linespoints ls i title name[i], \
         within(1000, x) * two[j] * (1000. / x)**2 with lines ls 7 title "order 2", \
         within(4000, x) * three[j] * (4000. / x)**3 with lines ls 7 dt 4 title "order 3"
  }
  unset multiplot

  # ---- the order of the decaying schemes ----
  eval "set terminal ".high
  set output sprintf("figures/order.%s", kind)
  set multiplot layout 2,2
  set logscale xy
  set format x "10^{%T}"
  set format y "10^{%T}"
  set xtics autofreq
  set title "(a) decaying A in the limit of a small load: every mode has order 3"
  set xlabel "steps"
  set ylabel "relative error"
  set xrange [200:1.5e6]
  set yrange [1e-15:1]
  set key bottom left
  plot "results/order_linear.csv" using "steps":"decaying_a_M" with linespoints ls 5 pt 0 title "root moment, sum over modes", \
       "" using "steps":"decaying_a_v" with linespoints ls 2 pt 0 title "tip velocity", \
       "" using "steps":(column("steps") < 4e5 ? column("decaying_a_u") : NaN) with linespoints ls 3 pt 0 title "tip displacement", \
       "" using "steps":"program_M" with points ls 5 title "Limber with 10^{-5} of the load", \
       "" using "steps":"program_v" with points ls 2 pt 6 notitle, \
       "" using "steps":"program_u" with points ls 3 pt 6 notitle, \
       (x > 6e4 ? 2.5e-7 * (1e6 / x)**3 : NaN) with lines ls 7 dt 4 title "order 3", \
       (x < 2500 ? 1.3e-5 * (250 / x)**3 : NaN) with lines ls 7 dt 4 notitle

  set title "(b) which modes carry the error of tip velocity"
  set xlabel "frequency of the mode [rad/s]"
  set ylabel "velocity [m/s]"
  set xrange [200:1e5]
  set yrange [1e-11:1]
  set key bottom left
  plot "results/order_modes.csv" using "omega":"velocity_exact" with linespoints ls 7 dt 1 pt 2 ps 0.7 title "the mode's share of the motion", \
       "" using "omega":"velocity_error_1000" with linespoints ls 3 ps 0.8 title "its error with 1000 steps", \
       "" using "omega":"velocity_error_16000" with linespoints ls 5 ps 0.8 title "with 16000 steps"

  set title "(c) smooth load: parts of the error of the turn at 1000 steps"
  set xlabel "load"
  set ylabel "error [rad]"
  set xrange [0.1:1.2]
  set yrange [1e-8:2e-5]
  set format x "%g"
  set xtics (0.125, 0.25, 0.5, 1)
  set key top left
  whole(c) = column("stiffness") == 1 && column("load") > 0.1 ? column(c) : NaN
  plot "results/order_parts.csv" using "load":(whole("turn_h3")) with linespoints ls 3 title "h^3 part", \
       "" using "load":(whole("turn_h2")) with linespoints ls 5 title "h^2 part", \
       4.0e-6 * x with lines ls 7 title "load", \
       8.5e-6 * x**3 with lines ls 7 dt 4 title "load^3"

  set title "(d) what is left when each cause is taken away, decaying A"
  set xlabel "steps"
  set ylabel "relative error of tip displacement"
  set xrange [200:20000]
  set yrange [2e-9:1e-2]
  eval decades
  set key top right
  smooth(p, load, stiff) = stringcolumn("scheme") eq "decaying_a" && stringcolumn("pulse") eq p && column("load") == load && column("stiffness") == stiff ? column("steps") : NaN
  bar(c) = stringcolumn("model") eq "frame at the tip" && stringcolumn("scheme") eq "decaying_a" ? column(c) : NaN
  plot "results/convergence.csv" using (is(3)):"u_error_common" with linespoints ls 3 title "the paper's load, nonlinear", \
       "results/order_rigid.csv" using "steps":(bar("u_error")) with linespoints ls 1 title "rigid bar: order 2", \
       "results/order_smooth.csv" using (smooth("sampled", 1, 1)):(column("u_difference") / 3.78) with linespoints ls 5 title "smooth load, sampled: order 2", \
       "" using (smooth("smooth", 1, 1)):(column("u_difference") / 3.78) with linespoints ls 4 title "smooth load, right mean: between", \
       "" using (smooth("smooth", 1e-4, 1)):(column("u_difference") / 4.37e-4) with linespoints ls 2 title "and 10^{-4} of it: order 3"
  unset multiplot
  unset logscale
  set format "%g"
}
