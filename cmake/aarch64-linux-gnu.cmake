# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Toolchain file: clang for AArch64, with the libraries of Debian's cross compiler, linked by lld. The
# compilers' names come from the preset, or are clang's plain ones.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_CXX_COMPILER clang++)
endif()
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -fuse-ld=lld)
endforeach()

# Programs are this machine's, all else is the target's.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
