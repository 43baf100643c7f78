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
    # An ordinary user may as well: with a device that is for all, as udev makes it.
    if runs("unshare", "-m", "sh", "-ec", "mount -t tmpfs none /mnt; mknod -m 666 /mnt/fuse c 10 229; "
            "exec setpriv --reuid=nobody --regid=nogroup --clear-groups unshare -rm sh -c 'exec 3<>/mnt/fuse'"):
        features.add("unprivileged")
    if shutil.which("trace-cmd"):
        features.add("trace-cmd")
    # It looks for a mount of the kernel's, over which ours is.
    if runs("grep", "-q", " /sys/kernel/tracing tracefs ", "/proc/mounts"):
        features.add("tracefs")
    return features
