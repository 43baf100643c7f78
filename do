#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The one entry to this tree. A newcomer on a bare Debian 12 has nothing but this file:
# each verb installs what it lacks, builds what it needs and then does what it says. Every
# verb may be run again at any time and is quick when there is nothing left to do.
#
# A verb is the executable scripts/<verb>; what they share is in scripts/common.sh and the
# packages each one needs are in scripts/packages.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

usage() {
  cat <<'END'
Nophook: the kernel's ftrace, for user space.

  ./do demo      build, trace a Lua script whole, show the call graph and what it cost
  ./do test      run every test; ends with "N passed, N failed" (-k PATTERN: only those;
                 --all: each in its long form, too; --real: only the real programs, for
                 longer; --sanitize: the runtime under AddressSanitizer and ThreadSanitizer)
  ./do build     build into build/: bin/nophook, lib/NophookPass.so, lib/libnophook.so
                 (--target aarch64: the runtime for AArch64; --command: the command for it)
  ./do package   make a Debian package of it: build/nophook_VERSION_amd64.deb
                 (--target aarch64: of the runtime: build/libnophook_VERSION_arm64.deb)
  ./do bench     measure what tracing costs here, against the budgets (--peers: beside other tracers)
  ./do lint      clang-format, clang-tidy, and the include-layer check (--fix: format)
  ./do mutants   break the runtime on purpose: the torture program must see each fault
  ./do fresh     prove it: a minimal Debian in a folder, the committed tree: test, demo, package
  ./do clean     remove build/ (--all: the downloaded sources and the Debian, too)

Packages that are missing are installed by apt (root or sudo). Logs: build/log/.
END
}

verb=${1:-help}
case $verb in
  build | test | demo | package | bench | lint | clean | fresh | mutants)
    shift
    exec "scripts/$verb" "$@"
    ;;
  help | -h | --help)
    usage
    ;;
  *)
    echo "do: unknown verb: $verb (./do alone lists them)" >&2
    exit 2
    ;;
esac
