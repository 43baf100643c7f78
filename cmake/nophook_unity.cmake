# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# nophook_unity(TARGET [FILE...]): compiles the files of one folder together, in batches. Each of FILE stays alone.
#
# A file of tools/ has 100 lines and includes headers with many templates, which take two thirds of the compiler's time.
# A batch reads each header once, and instantiates a template once. So all of the command takes half the time;
# but a changed file takes the time of its batch. With -DNOPHOOK_UNITY=OFF each file is compiled alone, as clang-tidy needs it.
#
# In one batch, names in anonymous namespaces meet: a name says what it is of (kLockPatience, not kPatience).
include_guard()
option(NOPHOOK_UNITY "compile the files of the command in batches" ON)
set(NOPHOOK_BATCH 9) # files

function(nophook_unity target)
  if(NOT NOPHOOK_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source IN_LIST ARGN)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "of_${folder}" group)
    if(NOT DEFINED count_${group})
      set(count_${group} 0)
    endif()
    math(EXPR batch "${count_${group}} / ${NOPHOOK_BATCH}")
    math(EXPR count_${group} "${count_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
