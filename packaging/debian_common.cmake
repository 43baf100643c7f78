# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The settings that our Debian packages share. CPACK_PACKAGE_NAME is the package's.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Nophook maintainers <maintainers@nophook.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# Debian wants to find both of these in every package.
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_PACKAGE_NAME})
install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc_dir})
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/changelog
"nophook (${PROJECT_VERSION}) unstable; urgency=low

  * See the history of the source.

 -- ${CPACK_PACKAGE_CONTACT}  Thu, 01 Jan 2026 00:00:00 +0000
")
add_custom_command(OUTPUT changelog.gz
  COMMAND gzip -9nc ${CMAKE_CURRENT_BINARY_DIR}/changelog > changelog.gz
  DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/changelog VERBATIM)
add_custom_target(nophook_changelog ALL DEPENDS changelog.gz)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz DESTINATION ${doc_dir})
include(CPack)
