# SPDX-License-Identifier: Apache-2.0
# Dev: optimised, with symbols and assertions. Release: as shipped. Never -ffast-math: equal input, equal bits.
set(CMAKE_C_FLAGS_DEV "-O2 -g")
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_C_FLAGS_SANITIZE  # -g1: lines of stack traces; variables would take a quarter of the build's time
    "-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined")
set(CMAKE_C_FLAGS_COVERAGE "-O0 -g --coverage")
set(CMAKE_C_FLAGS_FUZZ
    "-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Dev, Release, Sanitize, Coverage or Fuzz" FORCE)
endif()

# A hundred test programs and studies are linked with the library: LLVM's linker takes a fraction of the time. What is shipped
# is linked with the system's linker.
find_program(LIMBER_LLD ld.lld)
mark_as_advanced(LIMBER_LLD)
if(LIMBER_LLD)
  set(fast_linker -fuse-ld=lld)
endif()
