# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a test may REQUIRE that several suites ask for."""

import os
import shutil
import subprocess


def runs(*command):
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def mount_features():
    """File systems of our own, on mounts that nobody else sees; and whoever looks at them."""
    features = set()
    if os.path.exists("/dev/fuse") and runs("unshare", "-rm", "sh", "-c", "exec 3<>/dev/fuse"):
        features.add("fuse")
    if shutil.which("trace-cmd"):
        features.add("trace-cmd")
    # It looks for a mount of the kernel's, over which ours is.
    if runs("grep", "-q", " /sys/kernel/tracing tracefs ", "/proc/mounts"):
        features.add("tracefs")
    return features
