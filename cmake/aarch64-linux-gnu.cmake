# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Toolchain file: clang for AArch64, linked by lld. The compilers' names come from the preset, or are clang's plain ones.
# The libraries are those of Debian's cross compiler. The command needs more: NOPHOOK_SYSROOT is a folder with the arm64 packages.
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
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES NOPHOOK_SYSROOT)
if(NOPHOOK_SYSROOT)
  set(CMAKE_SYSROOT ${NOPHOOK_SYSROOT})
  set(CMAKE_FIND_ROOT_PATH ${NOPHOOK_SYSROOT})
  set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
  set(ENV{PKG_CONFIG_SYSROOT_DIR} ${NOPHOOK_SYSROOT})
  set(ENV{PKG_CONFIG_LIBDIR} ${NOPHOOK_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${NOPHOOK_SYSROOT}/usr/share/pkgconfig)
else()
  set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
