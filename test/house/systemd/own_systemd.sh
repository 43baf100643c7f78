#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A systemd of the test's own, as process 1 of a PID namespace, with the units of a folder and no others:
#
#   own_systemd.sh --probe                     whether this machine allows it
#   own_systemd.sh ROOT PROGRAM UNITS OUTPUT   starts all.target; returns when a unit has said exit, or after five minutes
#
# Units find the tree's build/ at /mnt/build, PROGRAM at /mnt/service and the folder OUTPUT at /mnt/out. The machine's own
# systemd, its units, cgroups, /run, /tmp and /var/lib are out of reach: each of these is another one in the namespaces. It
# needs root, and a version 2 hierarchy of cgroups in which a group can be made.
set -eu
systemd=/usr/lib/systemd/systemd
hierarchy=$(awk '$3 == "cgroup2" {print $2; exit}' /proc/self/mounts)
own=$(sed -n 's/^0:://p' /proc/self/cgroup)
group=$hierarchy${own%/}/nophook-systemd-$$
end() {
  find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
}
if [ "$1" = --probe ]; then
  test -x $systemd && test -n "$hierarchy" && mkdir "$group" && end && exec unshare -mpfCiun --kill-child --mount-proc mount -t cgroup2 none /mnt
  exit 1
fi
root=$1 program=$2 units=$3 output=$4
mkdir "$group"
trap end EXIT
(
  read -r pid _ </proc/self/stat
  echo "$pid" >"$group/cgroup.procs"
  exec timeout -s KILL 300 unshare -mpfCiun --kill-child --mount-proc sh -euc '
    root=$1 program=$2 units=$3 output=$4 systemd=$5
    mount --make-rprivate /
    mount -t tmpfs -o mode=755 none /mnt
    mkdir /mnt/build /mnt/out /mnt/units /mnt/root
    mount --bind "$root/build" /mnt/build
    mount --bind "$output" /mnt/out
    cp "$units"/* /mnt/units
    cp "$program" /mnt/service
    umount -R /sys/fs/cgroup 2>/dev/null || true
    mount -t cgroup2 none /sys/fs/cgroup
    for folder in /run /var/lib /etc/systemd/system /usr/lib/systemd/system /usr/lib/systemd/system-generators; do
      mount -t tmpfs -o mode=755 none $folder
    done
    for folder in /tmp /var/tmp; do
      mount -t tmpfs -o mode=1777 none $folder
    done
    cp /mnt/units/* /etc/systemd/system
    exec env -i container=nophook PATH="$PATH" "$systemd" --system --unit=all.target --log-target=console --show-status=no
  ' inner "$root" "$program" "$units" "$output" $systemd
) </dev/null
