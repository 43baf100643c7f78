#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py NOPHOOK COMPILER SOURCE SCRATCH: each change of the source is found, and nothing else."""

import json
import os
import subprocess
import sys

# A change: what is in `changed`, `added`, `added_data`, and the names of `refused`.
CHANGES = {
    "MORE_LINES": ([], [], [], []),
    "NEW_STRING_BEFORE": ([], ["other_greeting"], [], []),
    "CHANGED_STRING": (["greeting"], [], [], []),
    "CHANGED_TABLE": (["choose"], [], [], []),
    "CHANGED_CONSTANT": (["scaled"], [], [], []),
    "CHANGED_STATIC_TABLE": (["kPrimes", "prime", "prime_too"], [], [], []),
    "CHANGED_GLOBAL_TABLE": ([], [], [], ["kPublic"]),
    "CHANGED_VALUE": ([], [], [], ["level"]),
    "CHANGED_SIZE": ([], [], [], ["state"]),
    "NEW_THREAD_LOCAL": (["next_number"], [], [], ["mine"]),
    "NEW_VARIABLE": (["next_number"], [], ["counted_too"], []),
    "CHANGED_INLINE": (["limited", "limited_sum"], [], [], []),
    "NEW_FUNCTION": (["helped"], ["helper"], [], []),
    "REMOVED_FUNCTION": ([], [], [], []),
    "NOW_GLOBAL": ([], [], [], ["next_state"]),
}


def main():
    nophook, compiler, source, scratch = sys.argv[1:]

    def built(change, level):
        target = os.path.join(scratch, f"{change}{level}.o")
        options = ["-c", level, "-g", "-ffunction-sections", "-fdata-sections", "-fpatchable-function-entry=5"]
        subprocess.run([compiler, *options, *([f"-D{change}"] if change else []), source, "-o", target], check=True)
        return target

    for level in ("-O0", "-O2") if "clang" in compiler else ("-O2",):
        before = built("", level)
        for change, (changed, added, data, refused) in CHANGES.items():
            if level == "-O0" and change == "CHANGED_INLINE":
                changed = ["limit"]
            ran = subprocess.run([nophook, "patch", "compare", "--json", before, built(change, level)], capture_output=True, text=True, check=False)
            if ran.returncode != bool(refused):
                sys.exit(f"{change} {level}: exit status {ran.returncode}: {ran.stdout}{ran.stderr}")
            said = json.loads(ran.stdout)
            unused = ["old_helper"] if change == "REMOVED_FUNCTION" else []
            expected = {"changed": changed, "added": added, "added_data": data, "unused": unused}
            found = {key: said[key] for key in expected}
            if found != expected or [one["name"] for one in said["refused"]] != refused:
                sys.exit(f"{compiler} {change} {level}: {said}, not {expected} and {refused}")
    before = built("", "-O2")
    for change in ("NEW_CONSTRUCTOR", "NEW_STATIC_OF_A_NAME"):
        ran = subprocess.run([nophook, "patch", "compare", "--json", before, built(change, "-O2")], capture_output=True, text=True, check=False)
        reasons = [one["reason"] for one in json.loads(ran.stdout)["refused"]]
        is_numbered = "clang" not in compiler  # clang calls it thrice.number
        if change == "NEW_CONSTRUCTOR" and not any("before main()" in reason for reason in reasons):
            sys.exit(f"{compiler} {change}: {ran.stdout}")
        if change == "NEW_STATIC_OF_A_NAME" and any("which is which" in reason for reason in reasons) != is_numbered:
            sys.exit(f"{compiler} {change}: {ran.stdout}")


main()
