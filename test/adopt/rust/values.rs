// Arguments and results of Rust have their types and values: texts, slices, Option, Result, enums, Box, Vec, tuples, stack; optimized code shows what debug info proves.
// RUN: %nophook rustc %s -o %t && %nophook record --args --retval -o %t.data -- %t && %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration %t.data | FileCheck %s
// RUN: %nophook list --args %t 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: %nophook rustc -O %s -o %t && %nophook record --args --retval -o %t.data -- %t && %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration %t.data | FileCheck %s --check-prefix=FAST
// RUN: %nophook record --args -o %t.data -- %t && %nophook report --where 'values::number.n == 9' %t.data | FileCheck %s --check-prefix=WHERE --implicit-check-not=::stack
use std::hint::black_box;
pub enum Shape {
    Point,
    Circle { radius: f64 },
    Name(String),
}
#[derive(Clone, Copy)]
pub enum Colour {
    Red = 1,
    Green = 5,
}
pub struct Dog {
    age: u32,
}
pub trait Speak {
    fn say(&self, n: u32) -> String;
}
impl Speak for Dog {
    #[inline(never)]
    fn say(&self, n: u32) -> String {
        format!("{}{}", self.age, n)
    }
}
#[inline(never)]
pub fn maybe(a: Option<u32>, b: Option<&str>, c: Option<Box<i32>>) -> Option<u64> {
    Some(a? as u64 + b?.len() as u64 + *c? as u64)
}
#[inline(never)]
pub fn shape(t: Shape, c: Colour) -> Result<f64, String> {
    match t {
        Shape::Circle { radius } => Ok(radius + c as u8 as f64),
        Shape::Point => Err("point".into()),
        Shape::Name(name) => Err(name),
    }
}
#[inline(never)]
pub fn many(v: Vec<i32>, s: String, b: &[u8]) -> Vec<i32> {
    assert!(s.len() == b.len());
    v
}
#[inline(never)]
pub fn stack(a: &str, b: &str, c: &str, d: &str, e: u64, f: f32) -> usize {
    a.len() + b.len() + c.len() + d.len() + e as usize + f as usize
}
#[inline(never)]
pub fn dynamic(d: &dyn Speak) -> String {
    d.say(black_box(1))
}
#[inline(never)]
pub fn big(a: u128, c: char, t: (u8, u16), p: (f32, f32)) -> (u64, char) {
    (a as u64 + t.1 as u64 + p.0 as u64, c)
}
#[inline(never)]
pub fn number(n: i32) -> i32 {
    black_box(n) + 1
}
fn main() {
    // By pointers, so that the optimizer leaves their signatures alone.
    let maybe: fn(Option<u32>, Option<&str>, Option<Box<i32>>) -> Option<u64> = black_box(maybe);
    let shape: fn(Shape, Colour) -> Result<f64, String> = black_box(shape);
    let many: fn(Vec<i32>, String, &[u8]) -> Vec<i32> = black_box(many);
    let stack: fn(&str, &str, &str, &str, u64, f32) -> usize = black_box(stack);
    let dynamic: fn(&dyn Speak) -> String = black_box(dynamic);
    let big: fn(u128, char, (u8, u16), (f32, f32)) -> (u64, char) = black_box(big);
    let number: fn(i32) -> i32 = black_box(number);
    maybe(Some(3), Some("abc"), Some(Box::new(7)));
    maybe(None, None, None);
    let _ = shape(Shape::Circle { radius: 2.5 }, Colour::Green);
    let _ = shape(Shape::Name("name".into()), Colour::Red);
    let _ = shape(Shape::Point, Colour::Red);
    many(vec![1, 2], "last".into(), b"\x01\x02\x03\x04");
    stack("a", "bb", "ccc", "dddd", 5, 6.0);
    dynamic(&Dog { age: 3 });
    big(1, 'x', (1, 2), (1.5, 2.5));
    number(9);
}
// CHECK: ::maybe(a=Some(3), b=Some("abc"), c=Some(0x{{[0-9a-f]+}}))
// CHECK: ret=Some(13) */
// CHECK: ::maybe(a=None, b=None, c=None)
// CHECK: ret=None */
// CHECK: ::shape(t=Circle{radius=2.5}, c=Green)
// CHECK: ret=Ok(7.5) */
// CHECK: ::shape(t=Name("name"), c=Red)
// CHECK: ret=Err("name") */
// CHECK: ::shape(t=Point, c=Red)
// CHECK: ret=Err("point") */
// CHECK: ::many(v={{.*}}len=2}, s="last", b={data_ptr=0x{{[0-9a-f]+}}, length=4})
// CHECK: ret={{.*}}len=2} */
// CHECK: ::stack(a="a", b="bb", c="ccc", d="dddd", e=5, f=6)
// CHECK: ret=21 */
// CHECK: ::dynamic(d={pointer=0x{{[0-9a-f]+}}, vtable=0x{{[0-9a-f]+}}})
// CHECK: >::say(self=0x{{[0-9a-f]+}}, n=1)
// CHECK: ret="31" */
// CHECK: ret="31" */
// CHECK: ::big(a=1, c='x', t={1, 2}, p={1.5, 2.5}); /* ret={4, 'x'} */
// CHECK: ::number(n=9)
// CHECK: ret=10 */
// LIST-DAG: core::option::Option<u64> {{.*}}::maybe(core::option::Option<u32> a, core::option::Option<&str> b, core::option::Option<alloc::boxed::Box<i32>> c)
// LIST-DAG: alloc::vec::Vec<i32> {{.*}}::many(alloc::vec::Vec<i32> v, String s, &[u8] b)
// FAST: ::maybe(a={{Some\(3\)|<unknown place>}}, b={{Some\("abc"\)|<unknown place>}}, c={{Some\(0x[0-9a-f]+\)|<unknown place>}})
// FAST: ::shape(t=Circle{radius=2.5}, c=Green)
// FAST: ::shape(t=Name("name"), c=Red)
// FAST: ::many(v={{.*}}len=2}, s="last", b={{.*}})
// FAST: ::stack(a={{"a"|<unknown place>}}
// FAST: ::number(n=9)
// WHERE: ::number(n=9)
