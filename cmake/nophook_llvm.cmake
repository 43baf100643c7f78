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
#   nophook_llvm_tools     the same and the parts of LLVM and clang that our own programs use
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

if(TARGET nophook_llvm_tools)
  return()
endif()
add_library(nophook_llvm_headers INTERFACE)
target_include_directories(nophook_llvm_headers SYSTEM INTERFACE ${NOPHOOK_LLVM_INCLUDEDIR})
target_compile_definitions(nophook_llvm_headers INTERFACE
  __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)

# Statically, the few parts there are: libLLVM.so takes 10 ms to load, for each file that
# `nophook cc` compiles, and this way the whole command starts in 1.5 ms.
nophook_llvm_config(libraries "--link-static;--libfiles;symbolize;debuginfodwarf;object;option;demangle;targetparser;support")
separate_arguments(libraries UNIX_COMMAND "${libraries}")
# Clang's tables of options and file types. LLVM 19 has both in libclangDriver.a. The second names
# the driver in a function that nobody calls here: the symbol is set to 0, and the function
# collected, so that the whole driver and all that it uses stay out.
set(clang_libraries ${NOPHOOK_LLVM_LIBDIR}/libclangDriver.a)
if(EXISTS ${NOPHOOK_LLVM_LIBDIR}/libclangOptions.a)
  list(PREPEND clang_libraries ${NOPHOOK_LLVM_LIBDIR}/libclangOptions.a)
endif()
add_library(nophook_llvm_tools INTERFACE)
target_link_libraries(nophook_llvm_tools INTERFACE
  nophook_llvm_headers ${clang_libraries} ${libraries} z zstd)
target_link_options(nophook_llvm_tools INTERFACE -Wl,--gc-sections
  -Wl,--defsym=_ZNK5clang6driver6Driver13getFinalPhaseERKN4llvm3opt14DerivedArgListEPPNS4_3ArgE=0)
