# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The files of all CPUs, by the program that takes them:
#
#   NOPHOOK_MACHINE_FACTS      analysis/ and tools/: what readers of files know
#   NOPHOOK_MACHINE_ANALYSIS   analysis/: what the code of an object says
#   NOPHOOK_MACHINE_PLUGIN     llvm-pass/: places of values in the compiler
#   NOPHOOK_MACHINE_COMMAND    tools/: of the CPU that the command runs on, its threads
foreach(part FACTS ANALYSIS PLUGIN COMMAND)
  set(NOPHOOK_MACHINE_${part})
endforeach()
file(GLOB machine_lists CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/sources.cmake)
foreach(machine_list ${machine_lists})
  get_filename_component(machine_folder ${machine_list} DIRECTORY)
  get_filename_component(machine_cpu ${machine_folder} NAME)
  include(${machine_list})
  foreach(part FACTS ANALYSIS PLUGIN COMMAND)
    list(TRANSFORM machine_${part} PREPEND ${machine_folder}/)
    if(NOT part STREQUAL "COMMAND" OR machine_cpu STREQUAL CMAKE_SYSTEM_PROCESSOR)
      list(APPEND NOPHOOK_MACHINE_${part} ${machine_${part}})
    endif()
  endforeach()
endforeach()
list(PREPEND NOPHOOK_MACHINE_FACTS ${CMAKE_CURRENT_LIST_DIR}/machine.cpp)
