# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The facts that a table's numbers depend on: the processor, the changes that the kernel and a hypervisor make to it, and the versions of the tools."""

import os
import pathlib
import platform
import re
import subprocess

VERSIONS = {  # of compilers, and of the peers' packages; XRay's runtime is clang's
    "clang": "clang-22", "gcc": "gcc", "LLVM XRay": "llvm-xray-22", "uftrace": "uftrace", "LTTng": "lttng", "perf": "perf",
    "valgrind": "valgrind"}


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def output_of(*command):
    """Empty if there is no such command. An exit status is no error: systemd-detect-virt prints `none` with 1."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def version_of(command):
    found = re.search(r"\d+\.\d+[\w.+~-]*", output_of(command, "--version"))
    return found[0] if found else "not installed"


def field(text, name):
    found = re.search(rf"^{name}\s*:\s*(.*)$", text, re.MULTILINE)
    return found[1] if found else ""


def hypervisor(cpuinfo):
    """Its name if systemd knows it, else that there is one: the processor sets a flag for it."""
    name = output_of("systemd-detect-virt", "--vm")
    if name in ("", "none"):
        has_flag = "hypervisor" in field(cpuinfo, "flags").split()
        name = "yes, its name is unknown" if has_flag else "none"
    product = " ".join(filter(None, (read(f"/sys/class/dmi/id/{key}") for key in ("sys_vendor", "product_name"))))
    return f"{name} ({product})" if product and name != "none" else name


def machine():
    cpuinfo = read("/proc/cpuinfo")
    return {
        "cpu": field(cpuinfo, "model name") or "unknown processor",
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "load_before": os.getloadavg()[0],
        "memory_mib": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
        "hypervisor": hypervisor(cpuinfo),
        "governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") or "the kernel shows none",
        "libc": " ".join(platform.libc_ver()),
        "versions": {name: version_of(command) for name, command in VERSIONS.items()},
    }
