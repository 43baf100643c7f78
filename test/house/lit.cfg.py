# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The house: what must hold of the tree itself, its scripts and its documents.
# Run by ./do test; by hand: lit-22 -v test/house
import glob
import os
import shutil
import sys

import lit.formats

config.name = "house"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(os.path.dirname(config.test_source_root))
config.test_exec_root = os.path.join(root, "build", "house")
config.substitutions += [("%root", root)]

sys.path.insert(0, os.path.join(root, "test"))
from features import runs

# What a document's commands need beside the packages of the build.
if glob.glob("/usr/lib/llvm-22/lib/clang/22/lib/*/libclang_rt.asan*.a") and shutil.which("gcc") and shutil.which("valgrind"):
    config.available_features.add("sanitizers")
if runs("unshare", "-mpf", "--mount-proc", "true"):
    config.available_features.add("namespaces")
if shutil.which("gdb") and runs("perf", "record", "-q", "-e", "cpu-clock", "-o", "/dev/null", "true"):
    config.available_features.add("gdb-and-perf")
if shutil.which("systemd-analyze"):
    config.available_features.add("systemd-analyze")
config.environment["PATH"] = "/usr/lib/llvm-22/bin:" + os.environ["PATH"]
config.environment["CI"] = "true"
if os.environ.get("NOPHOOK_LONG"):
    config.available_features.add("long")
