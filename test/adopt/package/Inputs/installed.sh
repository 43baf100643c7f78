#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs nophook_*.deb beside this script, on a machine that has nothing yet, and adopts one C
# and one C++ program by it. Run by ./do fresh.
set -eux
cd "$(dirname "$0")"
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends ./nophook_*.deb make
cat >hello.c <<'END'
#include <stdio.h>
int main(void) { return puts("hello from C") < 0; }
END
cat >hello++.cpp <<'END'
#include <iostream>
int main() { std::cout << "hello from C++\n"; }
END
make CC="nophook cc" CXX="nophook c++" CFLAGS=-Werror hello hello++
for program in hello hello++; do
  nophook list $program
  nophook record -p function_graph -o data -- ./$program 2>record.txt
  cat record.txt
  grep -q ' 0 events lost' record.txt
  nophook report data | grep 'main()'
done
NOPHOOK_RUNTIME=static nophook cc -static hello.c -o fixed
nophook record -o data -- ./fixed
dpkg -V nophook
test -e /usr/share/man/man1/nophook.1.gz
bash -n /usr/share/bash-completion/completions/nophook
apt-get remove -q -y nophook
test ! -e /usr/bin/nophook -a ! -e /usr/lib/x86_64-linux-gnu/nophook
echo "the package works"
