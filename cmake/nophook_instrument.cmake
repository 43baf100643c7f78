# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# nophook_instrument(TARGET [RUNTIME [SHARED|STATIC]])
#
# Makes every function of TARGET traceable: an executable, or a library of any kind.
#
#   compile   TARGET's own C and C++ files: for clang the plugin; gcc is launched by `nophook`,
#             which gives it its flags and runs recordmcount on what it makes
#   link      linker script, module object, packed relative relocations if the linker knows them;
#             for a static or object library, every target that links it gets these
#   RUNTIME   links the runtime in, so that the program can be traced though nothing is preloaded
#             (static programs), or can trace itself by <ftrace.h>. Naming the library alone
#             would not do it: the module refers to it weakly, so an archive stays out and
#             --as-needed drops a library.
#
# The linker would take a repeated word twice. So all linker words are one option, of which CMake removes repetitions.
include_guard(GLOBAL)
include(CheckLinkerFlag)

# Sets `plugin` in the caller: the plugin that `language`'s compiler loads; empty: there is none.
function(_nophook_plugin plugin language)
  set(${plugin} "" PARENT_SCOPE)
  if(NOT CMAKE_${language}_COMPILER_ID STREQUAL Clang)
    return()
  endif()
  string(REGEX MATCH "^[0-9]+" version "${CMAKE_${language}_COMPILER_VERSION}")
  get_filename_component(folder ${NOPHOOK_PLUGIN} DIRECTORY)
  set(other ${folder}/llvm-${version}/NophookPass.so)
  if(version EQUAL NOPHOOK_LLVM)
    set(${plugin} ${NOPHOOK_PLUGIN} PARENT_SCOPE)
  elseif(EXISTS ${other})
    set(${plugin} ${other} PARENT_SCOPE)
  endif()
endfunction()

# Sets `clang` and `gcc` in the caller: the project's languages that each of them compiles. Stops if there is another
# compiler, or a clang that cannot load the plugin.
function(_nophook_languages clang gcc)
  set(found_Clang)
  set(found_GNU)
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LOADED)
      continue()
    endif()
    set(id ${CMAKE_${language}_COMPILER_ID})
    set(version ${CMAKE_${language}_COMPILER_VERSION})
    _nophook_plugin(plugin ${language})
    if(NOT id STREQUAL GNU AND NOT plugin)
      message(FATAL_ERROR
        "nophook: there is no plugin for CMAKE_${language}_COMPILER: "
        "${id} ${version} (${CMAKE_${language}_COMPILER}).\n"
        "Configure a new build folder with -DCMAKE_C_COMPILER=clang-${NOPHOOK_LLVM} "
        "-DCMAKE_CXX_COMPILER=clang++-${NOPHOOK_LLVM}, or with gcc and g++")
    endif()
    list(APPEND found_${id} ${language})
  endforeach()
  set(${clang} "${found_Clang}" PARENT_SCOPE)
  set(${gcc} "${found_GNU}" PARENT_SCOPE)
endfunction()

# Sets `words` in the caller: the linker's additional arguments.
function(_nophook_linker_words words)
  set(language C)
  if(NOT CMAKE_C_COMPILER_LOADED)
    set(language CXX)
  endif()
  set(result "-T" "${NOPHOOK_LINKER_SCRIPT}" "${NOPHOOK_MODULE}")
  # GNU ld only warns of an unknown option.
  set(CMAKE_REQUIRED_LINK_OPTIONS "LINKER:--fatal-warnings")
  check_linker_flag(${language} "LINKER:-z,pack-relative-relocs" NOPHOOK_LINKER_PACKS_RELOCATIONS)
  if(NOPHOOK_LINKER_PACKS_RELOCATIONS)
    list(APPEND result "-z" "pack-relative-relocs")
  endif()
  # lld, which optimizes the output of clang -flto, needs the plugin once more.
  check_linker_flag(${language} "LINKER:--load-pass-plugin=unread" NOPHOOK_LINKER_LOADS_PLUGINS)
  _nophook_plugin(plugin ${language})
  if(NOPHOOK_LINKER_LOADS_PLUGINS AND plugin)
    list(APPEND result "--load-pass-plugin=${plugin}")
  endif()
  set(${words} "${result}" PARENT_SCOPE)
endfunction()

# Adds words for the linker, as one option. LINKER: is no way, since it cuts paths at their commas. The words that a
# target passes on stay in this build: install(EXPORT) would write the paths of this machine's files into a package. A
# project that uses the package calls nophook_instrument() itself.
function(_nophook_link target scope)
  list(TRANSFORM ARGN REPLACE "(.+)" "-Xlinker \"\\1\"" OUTPUT_VARIABLE words)
  list(JOIN words " " words)
  if(scope STREQUAL INTERFACE)
    target_link_options(${target} INTERFACE "$<BUILD_INTERFACE:SHELL:${words}>")
  else()
    target_link_options(${target} ${scope} "SHELL:${words}")
  endif()
endfunction()

function(nophook_instrument target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RUNTIME;SHARED;STATIC" "" "")
  if(arg_UNPARSED_ARGUMENTS OR (arg_SHARED AND arg_STATIC) OR
     (NOT arg_RUNTIME AND (arg_SHARED OR arg_STATIC)))
    message(FATAL_ERROR "nophook_instrument(${target} ...): TARGET [RUNTIME [SHARED|STATIC]]")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "nophook_instrument: there is no target ${target}")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "nophook_instrument: ${target} has nothing to compile (${type})")
  endif()
  _nophook_languages(clang gcc)
  foreach(language ${clang})
    _nophook_plugin(plugin ${language})
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:${language}>:-fplugin=${plugin}>")
  endforeach()
  foreach(language ${gcc})
    # `nophook` stands in front of an existing launcher: a cache keeps gcc's own output.
    get_target_property(launcher ${target} ${language}_COMPILER_LAUNCHER)
    if(NOT launcher)
      set(launcher)
    endif()
    set_property(TARGET ${target} PROPERTY
      ${language}_COMPILER_LAUNCHER "${NOPHOOK_COMMAND}" gcc-launch ${launcher})
  endforeach()
  set(scope PRIVATE)
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    set(scope INTERFACE)
  endif()
  _nophook_linker_words(words)
  _nophook_link(${target} ${scope} ${words})
  set_property(TARGET ${target} APPEND PROPERTY
    LINK_DEPENDS "${NOPHOOK_LINKER_SCRIPT}" "${NOPHOOK_MODULE}")

  if(arg_RUNTIME AND NOT TARGET nophook::runtime)
    string(REGEX REPLACE "-.*" "" cpu "${NOPHOOK_TARGET}")
    message(FATAL_ERROR
      "nophook_instrument(${target} RUNTIME): the runtime for ${NOPHOOK_TARGET} is missing: install it, or "
      "build it: ./do build --target ${cpu}")
  endif()
  if(arg_STATIC)
    target_link_libraries(${target} PRIVATE nophook::runtime_static)
    # The program itself then serves the libraries that it loads.
    _nophook_link(${target} ${scope} -u nophook_register_module
      --export-dynamic-symbol=nophook_register_module
      --export-dynamic-symbol=nophook_unregister_module)
  elseif(arg_RUNTIME)
    target_link_libraries(${target} PRIVATE nophook::runtime)
    # GNU ld does not count -u as a need of a library.
    _nophook_link(${target} ${scope}
      --push-state --no-as-needed $<TARGET_FILE:nophook::runtime> --pop-state)
  endif()
endfunction()
