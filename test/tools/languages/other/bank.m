// An Objective-C program is recorded with the names and the types of its methods, by clang's plugin and by gcc; exceptions pass traced frames.
// REQUIRES: objc
// RUN: rm -rf %t && mkdir %t && cd %t && gcc -fobjc-exceptions %sites %s -lobjc -o bank && ./bank && %nophook list --args bank 2>&1 | FileCheck %s
// RUN: %nophook record -o data -- ./bank && %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration data | FileCheck %s --check-prefix=TRACE
// RUN: env NOPHOOK_CC= %nophook cc -O1 -g -fobjc-exceptions -fobjc-runtime=gcc -DNO_THROW -I/usr/lib/gcc/x86_64-linux-gnu/12/include -L/usr/lib/gcc/x86_64-linux-gnu/12 %s -lobjc -o clang && ./clang && %nophook list --args clang 2>&1 | FileCheck %s
#import <objc/Object.h>
#include <objc/runtime.h>
@interface Account : Object {
  int left;
}
- (int)take:(int)sum from:(const char *)where;
+ (int)limit;
@end
@implementation Account
- (int)take:(int)sum from:(const char *)where {
  if (sum > [Account limit])
    @throw self;
  return left -= sum;
}
+ (int)limit {
  return 30;
}
@end
int main(void) {
  Account *account = class_createInstance(objc_getClass("Account"), 0);
  [account take:10 from:"home"];
#ifdef NO_THROW // gcc's library does not catch what clang throws
  return 0;
#endif
  @try {
    [account take:100 from:"bank"];
  } @catch (id thrown) {
    return thrown != account;
  }
  return 1;
}
// CHECK-DAG: call-through{{.*}} int _c_Account__limit(
// CHECK-DAG: call-through{{.*}} int _i_Account__take_from_({{.*}}Account *self, {{.*}}_cmd, int sum, const char *where)
// TRACE: main() {
// TRACE-NEXT: _i_Account__take_from_() {
// TRACE-NEXT: _c_Account__limit();
// TRACE: /* _i_Account__take_from_ left */
