# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tutorial_names.sh PAGE FUNCTIONS: prints each function that the page names in backquotes and that is not in the list of a
# report's functions; fails if there is one, or if the page names none.
names=$(grep -o '`[A-Za-z_]*::[A-Za-z_:]*`' "$1" | tr -d '`' | sort -u)
test -n "$names" || exit 1
for name in $names; do
  grep -Eq " $name(<|\$)" "$2" || printf '%s\n' "$name"
done | { ! grep .; }
