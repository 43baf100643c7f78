# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Manual pages and the completion. In the build tree they are where `man` looks if build/bin is in
# the PATH; installed they are compressed, as Debian wants them.
set(pages
  nophook nophook-attach nophook-cargo nophook-cc nophook-diff nophook-export nophook-get nophook-graph nophook-info
  nophook-latency nophook-ld nophook-list nophook-live nophook-mount nophook-patch nophook-ps nophook-record
  nophook-recover nophook-report nophook-reset nophook-script nophook-set nophook-show
  nophook-stack nophook-start nophook-stat nophook-stop nophook-top
  nophook-trace-cmd nophook-tracefs-exec nophook-view nophook-why recordmcount)
set(man_dir ${PROJECT_BINARY_DIR}/share/man/man1)
set(compressed)
foreach(page ${pages})
  configure_file(${PROJECT_SOURCE_DIR}/docs/man/${page}.1 ${man_dir}/${page}.1 @ONLY)
  add_custom_command(OUTPUT ${page}.1.gz
    COMMAND gzip -9nc ${man_dir}/${page}.1 > ${page}.1.gz DEPENDS ${man_dir}/${page}.1 VERBATIM)
  list(APPEND compressed ${CMAKE_CURRENT_BINARY_DIR}/${page}.1.gz)
endforeach()
file(CREATE_LINK nophook-cargo.1 "${man_dir}/nophook-rustc.1" SYMBOLIC)
file(CREATE_LINK nophook-cargo.1.gz "${CMAKE_CURRENT_BINARY_DIR}/nophook-rustc.1.gz" SYMBOLIC)
file(CREATE_LINK nophook-cc.1 "${man_dir}/nophook-c++.1" SYMBOLIC)
file(CREATE_LINK nophook-cc.1.gz "${CMAKE_CURRENT_BINARY_DIR}/nophook-c++.1.gz" SYMBOLIC)
add_custom_target(nophook_manual ALL DEPENDS ${compressed})
install(FILES ${compressed} "${CMAKE_CURRENT_BINARY_DIR}/nophook-c++.1.gz" "${CMAKE_CURRENT_BINARY_DIR}/nophook-rustc.1.gz"
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/completion/nophook.bash RENAME nophook
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_SOURCE_DIR}/completion/_nophook
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${PROJECT_SOURCE_DIR}/completion/nophook.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
