# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds an LLVM by its major version: NOPHOOK_LLVM's, and others by nophook_find_llvm().
#
# A plugin works with one major version of LLVM: any other refuses to load it, or crashes.
# So we ask that version's own llvm-config, and never take the LLVM that is found first.
# LLVM's CMake package is not used: it also searches for every library that LLVM was built
# with, so a new user would have to install packages that nothing here needs.
#
# Sets NOPHOOK_LLVM_BINDIR (clang, opt, FileCheck, llvm-readelf, …) and the targets
#   nophook_llvm_headers_N   what a plugin for LLVM N needs: the process that loads it has the rest
#   nophook_llvm_tools       for NOPHOOK_LLVM: the same, and the parts of LLVM and clang that our own programs use
include_guard() # of a directory: variables live there

function(nophook_llvm_config variable version option)
  find_program(NOPHOOK_LLVM_CONFIG_${version}
    NAMES llvm-config-${version}
    PATHS /usr/lib/llvm-${version}/bin
    REQUIRED)
  execute_process(
    COMMAND ${NOPHOOK_LLVM_CONFIG_${version}} ${option}
    OUTPUT_VARIABLE value OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(CMAKE_SYSROOT AND NOT option STREQUAL "--bindir") # this machine's llvm-config speaks for the target's LLVM of the same package
    string(REGEX REPLACE "(^| )/" "\\1${CMAKE_SYSROOT}/" value "${value}")
  endif()
  set(${variable} ${value} PARENT_SCOPE)
endfunction()

# Makes nophook_llvm_headers_VERSION, and sets `bindir` in the caller.
function(nophook_find_llvm version bindir)
  nophook_llvm_config(found ${version} --version)
  if(NOT found MATCHES "^${version}\\.")
    message(FATAL_ERROR "LLVM ${version} is asked for, but its llvm-config says ${found}")
  endif()
  nophook_llvm_config(programs ${version} --bindir)
  set(${bindir} ${programs} PARENT_SCOPE)
  set(headers nophook_llvm_headers_${version})
  if(TARGET ${headers})
    return()
  endif()
  nophook_llvm_config(include ${version} --includedir)
  add_library(${headers} INTERFACE)
  target_include_directories(${headers} SYSTEM INTERFACE ${include})
  target_compile_definitions(${headers} INTERFACE
    __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
endfunction()

nophook_find_llvm(${NOPHOOK_LLVM} NOPHOOK_LLVM_BINDIR)
if(TARGET nophook_llvm_tools)
  return()
endif()

# The few parts are linked statically: libLLVM.so takes 10 ms to load, for each file that `nophook cc` compiles, and
# this way the whole command starts in 1.5 ms.
nophook_llvm_config(libraries ${NOPHOOK_LLVM}
  "--link-static;--libfiles;symbolize;debuginfodwarf;object;option;demangle;targetparser;support")
separate_arguments(libraries UNIX_COMMAND "${libraries}")
# Clang's tables of options and file types. LLVM 19 has both in libclangDriver.a. The second one names the driver in a
# function that is never called: the symbol is set to 0, and the function collected, so that the whole driver and all
# that it uses stay out.
nophook_llvm_config(libdir ${NOPHOOK_LLVM} --libdir)
set(clang_libraries ${libdir}/libclangDriver.a)
if(EXISTS ${libdir}/libclangOptions.a)
  list(PREPEND clang_libraries ${libdir}/libclangOptions.a)
endif()
add_library(nophook_llvm_tools INTERFACE)
target_link_libraries(nophook_llvm_tools INTERFACE
  nophook_llvm_headers_${NOPHOOK_LLVM} ${clang_libraries} ${libraries} z zstd)
target_link_options(nophook_llvm_tools INTERFACE -Wl,--gc-sections
  -Wl,--defsym=_ZNK5clang6driver6Driver13getFinalPhaseERKN4llvm3opt14DerivedArgListEPPNS4_3ArgE=0)
