# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# x86-64's half of the runtime, and how C++ is compiled for it. Paths are relative to this folder.
set(NOPHOOK_ARCH_SOURCES
  counter.cpp
  ftrace_caller.S
  ftrace_exit_caller.S
  own_stack.S
  profile_caller.S
  livepatch_caller.S
  handler_data.cpp
  static_call.S
  trampolines.S
  usdt.S
  vectors.S
  vectors.cpp)
# The runtime's own code is no target of indirect branches.
set(NOPHOOK_ARCH_OPTIONS -fcf-protection=none)
