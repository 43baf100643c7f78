# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `./do package`: one Debian package, with everything, by CPack. Libraries that the command needs
# are found by dpkg-shlibdeps; the plugin's needs are not seen in it, because the compiler that
# loads it has them: hence clang, of the one version. What it compiles is linked by binutils,
# the first that packs relative relocations, or by lld.
set(CPACK_PACKAGE_NAME nophook)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "kernel ftrace for user space")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Compiled with one flag, every function of a program starts with a 5-byte NOP
that costs nothing; at run time any set of them becomes a call into a tracer.
This package has the plugin for clang ${NOPHOOK_LLVM}, a wrapper of that
compiler for builds that nobody wants to edit, the runtime, and the command
that records and reports.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${NOPHOOK_LLVM}, binutils (>= 2.38) | lld-${NOPHOOK_LLVM}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "patch") # nophook patch build
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "lld-${NOPHOOK_LLVM}, gcc, ccache, pkg-config, cmake")
include(debian_common.cmake)
