# SPDX-License-Identifier: Apache-2.0
# Draws figures/*.png and *.svg from results/*.csv; run by run.sh in this folder.
set datafile separator comma
set datafile columnheaders
set grid lt 1 lc rgb "#e4e4e4" lw 1
set border lw 1.2
set key Left reverse samplen 3 spacing 1.25

# one colour per scheme, from a palette that colour-blind readers can tell apart
set style line 1 lc rgb "#0072b2" lw 3   pt 6 ps 1.3 pi 12 # A, and what equals it
set style line 2 lc rgb "#e69f00" lw 2.5 pt 8 ps 1.3 pi 12
set style line 3 lc rgb "#009e73" lw 2.5 pt 10 ps 1.3 pi 12
set style line 4 lc rgb "#d55e00" lw 2.5 pt 2 ps 1.3 pi 12
set style line 5 lc rgb "#000000" lw 2.5 pt 4 ps 1.3 pi 12 # preserving
set style line 6 lc rgb "#888888" lw 1.5 dt 2              # leading terms, limits
pi2 = 2 * pi

do for [kind in "png svg"] {
  if (kind eq "png") { set terminal pngcairo size 1200,800 font "DejaVu Sans,16" } else { set terminal svg size 1200,800 font "DejaVu Sans,16" background "white" }
  set xlabel "h/T"
  set format x "%g"

  # ---- against generalized-alpha: Figs 2 to 4 of the beam paper ----
  set output sprintf("figures/radius_a.%s", kind)
  set title "Spectral radius: decaying A and generalized-{/Symbol a}"
  set logscale x
  set xrange [0.01:100]
  set yrange [0:1.05]
  set ylabel "spectral radius {/Symbol r}"
  set format y "%g"
  set key bottom left
  t = "results/spectral_radius.csv"
  plot t using "h_over_T":"preserving" with linespoints ls 5 title "preserving", \
       t using "h_over_T":"g_9" with linespoints ls 4 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0.9", \
       t using "h_over_T":"g_5" with linespoints ls 3 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0.5", \
       t using "h_over_T":"g_0" with linespoints ls 2 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0", \
       t using "h_over_T":"a" with linespoints ls 1 title "decaying A"

  set output sprintf("figures/period_a.%s", kind)
  set title "Relative period error: decaying A and generalized-{/Symbol a}"
  unset logscale x
  set xrange [0:0.4]
  set yrange [0:0.5]
  set ylabel "T_h/T - 1"
  set key top left
  t = "results/period_error.csv"
  plot t using "h_over_T":"g_0" with linespoints ls 2 pi 4 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0", \
       t using "h_over_T":"g_5" with linespoints ls 3 pi 4 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0.5", \
       t using "h_over_T":"g_9" with linespoints ls 4 pi 4 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0.9", \
       t using "h_over_T":"preserving" with linespoints ls 5 pi 4 title "preserving", \
       t using "h_over_T":"a" with linespoints ls 1 pi 4 title "decaying A", \
       (pi2 * x)**4 / 270 with lines ls 6 title "({/Symbol w}h)^4/270"

  set output sprintf("figures/damping_a.%s", kind)
  set title "Algorithmic damping: decaying A and generalized-{/Symbol a}"
  set yrange [0:0.1]
  set ylabel "damping ratio {/Symbol x}"
  set key at graph 0.37,0.98 left top samplen 2
  t = "results/damping.csv"
  plot t using "h_over_T":"g_0" with linespoints ls 2 pi 4 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0", \
       t using "h_over_T":"g_5" with linespoints ls 3 pi 4 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0.5", \
       t using "h_over_T":"g_9" with linespoints ls 4 pi 4 title "generalized-{/Symbol a}, {/Symbol r}_∞ = 0.9", \
       t using "h_over_T":"preserving" with linespoints ls 5 pi 4 title "preserving", \
       t using "h_over_T":"a" with linespoints ls 1 pi 4 title "decaying A", \
       (pi2 * x)**3 / 72 with lines ls 6 title "({/Symbol w}h)^3/72"

  set key samplen 3

  # ---- B and C: Figs 1 to 4 of Bottasso & Trainelli ----
  set output sprintf("figures/radius_b.%s", kind)
  set title "Spectral radius: decaying B"
  set logscale x
  set xrange [0.01:100]
  set yrange [0:1.05]
  set ylabel "spectral radius {/Symbol r}"
  set key bottom left
  t = "results/spectral_radius.csv"
  plot t using "h_over_T":"preserving" with linespoints ls 5 title "{/Symbol b} = 0: preserving", \
       t using "h_over_T":"b_216" with linespoints ls 4 title "{/Symbol b} = 1/216", \
       t using "h_over_T":"b_36" with linespoints ls 3 title "{/Symbol b} = 1/36", \
       t using "h_over_T":"b_6" with linespoints ls 1 title "{/Symbol b} = 1/6: decaying A"

  set output sprintf("figures/period_b.%s", kind)
  set title "Relative period error: decaying B"
  unset logscale x
  set xrange [0:0.4]
  set yrange [0:0.4]
  set ylabel "T_h/T - 1"
  set key top left
  t = "results/period_error.csv"
  plot t using "h_over_T":"preserving" with linespoints ls 5 pi 4 title "{/Symbol b} = 0: preserving", \
       t using "h_over_T":"b_216" with linespoints ls 4 pi 4 title "{/Symbol b} = 1/216", \
       t using "h_over_T":"b_36" with linespoints ls 3 pi 4 title "{/Symbol b} = 1/36", \
       t using "h_over_T":"b_6" with linespoints ls 1 pi 4 title "{/Symbol b} = 1/6: decaying A"

  set output sprintf("figures/radius_c.%s", kind)
  set title "Spectral radius: decaying C"
  set logscale x
  set xrange [0.01:100]
  set yrange [0:1.05]
  set ylabel "spectral radius {/Symbol r}"
  set key bottom left
  t = "results/spectral_radius.csv"
  plot t using "h_over_T":"c_1" with linespoints ls 5 title "{/Symbol r}_∞ = 1", \
       t using "h_over_T":"c_2_3" with linespoints ls 4 title "{/Symbol r}_∞ = 2/3", \
       t using "h_over_T":"c_1_3" with linespoints ls 3 title "{/Symbol r}_∞ = 1/3", \
       t using "h_over_T":"c_0" with linespoints ls 1 title "{/Symbol r}_∞ = 0: decaying A", \
       2.0 / 3 with lines ls 6 title "limits", 1.0 / 3 with lines ls 6 notitle

  set output sprintf("figures/period_c.%s", kind)
  set title "Relative period error: decaying C (note the scale)"
  unset logscale x
  set xrange [0:0.4]
  set yrange [0:0.1]
  set ylabel "T_h/T - 1"
  set key top left
  t = "results/period_error.csv"
  plot t using "h_over_T":"preserving" with linespoints ls 2 pi 4 title "preserving, for comparison", \
       t using "h_over_T":"c_0" with linespoints ls 1 pi 4 title "{/Symbol r}_∞ = 0: decaying A", \
       t using "h_over_T":"c_1_3" with linespoints ls 3 pi 4 title "{/Symbol r}_∞ = 1/3", \
       t using "h_over_T":"c_2_3" with linespoints ls 4 pi 4 title "{/Symbol r}_∞ = 2/3", \
       t using "h_over_T":"c_1" with linespoints ls 5 pi 4 title "{/Symbol r}_∞ = 1"

  # ---- order ----
  set output sprintf("figures/order.%s", kind)
  set title "Error of one step, |ln {/Symbol l}/(i{/Symbol w}h) - 1|: the slope is the order"
  set logscale xy
  set xrange [0.01:0.5]
  set yrange [1e-8:1]
  set format y "10^{%T}"
  set ylabel "relative error of frequency and damping"
  set key bottom right
  t = "results/error.csv"
  plot t using "h_over_T":"g_0" with linespoints ls 2 pi 8 title "generalized-{/Symbol a}(0): order 2", \
       t using "h_over_T":"g_5" with linespoints ls 3 pi 8 title "generalized-{/Symbol a}(0.5): order 2", \
       t using "h_over_T":"preserving" with linespoints ls 5 pi 8 title "preserving: order 2", \
       t using "h_over_T":"b_36" with linespoints lc rgb "#56b4e9" lw 2.5 pt 1 ps 1.3 pi 8 title "decaying B(1/36): order 2", \
       t using "h_over_T":"a" with linespoints ls 1 pi 8 title "decaying A = B(1/6) = C(0): order 3", \
       t using "h_over_T":"c_2_3" with linespoints ls 4 pi 8 title "decaying C(2/3): order 3", \
       t using "h_over_T":"c_1" with linespoints lc rgb "#cc79a7" lw 3 pt 12 ps 1.3 pi 8 title "decaying C(1): order 4"
  unset logscale
}
