# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `./do package`: one Debian package, with everything, by CPack. Libraries that the command needs
# are found by dpkg-shlibdeps; the plugin's needs are not seen in it, because the compiler that
# loads it has them: hence clang, of the one version. What it compiles is linked by binutils,
# the first that packs relative relocations, or by lld.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nophook)
set(CPACK_PACKAGE_CONTACT "Nophook maintainers <maintainers@nophook.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "kernel ftrace for user space")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Compiled with one flag, every function of a program starts with a 5-byte NOP
that costs nothing; at run time any set of them becomes a call into a tracer.
This package has the plugin for clang ${NOPHOOK_LLVM}, a wrapper of that
compiler for builds that nobody wants to edit, the runtime, and the command
that records and reports.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${NOPHOOK_LLVM}, binutils (>= 2.38) | lld-${NOPHOOK_LLVM}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "patch") # nophook patch build
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "lld-${NOPHOOK_LLVM}, gcc, ccache, pkg-config, cmake")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# Debian wants to find both of these in every package.
install(FILES copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/nophook)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/changelog
"nophook (${PROJECT_VERSION}) unstable; urgency=low

  * See the history of the source.

 -- ${CPACK_PACKAGE_CONTACT}  Thu, 01 Jan 2026 00:00:00 +0000
")
add_custom_command(OUTPUT changelog.gz
  COMMAND gzip -9nc ${CMAKE_CURRENT_BINARY_DIR}/changelog > changelog.gz
  DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/changelog VERBATIM)
add_custom_target(nophook_changelog ALL DEPENDS changelog.gz)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/nophook)
include(CPack)
