#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a bare Debian 12 to the pendulum that moves in a browser, timed: writes docs/first_five_minutes.md and its pictures.
#
#   sudo benchmarks/first_five_minutes.sh FOLDER      # FOLDER is for the bare system, 1 GB, and goes away; MIRROR=... names a mirror
#
# Needs debootstrap, Chromium, FFmpeg, and to be root for chroot. Makes the package first.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(realpath -m "${1:?a folder for the bare system}")
[[ ! -e $root ]] || { echo "$root is there already"; exit 1; }
page=docs/first_five_minutes.md figures=docs/figures
python=/usr/bin/python3

echo "==== package"
cmake --workflow --preset package >/dev/null
package=$(ls build/package/limber_*.deb)

echo "==== bare system"
leave() {
  local place
  for place in "$root/sys" "$root/proc"; do ! mountpoint -q "$place" || umount "$place"; done
  rm -rf --one-file-system "$root"
}
trap leave EXIT
debootstrap --variant=minbase bookworm "$root" ${MIRROR:+"$MIRROR"} >/dev/null
mount -t proc proc "$root/proc"
mount --bind /sys "$root/sys"
cp /etc/resolv.conf "$root/etc/resolv.conf"
chroot "$root" useradd -m -u 1000 you
cp "$package" "$root/home/you/"
chroot "$root" apt-get update -q >/dev/null

# step COMMAND [FILTER] runs it in the bare system as the reader would, and notes command, output and time.
transcript=() names=() times=() total=0
step() {
  local who=(--userspec=1000:1000) begin end said
  [[ $1 != sudo* ]] || who=()
  begin=$(date +%s.%N)
  said=$(chroot "${who[@]}" "$root" env -i HOME=/home/you PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    bash -c "cd; ${1#sudo }" 2>&1) || { echo "$said"; exit 1; }
  end=$(date +%s.%N)
  total=$(awk -v a="$begin" -v b="$end" -v t="$total" 'BEGIN { print t + b - a }')
  times+=("$(awk -v a="$begin" -v b="$end" 'BEGIN { t = b - a; printf (t < 1 ? "%.2f s" : t < 10 ? "%.1f s" : "%.0f s"), t }')")
  names+=("$1")
  transcript+=("\$ $1
$(sed -E "${2:-}" <<<"$said")")
  echo "     ${times[-1]} $1"
}

echo "==== the first five minutes"
step "sudo apt install -y --no-install-recommends ./$(basename "$package")" '/^(Need to get|After this|[0-9]+ upgraded)/!d; s/^([0-9]+ upgraded.*)/...\n\1/; s#[0-9.]+ [kM]B/([0-9.]+ [kM]B)#\1#'
step "limber new pendulum"
step "limber check pendulum.yaml --picture pendulum.svg"
step "limber run pendulum.yaml"
step "limber plot pendulum.h5 tip.x tip.z hinge.angle -o pendulum.png"
step "limber view pendulum.h5"

echo "==== browser"
cp "$root"/home/you/pendulum.svg "$figures/model_pendulum.svg"
cp "$root"/home/you/pendulum.png "$figures/first.png"
opened=$("$python" docs/figures/first.py "$root/home/you/pendulum.html" "$figures")
names+=("open pendulum.html in a browser") times+=("$opened")

{
  cat <<'M'
# The first five minutes

Install Limber on a bare Debian 12 (`debootstrap --variant=minbase`) and animate a pendulum in a browser, in about a
minute. [first_five_minutes.sh](../benchmarks/first_five_minutes.sh) writes this page: it builds the package
(`cmake --workflow --preset package`), installs it in a bare system and runs the commands below. The times were measured
on a busy machine with 2 cores.

| step | time |
|---|---|
M
  for i in "${!names[@]}"; do
    if [[ ${names[i]} == open* ]]; then echo "| ${names[i]} | ${times[i]} |"; else echo "| \`${names[i]}\` | ${times[i]} |"; fi
  done
  awk -v a="$total" -v b="${opened% s}" 'BEGIN { printf "| total | %.0f s |\n", a + b }'
  cat <<M

## Install

<!-- not run: installs a package of the system; benchmarks/first_five_minutes.sh does -->
\`\`\`console
${transcript[0]}
\`\`\`

## Look at the result

The [tutorial](tutorial.md) shows what each command prints and draws. Open the page in a browser (here headless Chromium)
and press the space bar to start the animation:

![The page of the pendulum](figures/first_view.png)

![The pendulum moves](figures/first_moves.gif)
M
} >"$page"
echo "$page"
