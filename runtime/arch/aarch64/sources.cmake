# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# AArch64's half of the runtime, and how C++ is compiled for it. Paths are relative to this folder.
set(NOPHOOK_ARCH_SOURCES
  ftrace_caller.S
  ftrace_exit_caller.S
  handler_data.cpp
  livepatch_caller.S
  own_stack.S
  pmc.cpp
  profile_caller.S
  return_rule.cpp
  static_call.S
  text_caches.cpp
  trampolines.S
  usdt.S
  vectors.S
  vectors.cpp)
# Outlined atomics are functions of the compiler's library. Without landing pads a program that has
# the runtime in itself would lose BTI.
set(NOPHOOK_ARCH_OPTIONS -mno-outline-atomics -mbranch-protection=bti)
