// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a mangled name with LLVM's demangler, rewrites the tree, and prints it.

#include "read/symbols/readable_name.h"

#include "foundation/output.h"
#include "read/symbols/symbol_table.h"

#include <array>
#include <charconv>
#include <llvm/Demangle/ItaniumDemangle.h>
#include <llvm/Support/Allocator.h>
#include <unordered_map>
#include <vector>

namespace nophook {

namespace {

using namespace llvm::itanium_demangle;

// The memory of one name's nodes and texts, in the form that the parser requires.
class Arena {
public:
  void reset() { memory_.Reset(); }

  template <class T, class... Args> T *makeNode(Args &&...args) {
    return new (memory_.Allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }

  void *allocateNodeArray(size_t count) {
    return memory_.Allocate(count * sizeof(Node *), alignof(Node *));
  }

  std::string_view keep(std::string_view text) {
    char *copy = static_cast<char *>(memory_.Allocate(text.size(), 1));
    std::ranges::copy(text, copy);
    return {copy, text.size()};
  }

private:
  llvm::BumpPtrAllocator memory_;
};

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// Whether a namespace is inline, given the one that it is in.
bool is_inline_namespace(std::string_view scope, std::string_view name) {
  if (scope == "std" || scope.starts_with("std::"))
    for (std::string_view version : {"__cxx11", "__1", "__2", "__ndk1", "_V2", "__8", "__fs"})
      if (name == version)
        return true;
  if (scope == "fmt")
    return name.starts_with("v") && all_digits(name.substr(1));
  if (scope == "absl") // the name as released, and as Debian builds it
    return (name.starts_with("lts_") && all_digits(name.substr(4))) ||
           (name.starts_with("debian") && all_digits(name.substr(6)));
  return scope == "boost::log" && name.starts_with("v2");
}

// The last part of a name: "f" of "main::f"; no template arguments may follow.
std::string_view last_scope(std::string_view name) {
  size_t at = name.rfind("::");
  return at == name.npos ? name : name.substr(at + 2);
}

// Whether it is a template of the standard library's own, like std::_Hashtable and std::__tree.
bool is_internal_template(std::string_view name) {
  return (name.starts_with("std::") || name.starts_with("__gnu_cxx::")) &&
         last_scope(name).starts_with("_");
}

// Whether it is a policy of such a template, like std::_Select1st<T>, which no user chooses.
bool is_internal_policy(std::string_view argument) {
  for (std::string_view start :
       {"std::__", "std::_Select1st<", "std::_Identity<", "(__gnu_cxx::_Lock_policy)"})
    if (argument.starts_with(start))
      return true;
  return false;
}

// Whether `argument` is the default of a template whose first argument is `first`.
bool is_default_argument(std::string_view argument, std::string_view first) {
  if (argument.starts_with("std::allocator<"))
    return true;
  constexpr std::string_view kOfTheFirst[] = {"std::char_traits",    "std::less",
                                              "std::hash",           "std::equal_to",
                                              "std::default_delete", "std::regex_traits"};
  for (std::string_view name : kOfTheFirst)
    if (argument.size() == name.size() + first.size() + 2 && argument.starts_with(name) &&
        argument.substr(name.size() + 1, first.size()) == first && argument.ends_with(">"))
      return true;
  return false;
}

// The standard's typedef for a template, once default arguments are left out.
std::string typedef_of(std::string_view name, std::string_view arguments) {
  struct Typedef {
    std::string_view name, arguments, is;
  };
  constexpr std::string_view kCharTemplates[] = {
      "string",       "string_view",   "ios",           "istream",  "ostream",  "iostream",
      "streambuf",    "stringbuf",     "filebuf",       "ifstream", "ofstream", "fstream",
      "stringstream", "istringstream", "ostringstream", "regex"};
  constexpr Typedef kTypedefs[] = {
      {"std::match_results", "char const*", "std::cmatch"},
      {"std::match_results", "__gnu_cxx::__normal_iterator<char const*, std::string>",
       "std::smatch"},
      {"std::match_results", "std::__wrap_iter<char const*>", "std::smatch"},
      {"std::sub_match", "char const*", "std::csub_match"},
      {"std::sub_match", "__gnu_cxx::__normal_iterator<char const*, std::string>",
       "std::ssub_match"},
      {"std::fpos", "__mbstate_t", "std::streampos"},
      {"std::chrono::duration", "long, std::ratio<1l, 1000000000l>", "std::chrono::nanoseconds"},
      {"std::chrono::duration", "long, std::ratio<1l, 1000000l>", "std::chrono::microseconds"},
      {"std::chrono::duration", "long, std::ratio<1l, 1000l>", "std::chrono::milliseconds"},
      {"std::chrono::duration", "long, std::ratio<1l, 1l>", "std::chrono::seconds"},
      {"std::chrono::duration", "long, std::ratio<60l, 1l>", "std::chrono::minutes"},
      {"std::chrono::duration", "long, std::ratio<3600l, 1l>", "std::chrono::hours"},
      {"std::mersenne_twister_engine",
       "unsigned long, 32ul, 624ul, 397ul, 31ul, 2567483615ul, 11ul, 4294967295ul, 7ul, "
       "2636928640ul, 15ul, 4022730752ul, 18ul, 1812433253ul",
       "std::mt19937"},
      {"std::mersenne_twister_engine",
       "unsigned long, 64ul, 312ul, 156ul, 31ul, 13043109905998158313ul, 29ul, "
       "6148914691236517205ul, 17ul, 8202884508482404352ul, 37ul, 18444473444759240704ul, 43ul, "
       "6364136223846793005ul",
       "std::mt19937_64"},
  };
  for (const Typedef &known : kTypedefs)
    if (name == known.name && arguments == known.arguments)
      return std::string(known.is);
  constexpr std::array<std::string_view, 2> kPrefixes[] = {
      {"char", ""}, {"wchar_t", "w"}, {"char8_t", "u8"}, {"char16_t", "u16"}, {"char32_t", "u32"}};
  constexpr std::string_view kStart = "std::basic_";
  if (!name.starts_with(kStart))
    return "";
  for (std::string_view stem : kCharTemplates)
    for (const auto &[character, prefix] : kPrefixes)
      if (name.substr(kStart.size()) == stem && arguments == character &&
          (!prefix.starts_with("u") || stem.starts_with("string")))
        return fmt::format("std::{}{}", prefix, stem);
  return "";
}

std::string print(const Node *node) {
  OutputBuffer out;
  node->print(out);
  std::string text(out.getBuffer(), out.getCurrentPosition());
  std::free(out.getBuffer());
  return text;
}

// Makes a copy of a tree, with the changes that the header lists. Nodes may be shared, and a
// forward reference may lead into a circle.
class Rewriter {
public:
  explicit Rewriter(Arena &arena) : arena_(arena) {}

