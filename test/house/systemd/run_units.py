#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs examples/service.c under a systemd of its own, once for each hardening option of docs/systemd.md, and both units of the page.

    run_units.py ROOT PROGRAM SCRATCH          runs them
    run_units.py ROOT PROGRAM SCRATCH PAGE     judges the run that SCRATCH has by another PAGE

A row of the page's table has a line here for each option that its first cell names, with the value that is tried, or
"not tried" in its last cell. Below each of them the service is traced without a recorder. It ends as usual, and its buffer
has every call: 50 of handle(). Where the value is too tight, tracing is refused with a line, and the service ends as usual, too.
An option with a star adds a seccomp filter, one without a star adds none. Some services are also attached to without preparation.
"""

import pathlib
import re
import shutil
import subprocess
import sys

REQUESTS = 50
TRACED, REFUSED, KILLED = f"success, {REQUESTS} calls", "success, not tracing", "killed, 0 calls"

BASE = """[Unit]
DefaultDependencies=no

[Service]
Type=oneshot
User=daemon
ExecStartPre=/usr/bin/grep -s Seccomp /proc/self/status
ExecStart=/mnt/service {requests}
ExecStopPost=+/usr/bin/sh -c 'echo result $SERVICE_RESULT'
StandardOutput=append:/mnt/out/{name}
RuntimeDirectory={name}
RuntimeDirectoryMode=0700
RuntimeDirectoryPreserve=yes
Environment="NOPHOOK=serve log=stderr buffer_dir=/run/{name} buffer_mode=overwrite buffer_size_kb=1024 current_tracer=function_graph"
"""
PRELOAD = "Environment=LD_PRELOAD=/mnt/build/lib/libnophook.so\n"

# The values that are tried of each option, and their results.
TRIED = {
    "NoNewPrivileges": [("yes", TRACED)],
    "CapabilityBoundingSet": [("", TRACED)],
    "AmbientCapabilities": [("CAP_NET_BIND_SERVICE", TRACED)],
    "MemoryDenyWriteExecute": [("yes", TRACED)],
    "SystemCallFilter": [("@system-service\nSystemCallErrorNumber=EPERM", TRACED),
                         ("~mkdirat ftruncate\nSystemCallErrorNumber=EPERM", REFUSED),
                         ("~ftruncate", KILLED)],
    "SystemCallArchitectures": [("native", TRACED)],
    "SystemCallLog": [("@mount", TRACED)],
    "RestrictAddressFamilies": [("AF_UNIX", TRACED), ("AF_INET", TRACED)],
    "RestrictNamespaces": [("yes", TRACED)],
    "RestrictSUIDSGID": [("yes", TRACED)],
    "RestrictRealtime": [("yes", TRACED)],
    "CPUSchedulingPolicy": [("fifo", TRACED)],
    "LockPersonality": [("yes", TRACED)],
    "ProtectSystem": [("strict", TRACED)],
    "ReadOnlyPaths": [("/", TRACED)],
    "ProtectHome": [("yes", TRACED)],
    "ProtectControlGroups": [("yes", TRACED)],
    "PrivateTmp": [("yes", TRACED)],
    "PrivateDevices": [("yes", TRACED)],
    "PrivateUsers": [("yes", TRACED)],
    "PrivateNetwork": [("yes", TRACED)],
    "PrivateIPC": [("yes", TRACED)],
    "ProtectKernelTunables": [("yes", TRACED)],
    "ProtectKernelModules": [("yes", TRACED)],
    "ProtectKernelLogs": [("yes", TRACED)],
    "ProtectClock": [("yes", TRACED)],
    "ProtectHostname": [("yes", TRACED)],
    "ProtectProc": [("invisible", TRACED)],
    "ProcSubset": [("pid", TRACED)],
    "DynamicUser": [("yes\nUser=", TRACED)],
    "RootDirectory": [("/mnt/root\nMountAPIVFS=yes\nBindReadOnlyPaths=/usr /usr/lib64:/lib64 /usr/lib:/lib /mnt/build /mnt/service", TRACED)],
    "LimitFSIZE": [("256K", REFUSED), ("64M", TRACED)],
    "LimitAS": [("6M", "success, 0 calls, lost"), ("1G", TRACED)],
    "LimitNOFILE": [("16", TRACED)],
    "LimitMEMLOCK": [("64K", TRACED)],
    "SecureBits": [("noroot", TRACED)],
}

# Services that are attached to by the page's command, without preparation, and a part of what it says.
ATTACHED = {
    "NoNewPrivileges": "of 1 function in 1 thread, 0 events lost",
    "PrivateUsers": "of 1 function in 1 thread, 0 events lost",
    "DynamicUser": "of 1 function in 1 thread, 0 events lost",
    "RestrictSUIDSGID": "of 1 function in 1 thread, 0 events lost",
    "RestrictNamespaces": "of 1 function in 1 thread, 0 events lost",
    "PrivateDevices": "of 1 function in 1 thread, 0 events lost",
    "ProtectKernelModules": "of 1 function in 1 thread, 0 events lost",
    "RestrictAddressFamilies": "of 1 function in 1 thread, 0 events lost",
    "PrivateNetwork": "of 1 function in 1 thread, 0 events lost",
    "SystemCallFilter": "of 1 function in 1 thread, 0 events lost",
    "MemoryDenyWriteExecute": "its seccomp filter lets mprotect (PROT_EXEC) fail",
}
ATTACHED_UNIT = """[Unit]
DefaultDependencies=no

