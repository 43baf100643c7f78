# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit suites: what the compiler, the linker, the runtime and the tools must do.

The compiler and its tools come from the LLVM that the plugin was built for, so the same files test
each version. One file makes one claim, which is its first line.
"""

import os
import shutil
import sys

import lit.formats

sys.path.insert(0, os.path.dirname(__file__))
from features import aarch64_features, counts_instructions, mount_features, runs, with_tracefs

config.name = f"nophook-llvm{config.nophook_llvm}"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".test", ".s"]
config.excludes = ["Inputs", "house", "real", "support", "unit", "stress", "fuzz", "view"]
config.test_source_root = os.path.join(config.nophook_source, "test")

# For the lit.local.cfg of the suites. The interpreter is that of the scripts' first lines: a shim of pyenv's takes 0.2 s more.
if os.path.exists("/usr/bin/python3"):
    config.python = "/usr/bin/python3"
config.clang = os.path.join(config.llvm_bin, "clang")
config.clangxx = os.path.join(config.llvm_bin, "clang++")

lib = os.path.join(config.nophook_build, "lib")
plugin = config.nophook_plugin
module = os.path.join(lib, "nophook_module.o")
script = os.path.join(config.nophook_build, "share", "nophook", "ftrace.lds")


def llvm(name):
    return os.path.join(config.llvm_bin, name)


config.substitutions += [
    # Compilers, bare; and with the one flag.
    (r"%clangxx\b", config.clangxx),
    (r"%clang\b", config.clang),
    (r"%instrument\b", f"-fplugin={plugin}"),
    # What an instrumented link takes, behind -fuse-ld= of the test's choice.
    (r"%tables\b", f"-Wl,-T,{script} {module}"),
    (r"%plugin\b", plugin),
    (r"%module\b", module),
    (r"%lds\b", script),
    (r"%lib\b", lib),
    (r"%include\b", os.path.join(config.nophook_source, "include")),
    (r"%nophook\b", os.path.join(config.nophook_build, "bin", "nophook")),
    # AArch64: the module object, a program's runner.
    (r"%aarch64-module\b", os.path.join(lib, "aarch64-linux-gnu", "nophook_module.o")),
    (r"%aarch64-run\b", "qemu-aarch64 -L /usr/aarch64-linux-gnu"),
    # In front of a command for which the kernel runs them, or does not.
    (r"%own-binfmt\b", os.path.join(config.nophook_source, "test", "support", "own_binfmt.sh")),
    # LLVM's tools.
    (r"%opt\b", f"{llvm('opt')} -load-pass-plugin={plugin}"),
    (r"%llc\b", llvm("llc")),
    (r"%llvm-dis\b", llvm("llvm-dis")),
    (r"%readelf\b", f"{llvm('llvm-readelf')} -W"),
    (r"%objdump\b", llvm("llvm-objdump")),
    (r"%objcopy\b", llvm("llvm-objcopy")),
    (r"%strip\b", llvm("llvm-strip")),
    # One entry section or the other, see llvm-pass/compat.h.
    (r"%table\b", ".nophook.addresses" if config.nophook_llvm >= 21 else "__patchable_function_entries"),
    (r"%python\b", config.python),
]
config.environment["PATH"] = os.pathsep.join([config.llvm_bin, os.environ["PATH"]])
config.environment["LC_ALL"] = "C.UTF-8"
# qemu-user allocates by GLib's slices, whose lock another thread may hold while a guest's thread forks: the child
# then waits for ever. malloc's locks are free in a child.
config.environment["G_SLICE"] = "always-malloc"

# The other supported version's compiler, if it is installed, and a plugin for it.
other_llvm = f"llvm-{ {22: 19, 19: 22}[config.nophook_llvm] }"
other_clang = f"/usr/lib/{other_llvm}/bin/clang"
config.substitutions.insert(0, (r"%other-clang\b", other_clang))

# What a test may REQUIRE. `long` is ./do test --all.
if os.environ.get("NOPHOOK_LONG"):
    config.available_features.add("long")
    config.environment["NOPHOOK_LONG"] = "1"
if os.path.exists(other_clang):
    config.available_features.add("other-clang")
    if os.path.exists(os.path.join(lib, other_llvm, "NophookPass.so")):
        config.available_features.add("other-plugin")
config.available_features.add(f"llvm{config.nophook_llvm}")
if shutil.which("ld.bfd"):
    config.available_features.add("gnu-ld")
if os.path.exists(llvm("ld.lld")):
    config.available_features.add("lld")
for tool in ("gcc", "gdb", "gfortran", "mold", "dwz", "dwp", "valgrind", "zstd"):
    if shutil.which(tool):
        config.available_features.add(tool)
if os.path.exists(llvm("llvm-bolt")):
    config.available_features.add("bolt")
if shutil.which("ld.gold"):
    config.available_features.add("gold")
config.available_features.update(aarch64_features(config.nophook_build))
config.available_features.update(mount_features())
if runs("unshare", "-pf", "--mount-proc", "true"):
    config.available_features.add("pid-namespaces")
if runs("unshare", "-pf", "--mount-proc", "sh", "-c", "echo 100 > /proc/sys/kernel/ns_last_pid"):
    config.available_features.add("chosen-tids")
if counts_instructions():
    config.available_features.add("pmu")
config.substitutions.append(("%with_tracefs", with_tracefs() or ""))

# strace is often installed where ptrace is not allowed.
if runs("strace", "-o", "/dev/null", "true"):
    config.available_features.update(["strace", "ptrace"])
