--  An Ada program is recorded with the names and the types of its package's functions; exceptions pass traced frames.
--  REQUIRES: gnatmake
--  RUN: rm -rf %t && mkdir %t && cd %t && gnatmake -q -gnatws %s -cargs %sites -fno-inline -largs %sites && ./bank && %nophook list --args bank 2>&1 | FileCheck %s
--  RUN: %nophook record -o data -- ./bank && %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration data | FileCheck %s --check-prefix=TRACE
procedure Bank is
   package Accounts is
      Overdrawn : exception;
      type Account is record Left : Integer := 30; end record;
      procedure Take (From : in out Account; Sum : Integer);
   end Accounts;
   package body Accounts is
      procedure Take (From : in out Account; Sum : Integer) is
      begin
         if Sum > From.Left then
            raise Overdrawn;
         end if;
         From.Left := From.Left - Sum;
      end Take;
   end Accounts;
   A : Accounts.Account;
begin
   Accounts.Take (A, 10);
   begin
      Accounts.Take (A, 100);
   exception
      when Accounts.Overdrawn => A.Left := A.Left + 1;
   end;
   if A.Left /= 21 then
      raise Program_Error;
   end if;
end Bank;
--  CHECK-DAG: call-through{{.*}} bank__accounts__take{{.*}}(bank__accounts__account {{.*}}from, {{.*}}integer sum)
--  TRACE: _ada_bank() {
--  TRACE-NEXT: bank__accounts__take{{[.0-9]*}}();
--  TRACE-NEXT: bank__accounts__take{{[.0-9]*}}(); /* left */
