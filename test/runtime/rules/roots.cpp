// set_graph_function is these functions and all beneath them; set_graph_notrace leaves others out, with all beneath.
// RUN: %traced_cxx -O1 %s -o %t
// RUN: %trace -s 'set_graph_function=space::one,leaf* max_graph_depth=2' -- %t && %show --tree %t.buf | FileCheck --check-prefix=DEPTH %s
// RUN: %trace -s 'set_graph_function=space::one' -- %t && %show --tree %t.buf | FileCheck --check-prefix=ROOT %s
// RUN: %trace -s 'set_graph_notrace=space::*' -- %t && %show --tree %t.buf | FileCheck --check-prefix=NOT %s
// RUN: %trace -s 'set_graph_function=space::one set_graph_notrace=two*' -- %t && %show --tree %t.buf | FileCheck --check-prefix=BOTH %s
// RUN: %trace -s 'set_graph_function=nothing' -- %t && %show --tree %t.buf | FileCheck --check-prefix=NONE %s
#include "program.h"
NOINLINE void leaf(int n) { KEEP(n); }
NOINLINE void two() {
  leaf(2);
  KEEP(0);
}
namespace space {
NOINLINE void one() {
  leaf(1);
  two();
  KEEP(0);
}
} // namespace space
NOINLINE void throws() {
  space::one();
  throw 1;
}
int main() {
  leaf(0);
  space::one();
  two();
  try {
    throws();
  } catch (int) {
  }
  leaf(3);
  return failures;
}
// ROOT: thread {{.*}} 16 events, 0 holes, 8 returned
// ROOT-NEXT: {{^    }}_ZN5space3oneEv {
// ROOT-NEXT: {{^      }}_Z4leafi {
// ROOT-NEXT: {{^      }}} _Z4leafi
// ROOT-NEXT: {{^      }}_Z3twov {
// ROOT-NEXT: {{^        }}_Z4leafi {
// ROOT-NEXT: {{^        }}} _Z4leafi
// ROOT-NEXT: {{^      }}} _Z3twov
// ROOT-NEXT: {{^    }}} _ZN5space3oneEv
// ROOT-NEXT: {{^    }}_ZN5space3oneEv {
// DEPTH: thread {{.*}} 18 events, 0 holes, 9 returned
// DEPTH-NEXT: {{^    }}_Z4leafi {
// DEPTH-NEXT: {{^    }}} _Z4leafi
// DEPTH-NEXT: {{^    }}_ZN5space3oneEv {
// DEPTH-NEXT: {{^      }}_Z4leafi {
// DEPTH-NEXT: {{^      }}} _Z4leafi
// DEPTH-NEXT: {{^      }}_Z3twov {
// DEPTH-NEXT: {{^      }}} _Z3twov
// DEPTH-NEXT: {{^    }}} _ZN5space3oneEv
// NOT: thread {{.*}} 11 events, 0 holes, 5 returned, 0 tail calls, 1 unwound
// NOT-NEXT: {{^    }}main {
// NOT-NEXT: {{^      }}_Z4leafi {
// NOT-NEXT: {{^      }}} _Z4leafi
// NOT-NEXT: {{^      }}_Z3twov {
// NOT-NEXT: {{^        }}_Z4leafi {
// NOT-NEXT: {{^        }}} _Z4leafi
// NOT-NEXT: {{^      }}} _Z3twov
// NOT-NEXT: {{^      }}_Z6throwsv {
// NOT-NEXT: {{^      }}} unwound _Z6throwsv
// NOT-NEXT: {{^      }}_Z4leafi {
// BOTH: thread {{.*}} 8 events, 0 holes, 4 returned
// NONE: log: set_graph_function: no function matches 'nothing'
// NONE-NOT: thread
