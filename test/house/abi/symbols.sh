#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# symbols.sh SYMBOLS NM: whether the symbols that llvm-nm has listed are those of the table; shows the differences.
set -euo pipefail
export LC_ALL=C
diff <(grep -v '^#' "$1") <(awk '$2 != "A" { sub("@@", " ", $3); print $3 }' "$2" | sort)
