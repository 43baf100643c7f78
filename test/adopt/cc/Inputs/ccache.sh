# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles a.c again and again by ./bin/nophook and says when ccache had it. Argument: LLVM's
# version.
set -e
CCACHE_DIR=$PWD/cache CCACHE_CONFIGPATH=/dev/null NOPHOOK_CC="ccache clang-$1"
export CCACHE_DIR CCACHE_CONFIGPATH NOPHOOK_CC
compile() {
  ccache -z >/dev/null
  bin/nophook cc -O1 -fplugin-arg-nophook-exclude=list -c a.c -o a.o
  echo "$1: $(ccache --print-stats | awk '/^(direct|preprocessed)_cache_hit/ { n += $2 } END { print n + 0 }') hits"
}
compile first
compile again
touch -d 2001-01-01 lib/NophookPass.so
compile "another plugin"
compile again
echo 'fun:work' >list
compile "another list"
bin/nophook cc a.o -o a
bin/nophook list --summary a
