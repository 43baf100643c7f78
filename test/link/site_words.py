# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many sites can be patched without a trap: site_words.py NOPHOOK FILE

The runtime's way needs the first two bytes of a site in one aligned 8-byte word, so that one
store can make a short jump of them.
"""

import json
import subprocess
import sys

text = subprocess.run([sys.argv[1], "list", "--json", sys.argv[2]], capture_output=True, text=True, check=True).stdout
sites = [json.loads(line)["site"] for line in text.splitlines() if '"site"' in line]
print(f"sites: {len(sites)}, in one word: {sum(site // 8 == (site + 1) // 8 for site in sites)}")
