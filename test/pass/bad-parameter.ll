; opt refuses a parameter that the pass does not know, and says why.
; RUN: not %opt -passes='nophook<min-size=1;colour>' -S %s -o %t 2>&1 | FileCheck %s --check-prefix=KEY
; RUN: not %opt -passes='nophook<min-size=%%4>' -S %s -o %t 2>&1 | FileCheck %s --check-prefix=ESCAPE
; RUN: not %opt -passes='nophooks' -S %s -o %t 2>&1 | FileCheck %s --check-prefix=NAME
; KEY: error: nophook: unknown option 'colour': there are min-size=N
; KEY: unknown pass name
; ESCAPE: error: nophook: '%' in 'min-size=%4' is not followed by two hexadecimal digits
; NAME-NOT: nophook:
; NAME: unknown pass name 'nophooks'
