#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` brings to a folder is all that a user needs there, also after it was moved: programs in C are built
# with it in both ways, the command finds its library and its examples.
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
build=$(cd "$(dirname "$limber")/.." && pwd)

cmake --install "$build" --prefix "$try/first" >install.log || cat install.log
mv first prefix
prefix=$try/prefix
lib=$(dirname "$(find "$prefix" -name liblimber.so)")

flags=() # a program that loads a library with sanitizers needs them itself
if nm -D "$lib/liblimber.so" | grep __asan_init >/dev/null; then flags=(-fsanitize=address,undefined); fi

verdict only_public_headers_are_installed "$(cd "$prefix/include" && find . -type f | sort)" \
  "$( (cd "$source/include" && find . -type f && cd "$build/include" && find . -type f) | { $mpi && cat || grep -v '/mpi\.h$'; } | sort)"
read -ra mpi <<<"$(sed -n 's/^MPI_C_COMPILER_INCLUDE_DIRS:[A-Z]*=//p; s/^MPI_C_HEADER_DIR:[A-Z]*=//p' "$build/CMakeCache.txt" | tr '\n;' '  ')"
for header in "$prefix"/include/limber/*.h; do
  more=()
  if [[ $header == */mpi.h ]]; then more=("${mpi[@]/#/-I}"); fi # the only one that needs MPI
  verdict "$(basename "$header" .h)_h_needs_nothing_else" \
    "$(echo "#include <limber/$(basename "$header")>" | cc -std=c17 -Wall -Wextra -Werror -I"$prefix/include" "${more[@]}" -fsyntax-only -xc - 2>&1)" ""
done
verdict the_library_shows_public_names_only \
  "$(nm -D --defined-only "$lib/liblimber.so" | awk '{print $3}' | grep -v -E '^(Limber|limber_|_init$|_fini$|_edata$|_end$|__bss_start$|__odr_asan|__gcov|mangle_path$)')" ""
verdict the_library_has_the_soname_of_its_minor_version "$(readelf -d "$lib/liblimber.so" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')" \
  "$(sed -n 's|^SONAME = "\(.*\)"$|\1|p' "$source/python/limber/library.py")"
verdict it_writes_fmus "$("$prefix/bin/limber" fmu "$source/examples/pendulum/pendulum.yaml" -q -o p.fmu 2>&1; "$python" -m zipfile -l p.fmu | grep -c 'binaries/.*/pendulum.so ')" 1
verdict nothing_installed_names_the_sources "$(grep -rl --include='*.pc' --include='*.cmake' --include='*.py' -e "$source" -e "$build" "$prefix")" ""

cp "$prefix"/share/limber/examples/c/* .
expected="t = 1.000 s: x = -0.9863 m, z = -0.1650 m, angle"
export PKG_CONFIG_PATH=$lib/pkgconfig
for name in pendulum controller; do # the latter calls functions of math.h
  cc -std=c17 -Wall -Wextra -Werror "${flags[@]}" "$name.c" -o "${name}_by_pkg_config" $(pkg-config --cflags --libs limber)
done
verdict a_program_is_built_by_pkg_config "$(LD_LIBRARY_PATH=$lib ./pendulum_by_pkg_config | cut -d' ' -f1-13)" "$expected"
verdict one_with_mathematics_too "$(LD_LIBRARY_PATH=$lib ./controller_by_pkg_config >/dev/null; echo $?)" 0
verdict pkg_config_knows_the_version "limber $(pkg-config --modversion limber)" "$("$prefix/bin/limber" --version | head -1)"

command -v make >/dev/null || export CMAKE_GENERATOR=Ninja
cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="${flags[*]}" >cmake.log 2>&1 &&
  cmake --build by_cmake >>cmake.log 2>&1 || cat cmake.log
verdict a_program_is_built_by_find_package "$(./by_cmake/pendulum | cut -d' ' -f1-13)" "$expected"
verdict its_energy_stays "$(./by_cmake/pendulum | awk '{e = $(NF - 1); print (e < 1e-12 && e > -1e-12)}')" 1

near() { awk -v a="$1" -v b="$2" -v within="$3" 'BEGIN {print (a != "" && a - b <= within && b - a <= within)}'; }
read -r _ angle _ _ torque _ _ _ _ _ work _ < <(./by_cmake/controller | tr -d '),')
verdict a_controller_holds_its_angle "$(near "$angle" 1 1e-4)" 1
verdict its_torque_is_that_of_the_weight "$(near "$torque" 8.2548 1e-3)" 1
verdict its_work_is_the_lift "$(near "$work" 4.5096 1e-3)" 1

read -r _ _ _ _ _ _ _ _ _ _ _ _ loss _ < <(./by_cmake/machine)
verdict a_door_latches_at_the_loss_of_its_fall "$(near "$loss" 49.05 0.02)" 1

mkdir empty && cd empty || exit 1
"$prefix/bin/limber" new pendulum >/dev/null && "$prefix/bin/limber" run pendulum.yaml -q --set run.end=12ms
verdict the_command_runs_where_it_is_installed "$? $(ls pendulum.h5)" "0 pendulum.h5"
verdict results_are_read_back_by_name "$(../by_cmake/read_back pendulum.h5 | head -1; ../by_cmake/read_back pendulum.h5 time)" \
  "time [s]"$'\n'"time: 0 s at t = 0 s .. 0.012 s at t = 0.012 s"
verdict a_wrong_name_gets_a_suggestion "$(../by_cmake/read_back pendulum.h5 tine 2>&1 >/dev/null | grep -c time)" 1
verdict the_command_finds_its_examples "$("$prefix/bin/limber" verify pendulun 2>&1)" \
  "limber verify: there is no example 'pendulun' with an expected.yaml; did you mean 'pendulum'?"
verdict the_python_module_is_installed "$(find "$prefix" -path '*/limber/__init__.py' | wc -l)" 1

texts=$("$prefix/bin/limber" --version --licenses | sed -n 's/^Licence texts of everything that Limber contains: \(.*\)\. Loaded .*/\1/p')
verdict licences_that_are_named_are_there \
  "$("$prefix/bin/limber" --version --licenses | sed -n 's/.* (\([a-z_]*\.[a-z]*\))$/\1/p' | while read -r file; do ls "$texts/$file" 2>&1; done | sort -u)" \
  "$(ls -d "$prefix"/share/doc/limber/*.*)"

cmake --install "$build" --prefix "$try/again" >/dev/null
mkdir "$try/again/share/mine"
mkdir "$try/again/lib/python3/dist-packages/limber/__pycache__"
cmake --build "$build" --target uninstall >uninstall.log 2>&1 || cat uninstall.log
verdict an_uninstall_leaves_what_is_not_its_own "$(cd "$try/again" && find .)" "$(printf '%s\n' . ./share ./share/mine)"

finish
