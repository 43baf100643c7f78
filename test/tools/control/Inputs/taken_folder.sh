# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# taken_folder.sh NOPHOOK LIBRARY PROGRAM WAY...: takes the folder for buffers before the program starts, in memory and then
# in /tmp as well, in each WAY, and runs PROGRAM without a recorder, with a server and with a recorder. In a mount namespace:
# /mnt shows what /tmp and /dev/shm have hidden.
mount --rbind / /mnt
mount -t tmpfs -o mode=1777 none /dev/shm
mount -t tmpfs -o mode=1777 none /tmp
unset XDG_RUNTIME_DIR
nophook=/mnt$1 library=/mnt$2 program=/mnt$3
shift 3
memory=/dev/shm/nophook-$(id -u) disk=/tmp/nophook-$(id -u)
mkdir -m 700 /tmp/secret
take() {
  rm -rf "$2"
  case $1 in
    link) ln -s /tmp/secret "$2" ;;
    open) mkdir "$2" && chmod 777 "$2" ;;
    file) : > "$2" ;;
    owner) mkdir -m 700 "$2" && chown nobody "$2" ;;
    group) mkdir "$2" && chmod 750 "$2" ;;
    readonly) mkdir -m 700 "$2" && mount --bind "$2" "$2" && mount -o remount,ro,bind "$2" ;;
  esac
}
run() {
  status=0
  "$@" 2>&1 || status=$?
  echo "status $status"
}
traced() { run env NOPHOOK="log=stderr $1" LD_PRELOAD="$library" "$program"; }
files_in() { find "$@" -mindepth 1 \( -type f -o -type s \) | wc -l; }
for way; do
  rm -rf "$disk"
  take "$way" "$memory"
  before=$(stat -c '%F %a %U %N' "$memory")
  echo "$way, in memory:"
  traced current_tracer=function
  test "$(files_in "$disk")" -gt 0 && echo "the buffer is in $disk, $(stat -c %a "$disk")"
  run "$nophook" record -o /tmp/recorded -- "$program"
  take "$way" "$disk"
  echo "$way, in both:"
  traced current_tracer=function
  traced serve
  run "$nophook" record -o /tmp/recorded -- "$program"
  echo "files: $(files_in /tmp/secret "$memory" "$disk")"
  test "$before" = "$(stat -c '%F %a %U %N' "$memory")" && echo "the folder is as it was"
done
