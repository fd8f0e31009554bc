# SPDX-License-Identifier: Apache-2.0
# CPack runs this on the staged files of the Debian package: compressed man pages, a changelog and a copyright file in
# Debian's form (`lintian` checks them).
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
set(doc ${share}/doc/limber)
find_program(gzip gzip REQUIRED)
find_program(shlibdeps dpkg-shlibdeps REQUIRED) # of dpkg-dev: without it CPack would make a package that depends on nothing

set(when $ENV{SOURCE_DATE_EPOCH})
if(NOT when)
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR} OUTPUT_VARIABLE when
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(ENV{SOURCE_DATE_EPOCH} ${when}) # none: now
set(ENV{LC_ALL} C)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog "limber (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Changes are listed in CHANGELOG.md of the sources.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

set(copyright "Limber ${CPACK_PACKAGE_VERSION}
Copyright: the Limber authors

Limber is under the Apache License, Version 2.0; on Debian systems its text is in /usr/share/common-licenses/Apache-2.0.
It contains parts under other licences:
")
foreach(text pocketfft.txt dejavu.txt joe_kuo.txt viewer.md)
  file(READ ${doc}/${text} content)
  string(APPEND copyright "\n---- ${text} ----\n\n${content}")
endforeach()
file(WRITE ${doc}/copyright "${copyright}")

file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND ${gzip} -9nf ${doc}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
