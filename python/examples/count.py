# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts calls: nophook script count.py [PATH [FUNCTION...]]

Without functions, all calls; else those of each function.
"""

import collections
import sys

import nophook

counts = collections.Counter(event.function for event in nophook.events() if event.begins)
if sys.argv[1:]:
    for function in sys.argv[1:]:
        print(counts[function], function)
else:
    print(sum(counts.values()))
