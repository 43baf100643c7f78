# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The page of `nophook view`: its modules in node, and the whole page in Chromium. Run by ./do test; by hand:
# lit-22 -v test/view
#
#   %node     runs a module
#   %browse   runs a scenario of browse.mjs in Chromium
#   %root     the tree
#   %nophook  the command
#   %tsc      checks types
import os
import shutil
import sys

import lit.formats

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))
from features import runs

config.name = "view"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(os.path.dirname(config.test_source_root))
build = lit_config.params.get("build", os.path.join(root, "build"))
config.test_exec_root = os.path.join(build, "test-view")
os.makedirs(config.test_exec_root, exist_ok=True)

inputs = os.path.join(config.test_source_root, "Inputs")
node = shutil.which("node") or "node"
config.substitutions += [
    ("%node", node),
    ("%browse", f"{node} {inputs}/browse.mjs"),
    ("%inputs", inputs),
    ("%root", root),
    ("%nophook", os.path.join(build, "bin", "nophook")),
    ("%tsc", shutil.which("tsc") or "tsc"),
]
# Chromium writes below HOME, also for a user that has none.
home = os.path.join(config.test_exec_root, "home")
os.makedirs(home, exist_ok=True)
config.environment["HOME"] = home
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["PATH"] = "/usr/lib/llvm-22/bin:" + os.environ["PATH"]
for name in ("NOPHOOK_SCREENSHOTS", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if os.environ.get("NOPHOOK_LONG"):
    config.available_features.add("long")
if runs("unshare", "-m", "mount", "--bind", root, "/mnt"):
    config.available_features.add("mounts")
