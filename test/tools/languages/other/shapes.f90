! A Fortran program is recorded with the names and the types of its module's functions.
! REQUIRES: gfortran
! RUN: rm -rf %t && mkdir %t && cd %t && gfortran %sites %s -o shapes && %nophook list --args shapes 2>&1 | FileCheck %s
! RUN: %nophook record --args -o data -- ./shapes && %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration data | FileCheck %s --check-prefix=TRACE
! RUN: %nophook record -l '__shapes_MOD_*' -o data -- ./shapes && %nophook report --top data | FileCheck %s --check-prefix=FILTER --implicit-check-not=MAIN
module shapes
  type point
    real(8) :: x, y
  end type
contains
  real(8) function area(p, n)
    type(point), intent(in) :: p
    integer, value :: n
    area = p%x * p%y * n
  end function
  subroutine greet(name, times)
    character(*), intent(in) :: name
    integer, intent(in) :: times
    print *, name, times
  end subroutine
end module
program main
  use shapes
  type(point) :: p = point(2, 3)
  call greet('hello', 2)
  if (area(p, 7) /= 42) stop 1
end program
! CHECK-DAG: call-through{{.*}} __shapes_MOD_greet(
! CHECK-DAG: call-through{{.*}} real(kind=8) __shapes_MOD_area(point p, integer(kind=4) n)
! CHECK: 0 entry only
! TRACE: {{^ *}}MAIN__() {
! TRACE-NEXT: __shapes_MOD_greet(
! TRACE: __shapes_MOD_area(
! FILTER-DAG: {{ 1 +}}__shapes_MOD_area
! FILTER-DAG: {{ 1 +}}__shapes_MOD_greet