[Service]
Type=exec
ExecStart=/mnt/service
User=daemon
{option}={value}
"""

TARGET = """[Unit]
DefaultDependencies=no
Wants=check.service {wants}
"""
CHECK = """[Unit]
DefaultDependencies=no
After={wants}
SuccessAction=exit-force
FailureAction=exit-force

[Service]
Type=oneshot
StandardOutput=file:/mnt/out/check.log
StandardError=file:/mnt/out/check.log
ExecStart=/usr/bin/sh -ex /mnt/units/check.sh
"""
# The buffers that are left, and the two units of the page, by the commands of the page.
SCRIPT = """PATH=/mnt/build/bin:$PATH
for name in {names}; do
  (nophook recover -o /mnt/out/$name.data /run/$name && nophook report --by function --fields hits /mnt/out/$name.data) > /mnt/out/$name.calls 2>&1 || true
done
systemctl start example
pid=$(systemctl show --property MainPID --value example)
until nophook get $pid current_tracer; do kill -0 $pid; sleep 0.1; done > /mnt/out/example.tracer 2>/dev/null
systemctl kill --signal=SEGV example
until test "$(systemctl is-active example)" = failed; do sleep 0.1; done
nophook recover -o /mnt/out/example.data /run/example
nophook report --by function --fields hits /mnt/out/example.data > /mnt/out/example.calls
for option in {attached}; do
  systemctl start attach-$option
  ({attach}) > /mnt/out/attach-$option 2>&1 || true
  systemctl stop attach-$option
done
systemctl start recorded
until test -s /var/lib/recorded/*.data; do sleep 0.1; done
sleep 1
systemctl stop recorded
nophook info /var/lib/recorded/*.data > /mnt/out/recorded.info
"""


def table(page):
    """(options, whether there is a star, last cell) of each row."""
    rows = page.read_text(encoding="utf-8").split("## Hardening options")[1].splitlines()
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        if row.startswith("| ") and not row.startswith("| option"):
            yield re.findall(r"`(\w+)=?[^`]*`", cells[0]), cells[0].endswith("*"), cells[-1]


def units_of(page):
    """The units of the page, with the paths of this test's programs."""
    for block in re.findall(r"^```ini\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        text = block.replace("/usr/bin/nophook", "/mnt/build/bin/nophook").replace("/usr/local/bin/service", "/mnt/service")
        text = re.sub(r"/usr/lib/\S*/libnophook.so", "/mnt/build/lib/libnophook.so", text)
        text = text.replace("[Unit]", "[Unit]\nDefaultDependencies=no", 1)
        name = block.splitlines()[0].rsplit("/", 1)[1]
        yield name, text.replace("[Service]", f"[Service]\nExecStopPost=+/usr/bin/sh -c 'echo $SERVICE_RESULT $EXIT_CODE $EXIT_STATUS >/mnt/out/{name}.result'", 1)


def names_of_units():
    for option, tries in TRIED.items():
        for number, (value, expected) in enumerate(tries, 1):
            yield f"{option}-{number}", option, value, expected


