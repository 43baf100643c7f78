# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For dash.toml: functions, recursion, loops, traps, pipes, here-documents, subshells (each a fork child),
# arithmetic, pattern matching.
set -eu
fib() { if [ "$1" -lt 2 ]; then echo "$1"; else echo $(($(fib $(($1 - 1))) + $(fib $(($1 - 2))))); fi; }
echo "fib 9: $(fib 9)"
i=0 sum=0
while [ $i -lt 20000 ]; do
  case $i in *7*) sum=$((sum + i)) ;; *[02468]) : ;; *) sum=$((sum - 1)) ;; esac
  i=$((i + 1))
done
echo "sum $sum"
for word in one two three; do echo "$word" | { read -r x; echo "<$x>"; }; done
trap 'echo usr1' USR1
(kill -USR1 $$)
on_exit() { echo "left with $?"; }
trap on_exit EXIT
sh_in_sh=$( (echo a; (echo b; (echo c)) ) | while read -r l; do printf '%s.' "$l"; done)
echo "$sh_in_sh"
while read -r a b; do echo "$b $a"; done <<END
1 first
2 second
END
set -- a b c d
shift 2
echo "$# ${1%b} ${2:-none} ${3:-none}"
f() { local v=$1; [ "$v" -gt 0 ] && f $((v - 1)); echo "f$v" >&2; }
f 5 2>&1 | tr '\n' ' '
echo
eval 'g() { echo evaluated "$@"; }'
g 1 2
exec 3>&1
(echo to three >&3)
wait
exit 7
