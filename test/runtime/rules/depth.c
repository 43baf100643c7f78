// max_graph_depth: 1 is only the calls that no recorded call is around, 2 these and what they call.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -s max_graph_depth=1 -l one -l two -l three -- %t && %show --tree %t.buf | FileCheck --check-prefix=ONE %s
// RUN: %trace -s max_graph_depth=2 -l one -l two -l three -- %t && %show --tree %t.buf | FileCheck --check-prefix=TWO %s
// RUN: %trace -s max_graph_depth=256 -l one -l two -l three -- %t && %show --tree %t.buf | FileCheck --check-prefix=ALL %s
#include "program.h"
NOINLINE void three(void) { KEEP(0); }
NOINLINE void two(int n) {
  KEEP(n);
  three();
  three();
  KEEP(0);
}
NOINLINE void one(void) {
  two(1);
  KEEP(0);
}
UNTRACED int main(void) {
  one();
  two(2);
  KEEP(0);
  three();
  return failures;
}
// ONE: 6 events, 0 holes, 3 returned, 0 tail calls, 0 unwound, 0 orphans, 0 open
// ONE-NEXT: {{^    }}one {
// ONE-NEXT: {{^    }}} one
// ONE-NEXT: {{^    }}two {
// ONE-NEXT: {{^    }}} two
// ONE-NEXT: {{^    }}three {
// ONE-NEXT: {{^    }}} three
// TWO: 12 events, 0 holes, 6 returned
// TWO-NEXT: {{^    }}one {
// TWO-NEXT: {{^      }}two {
// TWO-NEXT: {{^      }}} two
// TWO-NEXT: {{^    }}} one
// TWO-NEXT: {{^    }}two {
// TWO-NEXT: {{^      }}three {
// ALL: 16 events, 0 holes, 8 returned
