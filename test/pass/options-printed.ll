; The options that the pass prints read back as the same options, whatever is in a path.
; RUN: rm -rf %t && mkdir %t && cd %t
; RUN: echo 'fun:small' > 'a,b;(c)<d>%%e.txt' && echo 'fun:*' > in.txt
; RUN: %opt -disable-output -print-pipeline-passes %s -passes='nophook<descriptors=off;exclude=a%%2cb%%3B%%28c%%29%%3Cd%%3E%%25e.txt;min-size=1;include=in.txt;min-size=2;only-exported>' > first
; RUN: FileCheck %s < first
; RUN: sed 's/,verify//' first | tr -d '\n' | sed "s/.*/-disable-output -print-pipeline-passes -passes='&'/" > arguments
; RUN: %opt @arguments %s | diff first -
; RUN: %opt -disable-output -print-pipeline-passes -passes='nophook<>' %s | FileCheck %s --check-prefix=DEFAULT
; CHECK: {{^}}nophook<min-size=2;include=in.txt;exclude=a%2Cb%3B%28c%29%3Cd%3E%25e.txt;only-exported;descriptors=off>{{(,verify)?$}}
; DEFAULT: {{^}}nophook{{(,verify)?$}}
