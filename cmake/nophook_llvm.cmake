# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds the LLVM of NOPHOOK_LLVM, the one whose clang will load the plugin.
#
# A plugin is welded to one LLVM: another major version refuses or crashes. So the version
# is asked for by name, from that version's own llvm-config, and never "the one found
# first". LLVM's CMake package is not used: it also searches for every library that LLVM
# was built with and so asks a newcomer for packages that nothing here needs.
#
# Sets NOPHOOK_LLVM_VERSION, NOPHOOK_LLVM_BINDIR (clang, opt, FileCheck, llvm-readelf, …)
# and the targets
#   nophook_llvm_headers   what a plugin needs: the process that loads it has the rest
#   nophook_libllvm        the same and libLLVM, dynamically, for programs of our own
include_guard() # of a directory: variables live there

find_program(NOPHOOK_LLVM_CONFIG_${NOPHOOK_LLVM}
  NAMES llvm-config-${NOPHOOK_LLVM}
  PATHS /usr/lib/llvm-${NOPHOOK_LLVM}/bin
  REQUIRED)

function(nophook_llvm_config variable option)
  execute_process(
    COMMAND ${NOPHOOK_LLVM_CONFIG_${NOPHOOK_LLVM}} ${option}
    OUTPUT_VARIABLE value OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} ${value} PARENT_SCOPE)
endfunction()

nophook_llvm_config(NOPHOOK_LLVM_VERSION --version)
nophook_llvm_config(NOPHOOK_LLVM_INCLUDEDIR --includedir)
nophook_llvm_config(NOPHOOK_LLVM_LIBDIR --libdir)
nophook_llvm_config(NOPHOOK_LLVM_BINDIR --bindir)

if(NOT NOPHOOK_LLVM_VERSION MATCHES "^${NOPHOOK_LLVM}\\.")
  message(FATAL_ERROR
    "NOPHOOK_LLVM is ${NOPHOOK_LLVM}, but its llvm-config says ${NOPHOOK_LLVM_VERSION}")
endif()

if(TARGET nophook_libllvm)
  return()
endif()
add_library(nophook_llvm_headers INTERFACE)
target_include_directories(nophook_llvm_headers SYSTEM INTERFACE ${NOPHOOK_LLVM_INCLUDEDIR})
target_compile_definitions(nophook_llvm_headers INTERFACE
  __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)

add_library(nophook_libllvm INTERFACE)
target_link_libraries(nophook_libllvm INTERFACE
  nophook_llvm_headers ${NOPHOOK_LLVM_LIBDIR}/libLLVM-${NOPHOOK_LLVM}.so)