  // The name in a parsed symbol: a function without its return type and parameters.
  Node *function_name(const Node *node) {
    if (node->getKind() == Node::KFunctionEncoding)
      node = static_cast<const FunctionEncoding *>(node)->getName();
    if (node->getKind() == Node::KDotSuffix)
      static_cast<const DotSuffix *>(node)->match(
          [&](const Node *function, std::string_view) { node = function; });
    if (node->getKind() == Node::KFunctionEncoding)
      node = static_cast<const FunctionEncoding *>(node)->getName();
    if (node->getKind() != Node::KNameWithTemplateArgs)
      return copy(node);
    return with_arguments(static_cast<const NameWithTemplateArgs *>(node), false);
  }

private:
  static Node *unconst(const Node *node) { return const_cast<Node *>(node); }

  Node *text_node(std::string_view text) { return arena_.makeNode<NameType>(arena_.keep(text)); }

  Node *copy(const Node *node) {
    if (!node)
      return nullptr;
    auto [at, is_new] = done_.try_emplace(node, unconst(node));
    if (!is_new)
      return at->second;
    Node *made = nullptr;
    node->visit([&](const auto *concrete) { made = rewrite(concrete); });
    return done_[node] = made;
  }

  NodeArray copy(NodeArray nodes) {
    auto **made = static_cast<Node **>(arena_.allocateNodeArray(nodes.size()));
    for (size_t i = 0; i < nodes.size(); i++)
      made[i] = copy(nodes[i]);
    return {made, nodes.size()};
  }

