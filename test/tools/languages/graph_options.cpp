// function_graph's options mean the same for C++, and for calls that an exception leaves.
// RUN: %traced_cxx %s -o %t && %nophook record --args --retval -o %t.data -- %t
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration -O funcgraph-tail %t.data | FileCheck %s --check-prefix=TAIL --match-full-lines --strict-whitespace
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration -O nofuncgraph-args -O nofuncgraph-retval -O funcgraph-overrun %t.data | FileCheck %s --check-prefix=BARE --match-full-lines --strict-whitespace
// RUN: %nophook report -O funcgraph-abstime -O funcgraph-proc -O nofuncgraph-overhead %t.data | FileCheck %s --check-prefix=WIDE --implicit-check-not="{{[+!#*@$] [0-9.]+ us}}"
// RUN: %nophook report %t.data | FileCheck %s --check-prefix=MARK
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration -O funcgraph-retval-hex %t.data | FileCheck %s --check-prefix=HEX
// RUN: %nophook report -O nograph-time --top %t.data | FileCheck %s --check-prefix=OWN
#include <ctime>
#define SEEN [[gnu::noinline, gnu::used]]
#define KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")
class Account {
public:
  SEEN int take(int sum) {
    KEEP(this);
    if (sum > left_)
      throw sum;
    return left_ -= sum;
  }
private:
  int left_ = 30;
};
struct Slow { SEEN ~Slow() { timespec pause = {0, 2000000}; nanosleep(&pause, nullptr); } };
template <class T> SEEN int spend(T &from, int sum) { int left = from.take(sum); KEEP(left); return left; }
int main() {
  Account account;
  { Slow slow; }
  spend(account, 10);
  try { spend(account, 100); } catch (int) {}
}
//      TAIL:main() {
// TAIL-NEXT:  Slow::~Slow(this={{.*}});
// TAIL-NEXT:  spend<Account>(from=0x[[A:[0-9a-f]+]], sum=10) {
// TAIL-NEXT:    Account::take(this=0x[[A]], sum=10); /* ret=20 */
// TAIL-NEXT:  } /* spend<Account> ret=20 */
// TAIL-NEXT:  spend<Account>(from=0x[[A]], sum=100) {
// TAIL-NEXT:    Account::take(this=0x[[A]], sum=100); /* left */
// TAIL-NEXT:  } /* spend<Account> left */
// TAIL-NEXT:} /* main ret=0 */
//      BARE:  spend<Account>() {
// BARE-NEXT:    Account::take();
// BARE-NEXT:  }
// BARE-NEXT: (Overruns: 0)
// BARE-NEXT:  spend<Account>() {
// BARE-NEXT:    Account::take(); /* left */
// BARE-NEXT:  } /* spend<Account> left */
// BARE-NEXT: (Overruns: 0)
// WIDE: TIME        CPU  TASK/TID         DURATION                  FUNCTION CALLS
// WIDE: {{^ *[0-9]+\.[0-9]+}} | {{ *[0-9]+}}) graph_o-{{[0-9]+ +\|   +[0-9.]+ us +}}|    } /* spend<Account> left */
// MARK: {{^ [0-9]+\) [#*@$] [0-9.]+ us +}}|    Slow::~Slow(
// HEX: Account::take(this=0x{{[0-9a-f]+}}, sum=10); /* ret=0x14 */
// HEX: } /* main ret=0x0 */
// OWN: Self  Self %  Hits  Function
// OWN-DAG: {{ 2 +}}spend<Account>{{$}}
// OWN-DAG: {{ 2 +}}Account::take{{$}}
