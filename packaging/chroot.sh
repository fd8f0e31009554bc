#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# chroot.sh SUITE [COMMAND ...]: runs a command, by itself a shell, as root in a Debian of its own: bookworm, trixie or sid,
# with what building and testing need (.ci/setup), made by mmdebstrap where it is missing. SUITE-i386 is one of 32 bits,
# for which Debian builds PETSc with MPICH from trixie on; bare-SUITE has nothing but its base, and forgets what the command
# changes there. Needs root. The command sees /proc, /dev and the folder of ccache;
# what is mounted for it and what it leaves running go when it ends.
#   LIMBER_CHROOTS  folder of the systems, /tmp/limber-chroots by default
#   LIMBER_PACKAGES what else they get when they are made
#   MIRROR          another mirror of Debian's archive
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
suite=${1:?chroot.sh SUITE [COMMAND ...]}
shift
chroots=${LIMBER_CHROOTS:-/tmp/limber-chroots}
root=$chroots/$suite
if [[ ! -e $root/.made ]]; then
  packages=() architecture=()
  if [[ $suite != bare-* ]]; then
    mapfile -t packages < <("$here/.ci/setup" --print build package test)
    packages+=(clang procps ca-certificates ${LIMBER_PACKAGES-})
  fi
  if [[ $suite == *-i386 ]]; then
    architecture=(--architectures=i386)
    packages=("${packages[@]/openmpi-bin/mpich}")
    packages=("${packages[@]/openmpi/mpich}")
  fi
  mkdir -p "$chroots"
  # a mirror may be some weeks behind
  mmdebstrap --variant=minbase "${architecture[@]}" --dpkgopt=force-unsafe-io \
    --aptopt='Acquire::Check-Valid-Until "false"' ${packages[0]:+--include="$(IFS=,; echo "${packages[*]}")"} \
    "$(sed 's/^bare-//; s/-i386$//' <<<"$suite")" "$root" ${MIRROR:+"$MIRROR"} >"$chroots/$suite.log" 2>&1 || { tail -n 5 "$chroots/$suite.log" >&2; exit 1; }
  touch "$root/.made"
fi
if [[ $suite == bare-* ]]; then
  cp -a "$root" "$root.$$"
  root=$root.$$
  trap 'rm -rf --one-file-system "$root"' EXIT
fi
mkdir -p "$chroots/ccache" "$root/ccache"
[[ $# -gt 0 ]] || set -- bash -i
export root chroots
# unshare itself would wait for the end whatever signal comes
unshare --mount --pid --fork --kill-child bash -c '
  set -e
  mount --make-rprivate /
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  mount --bind "$chroots/ccache" "$root/ccache"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts" # MPICH asks for the address of the machine
  exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    TERM="${TERM-dumb}" CCACHE_DIR=/ccache CCACHE_COMPILERCHECK=content DEBIAN_FRONTEND=noninteractive \
    chroot "$root" "$@"' chroot "$@" <&0 &
trap 'kill -KILL $!' INT TERM HUP
wait $!
