#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_package.sh SUITE FILE: installs a package (.deb), wheel (.whl) or tarball (.tar.gz) in a Debian with nothing but its base
# (bookworm, trixie: packaging/chroot.sh) and runs `limber verify` there as a user who is not root. What was not passed is
# printed; the last line is
#   SUITE FILE: N passed, N failed
#   LIMBER_EXAMPLES  only these examples
# Needs root.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
suite=${1:?try_package.sh SUITE FILE} file=${2:?try_package.sh SUITE FILE}
table=$(mktemp)
trap 'rm -f "$table"' EXIT
code=0
"$here/chroot.sh" "bare-$suite" bash -c '
  set -euo pipefail
  name=$1 examples=$2
  cat >"/tmp/$name"
  install() { { apt-get update && apt-get install -y --no-install-recommends "$@"; } >/tmp/apt.log 2>&1 || { tail -n 5 /tmp/apt.log; exit 1; }; }
  useradd -m you
  case $name in
    *.deb)
      install "/tmp/$name" libopenblas0-serial python3-numpy
      limber=limber python=python3
      ;;
    *.whl)
      install python3-venv python3-numpy
      su you -c "python3 -m venv --system-site-packages ~/env && ~/env/bin/pip install -q --no-index /tmp/$name"
      limber="~/env/bin/limber" python="~/env/bin/python"
      ;;
    *.tar.gz)
      su you -c "tar x -f /tmp/$name -C ~ --strip-components 1"
      limber="~/bin/limber" python=true
      ;;
  esac
  su you -c "cd; $python -c \"import limber; limber.version()\""
  texts=$(su you -c "cd; $limber --version --licenses" | sed -n "s/^Licence texts of everything that Limber contains: \(.*\)\. What .*/\1/p")
  su you -c "ls $texts/pocketfft.txt" >/dev/null
  su you -c "mkdir ~/empty; cd ~/empty; $limber verify $examples" 2>&1
' try "${file##*/}" "${LIMBER_EXAMPLES-}" <"$file" >"$table" || code=$?
grep -vE ' pass  |^[^ ]|^  quantity |^$' "$table" || true
echo "$suite ${file##*/}: $(tail -n 1 "$table")"
exit "$code"
