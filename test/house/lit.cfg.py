# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The house: what must hold of the tree itself, its scripts and its documents.
# Run by ./do test; by hand: lit-22 -v test/house
import os

import lit.formats

config.name = "house"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(os.path.dirname(config.test_source_root))
config.test_exec_root = os.path.join(root, "build", "house")
config.substitutions += [("%root", root)]
config.environment["PATH"] = "/usr/lib/llvm-22/bin:" + os.environ["PATH"]
config.environment["CI"] = "true"
