# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# beside_running.sh DIR WRAPPER PROGRAM LIB COMMAND...: commands while a program that was traced by
# itself waits for the end of its input. Its buffer is gone afterwards.
dir=$1 wrapper=$2 program=$3 lib=$4
shift 4
rm -rf "$dir/input" "$XDG_RUNTIME_DIR/nophook"
mkfifo "$dir/input"
NOPHOOK="current_tracer=function buffer_size_kb=1024" LD_PRELOAD="$lib/libnophook.so" $wrapper "$program" < "$dir/input" &
exec 3> "$dir/input"
while ! ls "$XDG_RUNTIME_DIR"/nophook/*.buf > /dev/null 2>&1; do
  sleep 0.05
done
for command in "$@"; do
  $command 2>&1 3>&-
done | sed 's/  */ /g'
exec 3>&-
wait
rm -rf "$XDG_RUNTIME_DIR/nophook"