  // Rewrites a node. There are as many kinds as parts of C++: all but a few are copied part by
  // part.
  template <class T> Node *rewrite(const T *node) {
    Node *made = nullptr;
    node->match([&](const auto &...parts) { made = arena_.makeNode<T>(part(parts)...); });
    return made;
  }

  template <class T> auto part(const T &value) {
    if constexpr (std::is_same_v<T, NodeArray>)
      return copy(value);
    else if constexpr (std::is_same_v<T, ModuleName *>)
      return static_cast<ModuleName *>(copy(value));
    else if constexpr (std::is_convertible_v<T, const Node *>)
      return copy(value);
    else
      return value;
  }

  Node *rewrite(const ForwardTemplateReference *node) { return copy(node->Ref); }

  Node *rewrite(const AbiTagAttr *node) { return copy(node->Base); }

  Node *rewrite(const FunctionEncoding *node) { return function_name(node); }

  Node *rewrite(const NameType *node) {
    std::string_view name = node->getName();
    if (name.starts_with("$_") &&
        all_digits(name.substr(2))) // clang's name in a file's own functions
      return text_node(fmt::format("{{lambda#{}}}", number_in(name.substr(2)) + 1));
    return unconst(node);
  }

  Node *rewrite(const ClosureTypeName *node) {
    Node *made = nullptr;
    node->match([&](auto &&, auto &&, auto &&, auto &&, std::string_view count) {
      made = numbered("lambda", count);
    });
    return made;
  }

  Node *rewrite(const UnnamedTypeName *node) {
    Node *made = nullptr;
    node->match([&](std::string_view count) { made = numbered("unnamed type", count); });
    return made;
  }

  static uint64_t number_in(std::string_view digits) {
    uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  }

  // Numbers a lambda or type. The mangling counts "", 0, 1; the text counts from one.
  Node *numbered(const char *what, std::string_view count) {
    return text_node(fmt::format("{{{}#{}}}", what, count.empty() ? 1 : number_in(count) + 2));
  }

  Node *rewrite(const NestedName *node) {
    Node *scope = copy(node->Qual), *last = copy(node->Name);
    if (last->getKind() == Node::KNameType) {
      std::string_view name = static_cast<NameType *>(last)->getName();
      // The body of a lambda is shown as the lambda.
      bool is_body = name == "operator()" && print(scope).ends_with("}");
      if (is_body || is_rust_hash(name) || is_inline_namespace(print(scope), name))
        return scope;
    }
    return arena_.makeNode<NestedName>(scope, last);
  }

  static bool is_rust_hash(std::string_view name) {
    return name.size() == 17 && name[0] == 'h' &&
           name.find_first_not_of("0123456789abcdef", 1) == name.npos;
  }

  template <class T> Node *special(const T *node) {
    std::string name;
    node->match([&](SpecialSubKind kind) {
      constexpr const char *kNames[] = {"", "", "string", "istream", "ostream", "iostream"};
      name = kNames[(int)kind];
    });
    return name.empty() ? unconst(node) : text_node("std::" + name);
  }
  Node *rewrite(const SpecialSubstitution *node) { return special(node); }
  Node *rewrite(const ExpandedSpecialSubstitution *node) { return special(node); }

  Node *rewrite(const CtorDtorName *node) {
    Node *made = nullptr;
    node->match([&](const Node *of, bool is_destructor, int variant) {
      Node *name = copy(of);
      if (name->getKind() == Node::KNameType) // it may be a typedef's
        name = text_node(last_scope(static_cast<NameType *>(name)->getName()));
      made = arena_.makeNode<CtorDtorName>(name, is_destructor, variant);
    });
    return made;
  }

  Node *rewrite(const NameWithTemplateArgs *node) { return with_arguments(node, true); }

  Node *with_arguments(const NameWithTemplateArgs *node, bool is_class) {
    Node *made = nullptr;
    node->match([&](const Node *name, const Node *arguments) {
      made = with_arguments(copy(name), static_cast<TemplateArgs *>(copy(arguments)), is_class);
    });
    return made;
  }

