#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do two builds of a program, by gcc and by the plugin, list the same functions?

    same_functions.py PLUGIN GCC

They cannot list the same names: each compiler inlines, drops and clones static functions of its
own choice. So each build is first compared with its own symbol table, where nothing may be
missing on either side: every function of the file has a site, every site is a function's. Then a
function that only one build lists is one that the other has no body of; and it must be static,
because one that is not always has a body.

Each of gcc's clones (NAME.isra.0, NAME.part.0, NAME.constprop.0) has its site; NAME.cold is a part
of a function that nobody calls.
"""

import argparse
import json
import re
import subprocess

# Functions of the C library's start-up files and of nophook_module.o.
NOT_OURS = {"_start", "_init", "_fini", "deregister_tm_clones", "register_tm_clones", "__do_global_dtors_aux",
            "frame_dummy"}
SYMBOL = re.compile(r" *\d+: ([0-9a-f]{16}) +\S+ FUNC +(\w+) +\w+ +\d+ (\S+)$")
# At the function or behind an endbr64, and each time perhaps behind the prefix of six-byte sites.
SITE_OFFSETS = (0, 1, 4, 5)


class Build:
    def __init__(self, path):
        sites = {}
        done = subprocess.run(["nophook", "list", "--json", path], stdout=subprocess.PIPE, text=True, check=True)
        for line in map(json.loads, done.stdout.splitlines()):
            sites[line["site"]] = line
        self.entry_only = [f"{line['function']} ({line['reason']})" for line in sites.values()
                           if line["how"] == "entry_only"]
        self.sites = len(sites)
        self.listed, self.exported, self.without_site = set(), set(), set()
        found = set()
        done = subprocess.run(["llvm-readelf-22", "-sW", path], stdout=subprocess.PIPE, text=True, check=True)
        for address, binding, name in (match.groups() for match in map(SYMBOL.match, done.stdout.splitlines()) if match):
            if name in NOT_OURS or name.startswith("nophook_") or name.endswith(".cold"):
                continue
            at = [int(address, 16) + offset for offset in SITE_OFFSETS if int(address, 16) + offset in sites]
            found.update(at)
            source_name = name.split(".")[0]
            if not at:
                self.without_site.add(name)
            self.listed.add(source_name)
            if binding != "LOCAL":
                self.exported.add(source_name)
        self.without_symbol = [line["function"] for site, line in sites.items() if site not in found]

    def show(self, what):
        variadic = [name for name in self.entry_only if "(variadic)" in name]
        others = sorted(set(self.entry_only) - set(variadic))
        print(f"{what}: {self.sites} sites, {len(self.listed)} names")
        print(f"{what}: functions without site: {len(self.without_site)}", *sorted(self.without_site))
        print(f"{what}: sites without function: {len(self.without_symbol)}", *self.without_symbol)
        print(f"{what}: entry only: {len(variadic)} variadic, {len(others)} others,", end=" ")
        print("fewer than 1 %" if len(others) * 100 < self.sites else "1 % or more")
        if others:
            print(" ", *others)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plugin")
    parser.add_argument("gcc")
    arguments = parser.parse_args()
    builds = {what: Build(getattr(arguments, what)) for what in ("plugin", "gcc")}
    for what, build in builds.items():
        build.show(what)
    print(f"in both: {len(builds['plugin'].listed & builds['gcc'].listed)}")
    for what, other in (("plugin", "gcc"), ("gcc", "plugin")):
        only = builds[what].listed - builds[other].listed
        exported = only & builds[what].exported
        print(f"only {what}: {len(only)}, of these not static: {len(exported)}", *sorted(exported))
        print(" ", *sorted(only))


if __name__ == "__main__":
    main()
