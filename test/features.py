# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Features that tests of several suites may REQUIRE."""

import ctypes
import functools
import os
import shlex
import shutil
import struct
import subprocess


def runs(*command):
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


# It is mounted where tools look for it, in a namespace of the command's own.
MOUNT_TRACEFS = ["unshare", "-m", "sh", "-ec", 'mount -t tracefs none /sys/kernel/tracing; exec "$@"', "-"]


@functools.cache  # called for the feature, and for the words
def with_tracefs():
    """The words in front of a command that needs a mount of the kernel's tracing folder, over which ours is; None:
    there can be none."""
    if runs("grep", "-q", " /sys/kernel/tracing tracefs ", "/proc/mounts"):
        return ""
    return shlex.join(MOUNT_TRACEFS) if runs(*MOUNT_TRACEFS, "true") else None


def mount_features():
    """File systems of our own, on mounts that no other process sees; and the programs that look at them."""
    features = set()
    has_device = os.path.exists("/dev/fuse")
    if has_device and runs("unshare", "-rm", "sh", "-c", "exec 3<>/dev/fuse"):
        features.add("fuse")
    # An ordinary user may as well: with a device that is for all, as udev makes it. fusermount3 needs the list of mounts.
    if has_device and os.path.exists("/etc/mtab") and runs("unshare", "-m", "sh", "-ec", "mount -t tmpfs none /mnt; mknod -m 666 /mnt/fuse c 10 229; "
            "exec setpriv --reuid=nobody --regid=nogroup --clear-groups unshare -rm sh -c 'exec 3<>/mnt/fuse'"):
        features.add("unprivileged")
    if shutil.which("trace-cmd"):
        features.add("trace-cmd")
    if with_tracefs() is not None:
        features.add("tracefs")
    if runs("unshare", "-m", "sh", "-ec", "mount -t tracefs none /sys/kernel/tracing; mount -t debugfs none /sys/kernel/debug; "
            "test -e /sys/kernel/debug/tracing/README"):
        features.add("debugfs")
    return features


def aarch64_features(build):
    """Debian's cross compilers and libraries for the other CPU, our runtime for it, and what runs its programs here."""
    features = set()
    if os.path.exists(os.path.join(build, "aarch64", "lib", "libnophook.so")):
        features.add("aarch64-runtime")
    if shutil.which("aarch64-linux-gnu-g++") and os.path.exists("/usr/aarch64-linux-gnu/include/stdio.h"):
        features.add("aarch64-cross")
    if runs("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1", "--version"):
        features.add("qemu-aarch64")
    own_binfmt = os.path.join(os.path.dirname(__file__), "support", "own_binfmt.sh")
    if runs(own_binfmt, "aarch64", "/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1", "--version"):
        features.add("binfmt-aarch64")
    return features


def counts_instructions():
    """Whether the kernel gives us a hardware counter of our own, in user space."""
    attributes = struct.pack("<IIQ24xQ", 0, 112, 1, 1 << 5 | 1 << 6).ljust(112, b"\0")
    opened = ctypes.CDLL(None).syscall(298, attributes, 0, -1, -1, 8)
    if opened >= 0:
        os.close(opened)
    return opened >= 0
