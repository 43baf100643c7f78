# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(machine_FACTS linked_field.cpp machine.cpp sites.cpp)
set(machine_ANALYSIS code.cpp code_reader.cpp sysv_assignment.cpp)
set(machine_PLUGIN ir.cpp ir_places.cpp ir_stack.cpp)
set(machine_COMMAND thread_registers.cpp thread_state.cpp)
set(machine_LLVM x86)
set(machine_DEBIAN amd64)
