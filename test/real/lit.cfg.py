# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Real programs: Lua, SQLite and zstd as Debian ships them, built by test/real/Makefile with the
# two flags, or with `nophook cc`, also by gcc, and without. Run by ./do test, which builds them first.
import os
import shutil
import sys

import lit.formats

config.name = "real"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(os.path.dirname(config.test_source_root))
config.nophook_build = build = lit_config.params.get("build", os.path.join(root, "build"))
config.test_exec_root = os.path.join(build, "test-real")
sys.path.insert(0, os.path.dirname(config.test_source_root))
from features import aarch64_features, mount_features, with_tracefs

config.available_features.update(mount_features())
config.available_features.update(aarch64_features(build))
if os.environ.get("NOPHOOK_LONG"):
    config.available_features.add("long")
if shutil.which("valgrind"):
    config.available_features.add("valgrind")
config.substitutions.append(("%with_tracefs", with_tracefs() or ""))
config.substitutions += [
    ("%zstd-plain", os.path.join(build, "real", "zstd-plain")),
    ("%zstd-gcc", os.path.join(build, "real", "zstd-gcc")),
    ("%zstd", os.path.join(build, "real", "zstd-traced")),
    ("%build", build),
    ("%real", os.path.join(build, "real")),
    ("%runtime", os.path.join(build, "lib", "libnophook.so")),
    ("%support", os.path.join(root, "test", "support")),
    ("%demo", os.path.join(root, "examples", "demo.lua")),
    ("%check-graph", os.path.join(config.test_source_root, "check_graph.py")),
    ("%same-functions", os.path.join(config.test_source_root, "same_functions.py")),
    ("%same-counts", os.path.join(config.test_source_root, "same_counts.py")),
    ("%same-calls", os.path.join(config.test_source_root, "both_cpus", "same_calls.py") + f" --build {build}"),
    ("%livepatch", os.path.join(config.test_source_root, "livepatch", "running.py") + f" --build {build}"),
    ("%root-time", os.path.join(config.test_source_root, "root_time.py")),
    # speedtest1 without the times, which nothing can make equal.
    ("%untimed", "sed -E 's/ +[0-9.]+s$//'"),
]
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), "/usr/lib/llvm-22/bin", os.environ["PATH"]])
