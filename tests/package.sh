#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Preset package: lintian finds no error in the Debian package.
. "$(dirname "$0")/support.bash"
build=$(cd "$(dirname "$limber")/.." && pwd)
cpack --config "$build/CPackConfig.cmake" -B "$try" >"$try/log" 2>&1 || cat "$try/log"
deb=$(ls "$try"/*.deb)
echo "     measured: $(basename "$deb") $(du -h --apparent-size "$deb" | cut -f1)"
verdict the_package_is_made "$(dpkg-deb -f "$deb" Package)" limber
lintian --tag-display-limit 0 --fail-on none "$deb" >"$try/lintian" 2>&1 || cat "$try/lintian"
verdict lintian_finds_no_error "$(grep -E '^E: |command not found' "$try/lintian")" ""
echo "     measured: $(grep -c '^W: ' "$try/lintian") warnings of lintian"
finish
