#include "theorems/language/reading/calls.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "kernels/names/nearest.hpp"
#include "theorems/language/functions.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/problem.hpp"

namespace attest::language {
namespace {

Problem wrong_arguments(const Expr& call, const Function& function) {
  const std::size_t n = call->args.size();
  return {call->place, fmt::format("{} is called with {}; write {}", call->name,
                                   n == 0   ? std::string("no argument")
                                   : n == 1 ? std::string("one argument")
                                            : fmt::format("{} arguments", n),
                                   how_to_call(function))};
}

/// Arguments in the order of the parameters; what is not a parameter stays in `others`.
std::vector<Expr> in_order(const Expr& call, const Function& function, std::vector<Option>& others) {
  std::vector<Expr> args = call->args;
  for (const Option& option : call->options) {
    const auto parameter = std::ranges::find(function.parameters, option.name);
    if (parameter == function.parameters.end() || function.any_number) {
      if (!function.any_option)
        throw Problem(option.value->place, fmt::format("{} has no option '{}'; write {}", function.name, option.name,
                                                       how_to_call(function)));
      others.push_back(option);
      continue;
    }
    const auto at = static_cast<std::size_t>(parameter - function.parameters.begin());
    if (at < args.size() && args[at] != nullptr)
      throw Problem(option.value->place,
                    fmt::format("'{}' of {} is given twice; remove one", option.name, function.name));
    if (at >= args.size()) args.resize(at + 1);
    args[at] = option.value;
  }
  const bool gap = std::ranges::find(args, nullptr) != args.end();
  if (gap || args.size() < function.required || (!function.any_number && args.size() > function.parameters.size()))
    throw wrong_arguments(call, function);
  return args;
}

void check_mechanism(const std::vector<Expr>& args, const std::vector<Option>& options) {
  const Expr& name = args[0];
  if (name->op != Op::text)
    throw Problem(name->place,
                  "attention takes the mechanism's name in quotation marks first: attention(\"softmax\", q, k, v)");
  std::vector<std::string> known;
  const attention::Mechanism* mechanism = nullptr;
  for (const attention::Mechanism& each : attention::mechanisms()) {
    known.push_back(each.name);
    if (each.name == name->name) mechanism = &each;
  }
  if (mechanism == nullptr)
    throw Problem(name->place,
                  fmt::format("unknown attention mechanism '{}'{}", name->name,
                              names::did_you_mean(known, name->name, "`attest list --attention` shows them all")));
  std::vector<std::string> takes;
  for (const attention::OptionSpec& option : mechanism->options) takes.push_back(option.name);
  for (const attention::InputSpec& input : mechanism->inputs)
    if (input.name != "q" && input.name != "k" && input.name != "v") takes.push_back(input.name);
  for (const Option& option : options)
    if (std::ranges::find(takes, option.name) == takes.end())
      throw Problem(option.value->place,
                    takes.empty()
                        ? fmt::format("the mechanism '{}' takes no options; remove '{}'", name->name, option.name)
                        : fmt::format("the mechanism '{}' has no option '{}'; it takes {}", name->name, option.name,
                                      fmt::join(takes, ", ")));
}

/// norm(A, "fro") has a name of its own; any other order is a number or inf, also in quotes.
Expr canonical_norm(std::vector<Expr> args, Place place) {
  if (args.size() == 2 && args[1]->op == Op::text) {
    if (args[1]->name == "fro" || args[1]->name == "frobenius") return make_call("frobenius", {args[0]}, {}, place);
    if (args[1]->name == "inf")
      return make_call("norm", {args[0], make_leaf(Op::infinity, "", args[1]->place)}, {}, place);
    throw Problem(args[1]->place, fmt::format("unknown norm \"{}\"; write norm(x, p) with p a number or inf, "
                                              "frobenius(A) or opnorm(A)",
                                              args[1]->name));
  }
  return make_call("norm", std::move(args), {}, place);
}

/// max(a, b, c, ...) becomes a chain as deep as it is long.
constexpr std::size_t most_compared = 32;

}  // namespace

Expr canonical_call(const Expr& call) {
  const Function& function = *find_function(call->name);
  std::vector<Option> others;
  std::vector<Expr> args = in_order(call, function, others);
  const bool takes_words = function.name == "attention" || function.name == "norm" || function.name == "opnorm";
  for (const Expr& arg : args)
    if (!takes_words && (arg->op == Op::text || arg->op == Op::truth))
      throw Problem(arg->place,
                    fmt::format("{} takes numbers, not words; write {}", function.name, how_to_call(function)));
  if (function.name == "transpose") return make(Op::transpose, std::move(args), call->place);
  if (function.name == "norm" || (function.name == "opnorm" && args.size() == 2))
    return canonical_norm(std::move(args), call->place);
  if (function.name == "attention") check_mechanism(args, others);
  if (function.any_number && args.size() > 2) {
    if (args.size() > most_compared)
      throw Problem(call->place, fmt::format("{0} takes at most {1} numbers; write {0}([a, b, ...]) for more",
                                             function.name, most_compared));
    Expr result = args[0];
    for (std::size_t i = 1; i < args.size(); ++i)
      result = make_call(std::string(function.name), {result, args[i]}, {}, call->place);
    return result;
  }
  return make_call(std::string(function.name), std::move(args), std::move(others), call->place);
}

}  // namespace attest::language