  // A template and its arguments, without default ones.
  Node *with_arguments(Node *name, TemplateArgs *arguments, bool is_class) {
    NodeArray all = arguments->getParams();
    std::vector<std::string> texts;
    std::vector<Node *> kept(all.begin(), all.end());
    for (Node *argument : kept)
      texts.push_back(print(argument));
    std::string name_text = print(name);
    auto remove = [&](size_t i) {
      kept.erase(kept.begin() + (ptrdiff_t)i);
      texts.erase(texts.begin() + (ptrdiff_t)i);
    };
    bool is_internal = is_class && is_internal_template(name_text);
    for (size_t i = kept.size(); i-- > 1;)
      if (is_default_argument(texts[i], texts[0]) || (is_internal && is_internal_policy(texts[i])))
        remove(i);
      else if (!is_internal)
        break;
    std::string joined;
    for (const std::string &text : texts)
      joined += (joined.empty() ? "" : ", ") + text;
    if (std::string known = typedef_of(name_text, joined); !known.empty())
      return text_node(known);
    auto **list = static_cast<Node **>(arena_.allocateNodeArray(kept.size()));
    std::ranges::copy(kept, list);
    Node *requirement = nullptr;
    arguments->match([&](NodeArray, const Node *requires_) { requirement = unconst(requires_); });
    return arena_.makeNode<NameWithTemplateArgs>(
        name, arena_.makeNode<TemplateArgs>(NodeArray(list, kept.size()), requirement));
  }

  Arena &arena_;
  std::unordered_map<const Node *, Node *> done_;
};

// Replaces the escapes that rustc writes for characters that a linked name cannot have, before its
// names of version 0: `_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$`.
std::string unescaped(std::string_view name) {
  constexpr std::array<std::string_view, 2> kEscapes[] = {
      {"$LT$", "<"}, {"$GT$", ">"}, {"$RF$", "&"}, {"$BP$", "*"}, {"$LP$", "("},
      {"$RP$", ")"}, {"$C$", ","},  {"$SP$", "@"}, {"..", "::"}};
  std::string result;
  while (!name.empty()) {
    if (name.starts_with("_$") && (result.empty() || result.ends_with("::")))
      name.remove_prefix(1);
    const auto *known = std::ranges::find_if(
        kEscapes, [&](const auto &escape) { return name.starts_with(escape[0]); });
    if (known != std::end(kEscapes)) {
      result += (*known)[1];
      name.remove_prefix((*known)[0].size());
      continue;
    }
    unsigned code = 0;
    size_t end = name.starts_with("$u") ? name.find('$', 2) : name.npos;
    if (end != name.npos &&
        std::from_chars(name.data() + 2, name.data() + end, code, 16).ptr == name.data() + end &&
        code >= ' ' && code < 0x7f) {
      result += (char)code;
      name.remove_prefix(end + 1);
      continue;
    }
    result += name[0];
    name.remove_prefix(1);
  }
  return result;
}

// Shortens the few names that only the C++ library's demangler knows: there is no tree, so the most
// frequent texts are replaced.
std::string replaced_in(std::string name) {
  constexpr std::array<std::string_view, 2> kTexts[] = {
      {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
       "std::string"},
      {"__cxx11::", ""},
      {"[abi:cxx11]", ""}};
  for (const auto &[from, to] : kTexts)
    for (size_t at; (at = name.find(from)) != name.npos;)
      name.replace(at, from.size(), to);
  return name;
}

} // namespace

std::string readable_name(std::string_view symbol) {
  if (!symbol.starts_with("_Z") || symbol.size() > kMaxMangled)
    return short_name(symbol);
  ManglingParser<Arena> parser(symbol.data(), symbol.data() + symbol.size());
  Node *parsed = parser.parse();
  if (!parsed)
    return replaced_in(short_name(symbol));
  std::string name = print(Rewriter(parser.ASTAllocator).function_name(parsed));
  return printable(name.find('$') == name.npos ? name : unescaped(name));
}

} // namespace nophook
