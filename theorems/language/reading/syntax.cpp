#include "theorems/language/reading/syntax.hpp"

#include <string>

#include <fmt/format.h>
#include <tao/pegtl/contrib/parse_tree.hpp>

#include "theorems/language/problem.hpp"
#include "theorems/language/reading/grammar.hpp"
#include "theorems/language/reading/unexpected.hpp"

namespace attest::language {
namespace {

namespace peg = tao::pegtl;

template <typename Rule>
concept Marked = requires {
  Rule::kind;
};

/// Keeps the kind of the rule that matched.
struct MarkedNode : peg::parse_tree::basic_node<MarkedNode> {
  Mark::Kind kind = Mark::Kind::root;

  template <typename Rule, typename Input, typename... States>
  void success(const Input& in, States&&... states) {
    basic_node::success<Rule>(in, states...);
    if constexpr (Marked<Rule>) kind = Rule::kind;
  }
};

template <typename Rule>
struct Keep : std::bool_constant<Marked<Rule>> {};

/// What is missing where a rule that must match does not.
struct Expected {
  template <typename Rule>
  static constexpr bool raise_on_failure = false;
  template <typename Rule>
  static constexpr const char* message = "";
};
template <>
constexpr const char* Expected::message<grammar::name> = "a name";
template <>
constexpr const char* Expected::message<grammar::names> = "a name";
template <>
constexpr const char* Expected::message<grammar::equals> = "'='";
template <>
constexpr const char* Expected::message<grammar::definition_equals> = "'=' and what the name stands for";
template <>
constexpr const char* Expected::message<grammar::definition> = "a definition, such as a = L + 1";
template <>
constexpr const char* Expected::message<grammar::expression> = "a number, a name or a bracket";
template <>
constexpr const char* Expected::message<grammar::next_operand> = "a number, a name or a bracket";
template <>
constexpr const char* Expected::message<grammar::operand_after_prefix> = "a number, a name or a bracket";
template <>
constexpr const char* Expected::message<grammar::argument> = "an argument";
template <>
constexpr const char* Expected::message<grammar::index_part> = "a number, a name or a bracket";
template <>
constexpr const char* Expected::message<grammar::row> = "a number, a name or a bracket";
template <>
constexpr const char* Expected::message<grammar::close_paren> = "')'";
template <>
constexpr const char* Expected::message<grammar::close_square> = "']'";
template <>
constexpr const char* Expected::message<grammar::close_brace> = "'}'";
template <>
constexpr const char* Expected::message<grammar::interval_end> = "')' or ']'";
template <>
constexpr const char* Expected::message<grammar::quotation_end> = "'\"'";
template <>
constexpr const char* Expected::message<grammar::range_dots> = "'..' of a range such as 1..n";
template <>
constexpr const char* Expected::message<grammar::generator> = "an index and its range, such as i in 1..n";
template <>
constexpr const char* Expected::message<grammar::comprehension_colon> = "':' after the range";
template <>
constexpr const char* Expected::message<grammar::set> = "a set";
template <>
constexpr const char* Expected::message<grammar::set_dots> = "a set";
template <>
constexpr const char* Expected::message<grammar::law> = "a law, such as normal(0, 1)^n";
template <>
constexpr const char* Expected::message<grammar::binder_in> = "'in' and a set";
template <>
constexpr const char* Expected::message<grammar::binders> = "a name and its set, such as x in R^n";
template <>
constexpr const char* Expected::message<grammar::binder> = "a name and its set, such as x in R^n";
template <>
constexpr const char* Expected::message<grammar::random_binder> = "a name and its law, such as g ~ normal(0, 1)^n";
template <>
constexpr const char* Expected::message<grammar::tilde> = "'~' and a law, such as g ~ normal(0, 1)^n";
template <>
constexpr const char* Expected::message<grammar::arrow> = "'->' and the limit, such as n -> inf";
template <>
constexpr const char* Expected::message<grammar::prefix_end> = "':' before the claim";
template <>
constexpr const char* Expected::message<grammar::conditions> = "a condition, such as norm(x) <= 1";
template <>
constexpr const char* Expected::message<grammar::claim> = "the claim";
template <>
constexpr const char* Expected::message<grammar::end_of_statement> = "the end of the statement";
template <>
constexpr const char* Expected::message<grammar::end_of_expression> = "the end of the expression";

template <typename Rule>
using Control = peg::must_if<Expected>::control<Rule>;

Mark to_mark(const MarkedNode& node, const std::string& text) {
  Mark mark{.kind = node.kind};
  if (!node.is_root()) {
    mark.text = node.string_view();
    mark.at = static_cast<std::size_t>(mark.text.data() - text.data());
  }
  mark.parts.reserve(node.children.size());
  for (const auto& child : node.children) mark.parts.push_back(to_mark(*child, text));
  return mark;
}

template <typename Rule>
Mark parse_whole(const SourceText& text) {
  peg::memory_input<peg::tracking_mode::eager, peg::eol::lf> in(text.plain().data(), text.plain().size(), "");
  try {
    const auto root = peg::parse_tree::parse<Rule, MarkedNode, Keep, peg::nothing, Control>(in);
    return to_mark(*root, text.plain());
  } catch (const peg::parse_error& error) {
    throw unexpected(text, error.positions().front().byte, std::string(error.message()));
  }
}

}  // namespace

Mark parse_statement(const SourceText& text) { return parse_whole<grammar::whole_statement>(text); }

Mark parse_expression(const SourceText& text) { return parse_whole<grammar::whole_expression>(text); }

}  // namespace attest::language
