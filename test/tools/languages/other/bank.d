// A D program is recorded with the names and the types of its functions; exceptions pass traced frames.
// REQUIRES: gdc
// RUN: rm -rf %t && mkdir %t && cd %t && gdc %sites -fno-inline %s -o bank && ./bank && %nophook list --args bank 2>&1 | FileCheck %s
// RUN: %nophook record -o data -- ./bank && %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration data | FileCheck %s --check-prefix=TRACE
module bank;
struct Account {
    int left = 30;
    int take(int sum) {
        if (sum > left)
            throw new Exception("overdrawn");
        return left -= sum;
    }
}
int spend(ref Account a, int sum, string why) { return a.take(sum) + cast(int) why.length; }
void main() {
    Account a;
    spend(a, 10, "food");
    try
        spend(a, 100, "car");
    catch (Exception e)
        a.left++;
    assert(a.left == 21);
}
// CHECK-DAG: call-through{{.*}} int {{.*}}Account{{.*}}take{{.*}}(Account &this, int sum)
// CHECK-DAG: call-through{{.*}} int {{.*}}spend{{.*}}(Account &a, int sum, string why)
// TRACE: D main() {
// TRACE-NEXT: {{.*}}spend
// TRACE: {{.*}}take{{.*}}; /* left */
// TRACE-NEXT: } /* {{.*}}spend{{.*}} left */
