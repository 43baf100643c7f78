# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program of random signatures that says what it passes and returns.

    generate.py c|c++|ir SEED COUNT [ymm] [zmm] [bitint] [gcc] [aarch64]

Each function is called once, after its line of truth is printed: `f12(a=1, b="x") = 2.5`. The
types mix every kind, every class of aggregate and every pressure on registers; the same seed
gives the same program. `ir` makes C of scalars alone and the truth as it is known without
debug info: no names, no signs where nothing was extended. `gcc`: only what gcc 12 has; `aarch64`: what clang has there.
"""

import random
import struct
import sys


class Value:
    """An initializer, and how it is shown: a text, or a printf format with arguments."""

    def __init__(self, init, text, *arguments):
        self.init, self.text, self.arguments = init, text, list(arguments)


def escape(text):
    return text.replace("%", "%%")


class Type:
    """`make(rng)` gives a Value; `name` declares variables and parameters."""

    def __init__(self, name, make, bytes=8, variable=None):
        self.name, self.make, self.bytes = name, make, bytes
        self.variable = variable or name  # type of the global that is passed


def integer(name, bits, signed=True, suffix=""):
    def make(rng):
        value = rng.choice([0, 1, rng.getrandbits(bits), rng.getrandbits(bits), (1 << bits) - 1])
        if signed and value >> (bits - 1):
            value -= 1 << bits
        if bits == 128:
            unsigned = value & ((1 << 128) - 1)
            init = f"({name})((unsigned __int128){unsigned >> 64}u << 64 | {unsigned & (2**64 - 1)}u)"
        elif value == -(1 << bits - 1):
            init = f"({name})(-{-value - 1}{suffix} - 1)"
        else:
            init = f"({name}){value}{suffix}"
        return Value(init, str(value))
    return Type(name, make, (bits + 7) // 8)


def floating(name, bytes, low=-4000, high=4000):
    def make(rng):
        value = rng.randint(low, high) / 4
        return Value(f"({name}){value}", f"{value:g}")
    return Type(name, make, bytes)


def character(name, bytes, prefix=""):
    def make(rng):
        c = rng.choice("abcxyzABC019 _*")
        return Value(f"{prefix}'{c}'", f"'{c}'")
    return Type(name, make, bytes)


def pointer(name):
    def make(rng):
        value = rng.choice([0, rng.getrandbits(40), rng.getrandbits(60)])
        return Value(f"({name}){value:#x}", f"{value:#x}")
    return Type(name, make)


def text_of(rng, longest=40):
    return "".join(rng.choice("abc XYZ,.;09") for _ in range(rng.randint(0, longest)))


def string(name):
    def make(rng):
        text = text_of(rng)
        return Value(f'"{text}"', f'"{text}"')
    return Type(name, make)


def boolean(name):
    return Type(name, lambda rng: rng.choice([Value("1", "true"), Value("0", "false")]), 1)


def complex_(name, part, bytes):
    def make(rng):
        real, imaginary = rng.randint(-99, 99) / 4, rng.randint(-99, 99) / 4
        sign = "" if imaginary < 0 else "+"
        return Value(f"__builtin_complex(({part}){real}, ({part}){imaginary})",
                     f"{real:g}{sign}{imaginary:g}i")
    return Type(name, make, bytes)


def vector(name, element, count):
    def make(rng):
        parts = [element.make(rng) for _ in range(count)]
        return Value("{" + ", ".join(p.init for p in parts) + "}",
                     "<" + ", ".join(p.text for p in parts) + ">")
    return Type(name, make, element.bytes * count)


def enumeration(name, items, unnamed):
    def make(rng):
        item = rng.choice(items + [unnamed])
        return Value(f"({name}){item[1]}", item[0])
    return Type(name, make, 4)


def member_pointer():
    return Type("IntMember", lambda rng: rng.choice(
        [Value("&Fields::b", "4"), Value("&Fields::a", "0"), Value("nullptr", "-1")]))


def method_pointer():
    return Type("Method", lambda rng: Value("&Fields::get", "{ptr=%lu, adj=0}",
                                            "*(unsigned long *)&{}"), 16)


def reference(to, const):
    make = to.make
    return Type(f"{'const ' if const else ''}{to.name} &", make, 8, to.name)


SCALARS = [integer("signed char", 8), integer("unsigned char", 8, False), integer("short", 16),
           integer("unsigned short", 16, False), integer("int", 32), integer("int", 32),
           integer("unsigned", 32, False, "u"), integer("long", 64, True, "l"),
           integer("long", 64, True, "l"), integer("unsigned long", 64, False, "ul")]
FLOATS = [floating("float", 4), floating("double", 8), floating("double", 8)]
WIDE = [floating("long double", 16), integer("__int128", 128), integer("unsigned __int128", 128, False),
        floating("_Float16", 2, -40, 40), floating("__float128", 16),
        complex_("_Complex float", "float", 8), complex_("_Complex double", "double", 16),
        complex_("_Complex long double", "long double", 32)]
BIT_INTS = [integer("_BitInt(17)", 17), integer("unsigned _BitInt(48)", 48, False, "ul")]
POINTERS = [pointer("void *"), pointer("int *"), pointer("Function *"), string("const char *"),
            string("const char *")]
INTS4, FLOATS4 = integer("int", 32), floating("float", 4)
VECTORS = [vector("Int4", INTS4, 4), vector("Float4", FLOATS4, 4), vector("Float2", FLOATS4, 2),
           vector("Double2", floating("double", 8), 2), vector("Int2", INTS4, 2)]
YMM = [vector("Int8", INTS4, 8), vector("Double4", floating("double", 8), 4)]
ZMM = [vector("Int16", INTS4, 16), vector("Double8", floating("double", 8), 8)]
C_ENUM = enumeration("enum Color", [("kRed", 0), ("kGreen", 5), ("kBlue", -1)], ("77", 77))
CXX = [enumeration("Color", [("kRed", 0), ("kGreen", 5), ("kBlue", -1)], ("77", 77)),
       enumeration("Small", [("kOne", 1), ("kMany", 200)], ("9", 9)),
       character("char16_t", 2, "u"), character("char32_t", 4, "U"), character("wchar_t", 4, "L"),
       string("std::string"), string("std::string_view"),
       Type("std::nullptr_t", lambda rng: Value("nullptr", "0x0")), member_pointer(), method_pointer()]
CXX += [reference(to, const) for const in (False, True)
        for to in (INTS4, floating("double", 8), CXX[0], string("std::string"))]

# The text before the functions, for each language.
COMMON = """
#define KEEP(x) __asm__ volatile("" : : "r"(&(x)) : "memory")
#define SEEN __asm__ volatile("" : : : "memory")
#define NOINLINE __attribute__((noinline))
typedef int Function(int);
typedef int Int2 __attribute__((vector_size(8)));
typedef int Int4 __attribute__((vector_size(16)));
typedef int Int8 __attribute__((vector_size(32)));
typedef int Int16 __attribute__((vector_size(64)));
typedef float Float2 __attribute__((vector_size(8)));
typedef float Float4 __attribute__((vector_size(16)));
typedef double Double2 __attribute__((vector_size(16)));
typedef double Double4 __attribute__((vector_size(32)));
typedef double Double8 __attribute__((vector_size(64)));
enum Color { kRed, kGreen = 5, kBlue = -1, kFar = 100 };
"""
HEADERS = {"c": "#include <stdio.h>\n#include <stdbool.h>" + COMMON,
           "c++": "#include <cstdio>\n#include <string>\n#include <string_view>" + COMMON +
                  "enum class Small : unsigned char { kOne = 1, kMany = 200 };\n"
                  "struct Fields { int a, b; int get() { return b; } };\n"
                  "typedef int Fields::*IntMember;\ntypedef int (Fields::*Method)();\n"}
HEADERS["ir"] = HEADERS["c"]
# g++ has no __builtin_complex.
GXX = "".join(f"static _Complex {t} make_complex({t} a, {t} b) {{ return a + b * 1.0iF; }}\n"
              for t in ("float", "double", "long double")) + "#define __builtin_complex make_complex\n"


class Program:
    def __init__(self, language, seed, options):
        self.language = language
        self.rng = random.Random(f"{language}{seed}")
        self.declarations = []
        self.aggregates = []
        self.is_cxx = language == "c++"
        self.scalars = SCALARS + [boolean("bool" if self.is_cxx else "_Bool"), character("char", 1)]
        self.pool = self.scalars * 2 + FLOATS * 4 + POINTERS * 2 + WIDE + VECTORS
        self.pool += CXX * 2 if self.is_cxx else [C_ENUM] * 3
        self.pool += (YMM * 4 if "ymm" in options else []) + (ZMM * 4 if "zmm" in options else [])
        self.pool += BIT_INTS if "bitint" in options else []
        self.conventions = [""] * 12
        if "aarch64" in options:
            self.pool = [t for t in self.pool if t.name != "__float128"]
        if "gcc" not in options:
            self.conventions += (["preserve_most", "aarch64_vector_pcs"] if "aarch64" in options else
                                 ["regcall", "preserve_none", "preserve_most"])
        elif self.is_cxx:
            self.pool = [t for t in self.pool if t.name != "_Float16"]
        self.header = HEADERS[language] + (GXX if self.is_cxx and "gcc" in options else "")
        self.simple = SCALARS[4:] + FLOATS + POINTERS
        if language == "ir":
            self.pool = [ir_type(t) for t in (IR_AARCH64 if "aarch64" in options else IR_TYPES)]
            self.simple = [ir_type(t) for t in IR_SIMPLE]

    def aggregate(self):
        """A new struct or union, or an old one again."""
        rng = self.rng
        if self.aggregates and rng.random() < 0.4:
            return rng.choice(self.aggregates)
        name = f"S{len(self.aggregates)}"
        count = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7])
        fields = [rng.choice(self.scalars + FLOATS * 3 + POINTERS + [WIDE[0], WIDE[5], VECTORS[1]] +
                             self.aggregates[-6:]) for _ in range(count)]
        if count and rng.random() < 0.3:
            fields = [rng.choice(FLOATS)] * count  # members of class SSE alone
        fields = [f for f in fields if "union" not in f.name and not getattr(f, "is_special", False)]
        kind = rng.choice(["plain"] * 5 + ["packed", "union", "bits", "array", "aligned"] +
                          (["class", "class", "base"] if self.is_cxx else []))
        tag = "" if self.is_cxx else "struct "
        made = getattr(self, "aggregate_" + kind)(name, tag, fields)
        self.aggregates.append(made)
        return made

    def plain(self, name, tag, fields, attribute="", extra="", inherits=None):
        body = " ".join(declare(f.name, f"f{i}") + ";" for i, f in enumerate(fields))
        colon = f" : {inherits.name}" if inherits else ""
        self.declarations.append(f"struct {attribute}{name}{colon} {{ {body} {extra} }};")

        def make(rng):
            values = [f.make(rng) for f in fields]
            first = [inherits.make(rng)] if inherits else []
            text = [v.text[1:-1] for v in first if v.text != "{}"]
            text += [f"f{i}={v.text}" for i, v in enumerate(values)
                     if not getattr(fields[i], "is_empty", False)]
            return Value("{" + ", ".join(v.init for v in first + values) + "}", "{" + ", ".join(text) + "}")
        made = Type(tag + name, make)
        parts = fields + [inherits] * bool(inherits)
        made.is_empty = all(getattr(f, "is_empty", False) for f in parts)
        return made

    def aggregate_plain(self, name, tag, fields):
        return self.plain(name, tag, fields)

    def aggregate_packed(self, name, tag, fields):
        # Packing would tear apart what a reference or a nested class needs aligned; scalars do.
        return self.plain(name, tag, [f for f in fields if f in self.scalars + FLOATS] or [INTS4],
                          "__attribute__((packed)) ")

    def aggregate_aligned(self, name, tag, fields):
        return self.plain(name, tag, fields or [INTS4], "__attribute__((aligned(32))) ")

    def aggregate_class(self, name, tag, fields):
        made = self.plain(name, tag, fields or [INTS4], extra=f"~{name}() {{}}")
        made.is_special = True
        return made

    def aggregate_base(self, name, tag, fields):
        bases = [a for a in self.aggregates if not getattr(a, "is_special", False)]
        if not bases:
            return self.plain(name, tag, fields)
        made = self.plain(name, tag, fields or [INTS4], inherits=self.rng.choice(bases))
        made.is_special = True  # its initializer is not nested
        return made

    def aggregate_union(self, name, tag, fields):
        self.declarations.append(f"union {name} {{ unsigned long u; double d; unsigned char c[8]; }};")

        def make(rng):
            value = rng.randint(-999, 999) / 8
            raw = struct.pack("<d", value)
            parts = ", ".join(map(str, raw))
            return Value(f"{{{int.from_bytes(raw, 'little')}u}}",
                         f"{{u={int.from_bytes(raw, 'little')}, d={value:g}, c=[{parts}]}}")
        made = Type(("" if self.is_cxx else "union ") + name, make)
        made.is_special = True
        return made

    def aggregate_bits(self, name, tag, fields):
        widths = [self.rng.randint(1, 31) for _ in range(self.rng.randint(1, 5))]
        body = " ".join(f"{'int' if i % 2 else 'unsigned'} f{i} : {w};" for i, w in enumerate(widths))
        self.declarations.append(f"struct {name} {{ {body} }};")

        def make(rng):
            values = [rng.getrandbits(w) for w in widths]
            values = [v - (1 << w) if i % 2 and v >> (w - 1) else v
                      for i, (v, w) in enumerate(zip(values, widths))]
            return Value("{" + ", ".join(map(str, values)) + "}",
                         "{" + ", ".join(f"f{i}={v}" for i, v in enumerate(values)) + "}")
        return Type(tag + name, make)

    def aggregate_array(self, name, tag, fields):
        element = self.rng.choice(FLOATS + SCALARS)
        count = self.rng.randint(1, 6)
        self.declarations.append(f"struct {name} {{ {element.name} f0[{count}]; char f1[5]; }};")

        def make(rng):
            values = [element.make(rng) for _ in range(count)]
            text = text_of(rng, 4)
            return Value("{{" + ", ".join(v.init for v in values) + f'}}, "{text}"}}',
                         "{f0=[" + ", ".join(v.text for v in values) + f'], f1="{text}"}}')
        return Type(tag + name, make)

    def type(self, simple=False):
        if simple or self.language == "ir":  # without aggregates
            return self.rng.choice(self.simple if simple else self.pool)
        return self.aggregate() if self.rng.random() < 0.3 else self.rng.choice(self.pool)

    def function(self, number):
        """(globals and definition, the truth and the call)"""
        rng = self.rng
        convention = rng.choice(self.conventions)
        is_exotic = convention in ("regcall", "preserve_none")
        count = rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])
        types = [self.type(is_exotic) for _ in range(count)]
        if count and not is_exotic and rng.random() < 0.2:
            types = types[:3] + [rng.choice(self.simple) for _ in types[3:]]
        result = None if rng.random() < 0.2 else self.type(is_exotic)
        if convention == "preserve_most":
            result = None if result is None else rng.choice([t for t in self.pool if t.name == "int"])
        is_ir = self.language == "ir"
        is_variadic = count > 0 and not convention and rng.random() < 0.06
        is_static = not is_variadic and not is_ir and rng.random() < 0.2
        # The optimizer removes those arguments of a local function that it knows: addresses of globals, null.
        is_static = is_static and not any(t.name.endswith("&") or t.name == "std::nullptr_t" for t in types + [result] * bool(result))
        is_method = self.is_cxx and not is_variadic and not convention and not is_static and rng.random() < 0.2
        lines, texts, arguments = [], [], []

        def variable(name, type_, of):
            lines.append(f"{declare(type_.variable, name)} = {of.init};")
            arguments.extend(a.format(name) for a in of.arguments)

        for i, type_ in enumerate(types):
            of = type_.make(rng)
            variable(f"v{number}_{i}", type_, of)
            text = "{}" if getattr(type_, "is_empty", False) else of.text
            texts.append(escape_static(text, of) if is_ir else f"p{i}={escape_static(text, of)}")
        ending = "void"
        if result:
            of = result.make(rng)
            variable(f"r{number}", result, of)
            ending = escape_static("{}" if getattr(result, "is_empty", False) else of.text, of)
        parameters = [declare(t.name, f"p{i}") for i, t in enumerate(types)] + ["..."] * is_variadic
        keep = " ".join(f"KEEP(p{i});" for i in range(count))
        give = f"return r{number};" if result else ""
        attribute = f"__attribute__(({convention})) " if convention else ""
        name = ("m" if is_method else "f") + str(number)
        head = f"{result.name if result else 'void'} {name}({', '.join(parameters) or 'void'})"
        body = f"{{ SEEN; {keep} {give} }}"
        call = f"{name}({', '.join(f'v{number}_{i}' for i in range(count))}{', 1, 2.0' if is_variadic else ''});"
        if is_method:
            lines.append(f"struct C{number} {{ int tag; NOINLINE {attribute}{head}; }} c{number};")
            lines.append(f"NOINLINE {attribute}{head.replace(name + '(', f'C{number}::{name}(')} {body}"
                         .replace(body, f"{{ SEEN; KEEP(tag); {keep} {give} }}"))
            texts.insert(0, "this=%p")
            arguments.insert(0, f"(void *)&c{number}")
            call = f"c{number}.{call}"
        else:
            lines.append(f"{'static ' if is_static else ''}NOINLINE {attribute}{head} {body}")
        # The result is looked at, or a static function would not return it.
        if result and is_static:
            temporary = f"t{number}"
            call = f"{declare('auto' if False else result.variable, temporary)} = {call} KEEP({temporary});"
        told = f'printf("{name}({", ".join(texts)}) = {ending}\\n"{"".join(", " + a for a in arguments)});'
        return lines, f"  {{ {told} {call} }}"

    def write(self, count):
        pairs = [self.function(i) for i in range(count)]
        print(self.header)
        print("\n".join(self.declarations))
        for lines, _ in pairs:
            print("\n".join(lines))
        print("int main(void) {\n" + "\n".join(call for _, call in pairs) + "\n}")


def escape_static(text, of):
    text = text if of.arguments else escape(text)
    return text.replace("\\", "\\\\").replace('"', '\\"')


def declare(type_name, name):
    return f"{type_name}{'' if type_name.endswith(('*', '&')) else ' '}{name}"


# Kinds that the IR shows: extension gives a sign, everything else is bits.
def ir_type(entry):
    type_, bits, shown = entry

    def make(rng):
        of = type_.make(rng)
        if shown == "bits":
            return Value(of.init, f"{int(of.text) & ((1 << bits) - 1):#x}")
        if shown == "code":
            return Value(of.init, str(ord(of.text[1])))
        if shown == "byte":
            return Value(of.init, f"{ord(of.text[1]):#x}")
        if shown == "address":
            return Value(of.init, "%p", "(void *){}")
        return of
    return Type(type_.name, make)


IR_TYPES = [(SCALARS[0], 8, ""), (SCALARS[1], 8, ""), (SCALARS[2], 16, ""), (SCALARS[3], 16, ""),
            (SCALARS[4], 32, "bits"), (SCALARS[6], 32, "bits"), (SCALARS[7], 64, "bits"),
            (SCALARS[9], 64, "bits"), (FLOATS[0], 0, ""), (FLOATS[1], 0, ""),
            (WIDE[0], 0, ""), (WIDE[3], 0, ""), (WIDE[4], 0, ""), (POINTERS[0], 0, ""),
            (string("const char *"), 0, "address"), (boolean("_Bool"), 0, ""),
            (character("char", 1), 0, "code"), (VECTORS[1], 0, ""), (VECTORS[3], 0, "")]

# Nothing is extended there, but a bool.
IR_AARCH64 = [(t, t.bytes * 8, "bits") if bits and bits < 32 else (t, bits, "byte" if shown == "code" else shown)
              for t, bits, shown in IR_TYPES if t.name != "__float128"]

IR_SIMPLE = [IR_TYPES[i] for i in (4, 5, 6, 7, 8, 9, 13, 14)]

if __name__ == "__main__":
    Program(sys.argv[1], sys.argv[2], sys.argv[4:]).write(int(sys.argv[3]))
