#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every place that repeats the version agrees with include/limber/version.h (docs/maintainers.md, A release).
. "$(dirname "$0")/support.bash"
cd "$source" || exit 1
version=$(sed -n 's/^#define LIMBER_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' include/limber/version.h | paste -sd.)
minor=${version%.*}

verdict the_version_has_three_numbers "$(grep -cE '^[0-9]+\.[0-9]+\.[0-9]+$' <<<"$version")" 1
verdict the_command_tells_it "$("$limber" --version | head -1)" "limber $version"
verdict the_citation_tells_it "$(sed -n 's/^version: //p' CITATION.cff)" "$version"
verdict the_first_section_of_the_changelog_is_of_it_or_of_what_comes_next \
  "$(grep -m 1 '^## \[' CHANGELOG.md | grep -cE "^## (\[${version//./\\.}\] - ([0-9]{4}-[0-9]{2}-[0-9]{2}|Unreleased)|\[Unreleased\])$")" 1
verdict the_changelog_has_its_section "$(grep -c "^## \[${version//./\\.}\] - " CHANGELOG.md)" 1
verdict python_loads_the_library_of_that_version "$(sed -n 's/^SONAME = "\(.*\)"$/\1/p' python/limber/library.py)" "liblimber.so.$minor"
verdict pages_name_its_package "$(grep -oh 'limber_[0-9.]*_amd64.deb' README.md docs/install.md | sort -u)" "limber_${version}_amd64.deb"
verdict pages_name_its_wheel_and_tarball "$(grep -ohE 'limber-[0-9]+\.[0-9.]+[0-9](-linux|-py3)' README.md docs/install.md | sort -u | paste -sd' ')" \
  "limber-$version-linux limber-$version-py3"
verdict recipes_have_it "$(sed -n 's/^  version: "\(.*\)"$/\1/p' packaging/conda/recipe.yaml)" "$version"
verdict pages_name_the_libraries_of_the_wheel \
  "$(sed -nE 's/^\| (PETSc|SuperLU|OpenBLAS) ([0-9.]+).*/\L\1_\2/p' packaging/README.md | sort)" \
  "$(grep -oE '/(petsc|superlu|openblas)_[0-9.]+[0-9]' packaging/lean.sh | tr -d / | sort -u)"
needed=$(sed -nE 's/^ *pkg_(search|check)_module[s]?\(([A-Z0-9]+) REQUIRED.*/\2/p' cmake/Dependencies.cmake | sort -u)
verdict pages_and_recipes_name_every_library "$(for library in $needed; do
  for file in docs/install.md packaging/conda/recipe.yaml packaging/spack/package.py packaging/homebrew/limber.rb; do
    case $library in LAPACK | BLAS) word='lapack|blas' ;; FYAML) word=libfyaml ;; *) word=$library ;; esac
    grep -qiE "^(\| .*|.*(- |depends_on.\"?).*)($word)" "$file" || echo "$library is not in $file"
  done
done)" ""
verdict pages_name_its_library "$(grep -o 'soname `[^`]*`' docs/install.md)" "soname \`liblimber.so.$minor\`"
verdict messages_on_pages_have_it "$(grep -o 'this Limber [0-9.]*' docs/failures.md | sort -u)" "this Limber $version"
verdict versions_that_are_supported_include_it "$(grep -c "^| $minor\.x | supported" docs/maintainers.md)" 1
finish
