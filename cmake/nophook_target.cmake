# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Cross builds. The plugin and the command are this machine's, but the files that are linked into programs are the
# target's: the module object, which is installed with the command, and the runtime, which has a package of its own.
include_guard(GLOBAL)

# Sets `cpu` in the caller: the name that nophook has for this processor.
function(nophook_cpu cpu processor)
  string(TOLOWER "${processor}" name)
  string(REGEX REPLACE "^arm64$" "aarch64" name "${name}")
  string(REGEX REPLACE "^amd64$" "x86_64" name "${name}")
  set(${cpu} "${name}" PARENT_SCOPE)
endfunction()

# Sets `target` in the caller: the project's, like aarch64-linux-gnu, if that is not for the processor
# `own`, which the command runs on; else empty.
function(nophook_find_target own target)
  nophook_cpu(processor "${CMAKE_SYSTEM_PROCESSOR}")
  if(processor STREQUAL own OR NOT CMAKE_CROSSCOMPILING)
    set(processor)
  else()
    string(APPEND processor -linux-gnu)
  endif()
  set(${target} "${processor}" PARENT_SCOPE)
endfunction()

# Sets `result` in the caller to the first of the files that exists, or to an empty text.
function(_nophook_first result)
  foreach(file ${ARGN})
    if(EXISTS "${file}")
      set(${result} "${file}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

# Defines NOPHOOK_MODULE, and nophook::runtime and nophook::runtime_static if they exist. The places are those where
# `nophook cc` looks. Headers in the folder of the target's package come first: /usr/include has this machine's libc.
macro(nophook_import_target target private_dir prefix include_dir)
  string(REGEX REPLACE "-.*" "" _nophook_cpu ${target})
  get_filename_component(_nophook_prefix "${prefix}" ABSOLUTE)
  set(NOPHOOK_MODULE "${private_dir}/${target}/nophook_module.o")
  if(NOT EXISTS "${NOPHOOK_MODULE}")
    set(nophook_FOUND FALSE)
    set(nophook_NOT_FOUND_MESSAGE "nophook has no module object for ${target}")
  endif()
  _nophook_first(_nophook_headers "${include_dir}/${target}/ftrace.h" "${include_dir}/ftrace.h")
  get_filename_component(_nophook_headers "${_nophook_headers}" DIRECTORY)
  foreach(_nophook_kind SHARED STATIC)
    set(_nophook_name nophook::runtime)
    set(_nophook_file libnophook.so)
    if(_nophook_kind STREQUAL STATIC)
      set(_nophook_name nophook::runtime_static)
      set(_nophook_file libnophook.a)
    endif()
    _nophook_first(_nophook_file "${private_dir}/${target}/${_nophook_file}" "${_nophook_prefix}/lib/${target}/${_nophook_file}"
      "${_nophook_prefix}/${_nophook_cpu}/lib/${_nophook_file}")
    if(_nophook_file AND NOT TARGET ${_nophook_name})
      add_library(${_nophook_name} ${_nophook_kind} IMPORTED)
      set_target_properties(${_nophook_name} PROPERTIES IMPORTED_LOCATION "${_nophook_file}"
        INTERFACE_INCLUDE_DIRECTORIES "${_nophook_headers}")
    endif()
  endforeach()
endmacro()