def write_units(folder, page):
    names = ["nothing"]
    (folder / "nothing.service").write_text(BASE.format(name="nothing", requests=REQUESTS) + PRELOAD)
    for name, option, value, _ in names_of_units():
        text = BASE.format(name=name, requests=REQUESTS) + PRELOAD + f"{option}={value}\n"
        (folder / f"{name}.service").write_text(text)
        names.append(name)
    for name, text in units_of(page):
        (folder / name).write_text(text)
    wants = " ".join(f"{name}.service" for name in names)
    (folder / "all.target").write_text(TARGET.format(wants=wants))
    (folder / "check.service").write_text(CHECK.format(wants=wants))
    for option in ATTACHED:
        (folder / f"attach-{option}.service").write_text(ATTACHED_UNIT.format(option=option, value=TRIED[option][0][0]))
    attach = re.search(r"^nophook attach .*", page.read_text(encoding="utf-8"), re.MULTILINE)[0]
    attach = attach.replace("--duration 10s", "--duration 200ms -o /mnt/out/attach-$option.data").replace("example)", "attach-$option)")
    (folder / "check.sh").write_text(SCRIPT.format(names=" ".join(names), attached=" ".join(ATTACHED), attach=attach))


def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def calls_of(output, name):
    found = re.search(r"^ *(\d+) +handle$", text_of(output / f"{name}.calls"), re.MULTILINE)
    return int(found[1]) if found else 0


def outcome(output, name):
    said = text_of(output / name)
    result = re.search(r"^result (.*)$", said, re.MULTILINE)
    result = {"signal": "killed", "core-dump": "killed"}.get(result[1], result[1]) if result else "no result"
    if "nophook: not tracing" in said:
        return f"{result}, not tracing"
    return f"{result}, {calls_of(output, name)} calls{', lost' if 'events may be lost' in said else ''}"


def filters(output, name):
    found = re.search(r"^Seccomp_filters:\s*(\d+)", text_of(output / name), re.MULTILINE)
    return int(found[1]) if found else -1


def run(root, program, scratch, page):
    shutil.rmtree(scratch, ignore_errors=True)
    units, output = scratch / "units", scratch / "out"
    units.mkdir(parents=True)
    output.mkdir()
    output.chmod(0o777)
    write_units(units, page)
    with (scratch / "log").open("w") as log:
        subprocess.run([pathlib.Path(__file__).with_name("own_systemd.sh"), root, program, units, output], check=False, stdout=log, stderr=log)


def main():
    root, program, scratch = (pathlib.Path(arg).resolve() for arg in sys.argv[1:4])
    page = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else root / "docs/systemd.md"
    output = scratch / "out"
    if len(sys.argv) <= 4:
        run(root, program, scratch, page)
    wrong = []
    stars = {}
    for options, star, shown in table(page):
        for option in options:
            stars[option] = star
            if option not in TRIED and "not tried" not in shown:
                wrong.append(f"{option}: the page does not say that it is not tried")
    wrong += [f"{option}: it is tried, and the page has no row" for option in TRIED if option not in stars]
    none = filters(output, "nothing")
    print(f"without an option: {outcome(output, 'nothing')}")
    for name, option, value, expected in names_of_units():
        got, more = outcome(output, name), filters(output, name) - none
        print(f"{option}={value.splitlines()[0] if value else ''}: {got}{', a filter' if more > 0 else ''}")
        if got != expected:
            wrong.append(f"{option}={value.splitlines()[0] if value else ''}: {got}, not {expected}")
        if stars.get(option, more > 0) != (more > 0):
            wrong.append(f"{option}: {'a filter, and no star' if more > 0 else 'a star, and no filter'}")
    for option, expected in ATTACHED.items():
        said = text_of(output / f"attach-{option}").strip()
        print(f"attach, {option}: {said.splitlines()[-1] if said else ''}")
        if expected not in said:
            wrong.append(f"attach, {option}: not {expected}")
    print(f"example.service: serves {text_of(output / 'example.tracer').strip()}; {text_of(output / 'example.service.result').strip()}; "
          f"{calls_of(output, 'example') or 'no'} calls before the crash")
    end = re.search("^end +(.*)", text_of(output / "recorded.info"), re.MULTILINE)
    print(f"recorded.service: {text_of(output / 'recorded.service.result').strip()}; {end[1] if end else 'no recording'}")
    print("\n".join(wrong or ["the page holds"]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
