# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The table of the CPUs, from the row of each, machine/CPU/sources.cmake:
#
#   NOPHOOK_MACHINE_FACTS      nophook_machine: facts that readers of files need
#   NOPHOOK_MACHINE_ANALYSIS   analysis/: readers of an object's code, and its calling conventions
#   NOPHOOK_MACHINE_PLUGIN     llvm-pass/: places of values in the compiler
#   NOPHOOK_MACHINE_COMMAND    tools/: threads, on the CPU that the command runs on
#   NOPHOOK_MACHINE_LLVM       LLVM's parts that disassemble each CPU's code
#   NOPHOOK_CPU                the CPU that is built for
#   NOPHOOK_OTHER_CPUS         all others
#   NOPHOOK_DEBIAN             Debian's name of NOPHOOK_CPU
include(nophook_target)
nophook_cpu(NOPHOOK_CPU "${CMAKE_SYSTEM_PROCESSOR}")
foreach(part FACTS ANALYSIS PLUGIN COMMAND LLVM)
  set(NOPHOOK_MACHINE_${part})
endforeach()
set(NOPHOOK_OTHER_CPUS)
file(GLOB machine_rows CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/sources.cmake)
foreach(machine_row ${machine_rows})
  get_filename_component(machine_folder ${machine_row} DIRECTORY)
  get_filename_component(machine_cpu ${machine_folder} NAME)
  include(${machine_row})
  if(machine_cpu STREQUAL NOPHOOK_CPU)
    set(NOPHOOK_DEBIAN ${machine_DEBIAN})
  else()
    list(APPEND NOPHOOK_OTHER_CPUS ${machine_cpu})
    set(machine_COMMAND)
  endif()
  foreach(part FACTS ANALYSIS PLUGIN COMMAND)
    list(TRANSFORM machine_${part} PREPEND ${machine_folder}/ OUTPUT_VARIABLE machine_files)
    list(APPEND NOPHOOK_MACHINE_${part} ${machine_files})
  endforeach()
  foreach(part disassembler desc info)
    list(APPEND NOPHOOK_MACHINE_LLVM ${machine_LLVM}${part})
  endforeach()
endforeach()
