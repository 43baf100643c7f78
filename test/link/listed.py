# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does `nophook list` show every function of a linked file, each once?

    listed.py NOPHOOK READELF FILE [FOREIGN]

The truth is the symbol table: every address at which a function symbol stands. Not
expected are functions of the C library's start files and those whose name matches the
regular expression FOREIGN (what sanitizers and profilers bring along). Functions of private
linkage have no symbol: those are counted. Prints how many, or what is wrong.
"""

import json
import re
import subprocess
import sys

START_FILES = {"_start", "_init", "_fini", "_dl_relocate_static_pie", "deregister_tm_clones",
               "register_tm_clones", "__do_global_dtors_aux", "frame_dummy", "_dl_fini"}


def functions(readelf, path, foreign):
    """Names by address."""
    found = {}
    command = [readelf, "-W", "--symbols", path]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[3] == "FUNC" and fields[6] not in ("UND", "Ndx"):
            name = fields[7].split("@")[0]
            if name not in START_FILES and not (foreign and re.search(foreign, name)):
                found.setdefault(int(fields[1], 16), set()).add(name)
    return found


def main():
    nophook, readelf, path, *foreign = sys.argv[1:]
    text = subprocess.run([nophook, "list", "--json", path], capture_output=True, text=True, check=True).stdout
    sites = [json.loads(line)["site"] for line in text.splitlines() if '"site"' in line]
    twice = {site for site in sites if sites.count(site) > 1}
    expected = functions(readelf, path, foreign[0] if foreign else "")
    # Behind endbr64 there are four bytes more.
    missing = [names for address, names in expected.items() if not {address, address + 4} & set(sites)]
    private = [site for site in sites if not {site, site - 4} & expected.keys()]
    for what, wrong in (("listed twice", twice), ("not listed", missing)):
        if wrong:
            print(f"{what}: {len(wrong)} of {len(expected)}: {sorted(map(str, wrong))[:10]}")
    if twice or missing:
        return 1
    print(f"each function once: {len(sites)}" + (f", {len(private)} without a symbol" if private else ""))
    return 0


sys.exit(main())
