# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `./do package`: one Debian package, with everything, by CPack. dpkg-shlibdeps finds the libraries that the command
# needs. It does not see what the plugin needs, since the compiler that loads the plugin has it: hence the dependency on
# clang, in a version with a plugin. The objects are linked by binutils, in the first version that packs relative
# relocations, or by lld.
set(clang_versions ${NOPHOOK_LLVM} ${NOPHOOK_MORE_LLVM})
list(TRANSFORM clang_versions PREPEND "clang-")
list(JOIN clang_versions " | " any_clang)
list(JOIN clang_versions ", " each_clang)
set(CPACK_PACKAGE_NAME nophook)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "kernel ftrace for user space")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Compiled with one flag, every function of a program starts with a 5-byte NOP
that costs nothing; at run time any set of them becomes a call into a tracer.
This package has the plugin for ${each_clang}, a wrapper of that
compiler for builds that nobody wants to edit, the runtime, and the command
that records and reports.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${any_clang}, binutils (>= 2.38) | lld-${NOPHOOK_LLVM}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "patch") # nophook patch build
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "lld-${NOPHOOK_LLVM}, gcc, ccache, pkg-config, cmake")
include(debian_common.cmake)
