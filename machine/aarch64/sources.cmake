# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(machine_FACTS machine.cpp sites.cpp)
set(machine_ANALYSIS aapcs64_assignment.cpp code.cpp code_reader.cpp link_register.cpp)
set(machine_PLUGIN ir.cpp ir_places.cpp)
set(machine_COMMAND thread_registers.cpp thread_state.cpp)
set(machine_LLVM aarch64)
set(machine_DEBIAN arm64)
