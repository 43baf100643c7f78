# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A toolchain file of three lines: Debian's cross gcc.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
