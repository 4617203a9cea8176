#include "simulations/command/list_attention.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/readable_tex.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands {
namespace {

using attention::Cost;
using attention::CostShape;
using attention::Mechanism;
using attention::Shift;

/// One sequence, four heads of 64 features, in float32.
constexpr std::array<std::int64_t, 3> costed_lengths = {256, 1024, 4096};

CostShape costed_shape(std::int64_t tokens) {
  CostShape shape;
  shape.heads = 4;
  shape.queries = shape.keys = tokens;
  shape.dim = shape.value_dim = 64;
  return shape;
}

/// The options that have no default, at their examples.
attention::Settings needed_settings(const Mechanism& mechanism) {
  attention::Settings settings;
  for (const auto& option : mechanism.options)
    if (option.fallback.empty()) settings[option.name] = option.example;
  return settings;
}

const char* shift_name(Shift shift) {
  switch (shift) {
    case Shift::none:
      return "none";
    case Shift::keys:
      return "keys";
    case Shift::queries_and_keys:
      return "queries and keys";
  }
  return "";
}

nlohmann::ordered_json json_of(const Mechanism& mechanism) {
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
  for (const auto& input : mechanism.inputs)
    inputs.push_back({{"name", input.name},
                      {"shape", input.shape},
                      {"meaning", input.meaning},
                      {"required", input.required},
                      {"also", fmt::format("{}", fmt::join(input.also, " or "))},
                      {"initialisation", attention::in_words(input.initialisation)}});
  nlohmann::ordered_json options = nlohmann::ordered_json::array();
  for (const auto& option : mechanism.options)
    options.push_back({{"name", option.name},
                       {"default", option.fallback},
                       {"meaning", option.meaning},
                       {"example", option.example}});
  nlohmann::ordered_json costs = nlohmann::ordered_json::array();
  for (const std::int64_t tokens : costed_lengths) {
    const CostShape shape = costed_shape(tokens);
    const Cost cost = mechanism.cost(shape, needed_settings(mechanism));
    costs.push_back({{"tokens", tokens},
                     {"heads", shape.heads},
                     {"settings", needed_settings(mechanism)},
                     {"dim", shape.dim},
                     {"forward_macs", cost.forward_macs},
                     {"backward_macs", cost.backward_macs},
                     {"forward_flops", cost.forward_flops},
                     {"backward_flops", cost.backward_flops},
                     {"forward_bytes", cost.forward_bytes},
                     {"backward_bytes", cost.backward_bytes}});
  }
  return {{"name", mechanism.name},
          {"title", mechanism.title},
          {"formula", mechanism.formula},
          {"source", mechanism.source},
          {"inputs", std::move(inputs)},
          {"options", std::move(options)},
          {"takes_mask", mechanism.takes_mask},
          {"takes_key_lengths", mechanism.takes_key_lengths},
          {"takes_cuda", mechanism.takes_cuda},
          {"positional", mechanism.positional},
          {"takes_mask_per_head", mechanism.takes_mask_per_head},
          {"takes_packing", mechanism.takes_packing},
          {"gives_lse", mechanism.gives_lse},
          {"ignores_hidden_tokens", mechanism.ignores_hidden_tokens},
          {"adds_own_values", mechanism.adds_own_values},
          {"shift", shift_name(mechanism.shift)},
          {"cost", std::move(costs)}};
}

/// "4.38 G" with a factor of 1000, "2.03 Mi" with 1024 and i = "i".
std::string with_prefix(double value, double factor, const char* i) {
  std::size_t prefix = 0;
  constexpr std::array<const char*, 5> prefixes = {"", "k", "M", "G", "T"};
  for (; value >= factor && prefix + 1 < prefixes.size(); ++prefix) value /= factor;
  const char* letter = prefix == 1 && *i != '\0' ? "K" : prefixes[prefix];
  return fmt::format("{:.3g} {}{}", value, letter, prefix == 0 ? "" : i);
}

std::string cost_text(double flops, double bytes) {
  return fmt::format("{}flop, {}B", with_prefix(flops, 1000, ""), with_prefix(bytes, 1024, "i"));
}

/// One line of a block whose first line has the heading, which is taken away.
void print_line(const char*& heading, std::string_view name, std::string_view shape, const std::string& text) {
  fmt::print("  {:8} {:12} {:16} {}\n", std::exchange(heading, ""), name, shape, text);
}

void print_lines(const Mechanism& mechanism) {
  fmt::print("{}: {}\n", mechanism.name, mechanism.title);
  fmt::print("  formula  {}\n", reports::readable_tex(mechanism.formula));
  fmt::print("  source   {}\n", mechanism.source);
  const char* heading = "inputs";
  for (const auto& input : mechanism.inputs)
    print_line(heading, input.name, fmt::format("{}", fmt::join(attention::forms_of(input), " or ")),
               input.meaning + (input.required ? "" : "; may be left out"));
  if (mechanism.takes_mask)
    print_line(heading, "mask",
               mechanism.takes_mask_per_head ? "[N_q][N_k] or [B or 1][H or 1][N_q][N_k]" : "[N_q][N_k]",
               "true where a query sees a key; may be left out");
  if (mechanism.takes_key_lengths)
    print_line(heading, "key_lengths", "[B]", "how many keys of each sequence are real; may be left out");
  if (mechanism.takes_packing)
    print_line(heading, "cu_seqlens", "[S + 1]",
               "cumulative lengths of S sequences packed into the token axes (cu_seqlens_q and cu_seqlens_k where they "
               "differ); may be left out");
  if (mechanism.gives_lse) {
    heading = "outputs";
    print_line(heading, "lse", "[B][H][N_q]", "log sum exp of the logits of each query, with --lse");
  }
  heading = "options";
  for (const auto& option : mechanism.options)
    fmt::print("  {:8} {:12} {} (default {}, for example {})\n", std::exchange(heading, ""), option.name,
               option.meaning, option.fallback.empty() ? "none" : option.fallback, option.example);
  heading = "cost";
  for (const auto& [name, value] : needed_settings(mechanism))
    fmt::print("  {:8} with {}={}:\n", std::exchange(heading, ""), name, value);
  for (const std::int64_t tokens : costed_lengths) {
    const Cost cost = mechanism.cost(costed_shape(tokens), needed_settings(mechanism));
    fmt::print("  {:8} {:4} tokens: forward {}; with backward {}\n", std::exchange(heading, ""), tokens,
               cost_text(cost.forward_flops, cost.forward_bytes),
               cost_text(cost.forward_flops + cost.backward_flops, cost.backward_bytes));
  }
  fmt::print("\n");
}

}  // namespace

int list_attention(const std::vector<std::string>& names, bool json) {
  std::vector<const Mechanism*> shown;
  for (const std::string& name : names) shown.push_back(&attention::find_mechanism(name));
  if (names.empty())
    for (const Mechanism& mechanism : attention::mechanisms()) shown.push_back(&mechanism);
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Mechanism* mechanism : shown) list.push_back(json_of(*mechanism));
    fmt::print("{}\n", list.dump(1));
    return terminal::exit_success;
  }
  for (const Mechanism* mechanism : shown) print_lines(*mechanism);
  fmt::print(
      "{}; costs are for one sequence and four heads of 64 features in float32, options without default at "
      "their example, memory beyond inputs and outputs.\nattest apply NAME --input IN --output OUT evaluates one; "
      "attest apply --help says how\n",
      reports::counted(std::ssize(shown), "mechanism"));
  return terminal::exit_success;
}

std::string apply_help() {
  std::vector<std::string> names;
  for (const Mechanism& mechanism : attention::mechanisms()) names.push_back(mechanism.name);
  return fmt::format(
      "Mechanisms: {}. `attest list --attention` shows the formula, inputs, options and cost of each.\n"
      "\n"
      "IN and OUT are .npz (numpy.savez) or .safetensors. IN holds, by name:\n"
      "  q k v        [B][H][N][D]: sequences, heads, tokens, features of a head; floating-point\n"
      "  mask         [N_q][N_k], true where a query sees a key; may be left out. Of numbers: added to the logits\n"
      "  key_lengths  [B], integers: the keys of each sequence that are real; may be left out\n"
      "  cu_seqlens   [S + 1], integers: cumulative lengths of S packed sequences; may be left out\n"
      "  qp kp, v0, wq wk, E F   what the mechanism needs beyond these\n"
      "  R            of the output's shape, with --grad; R_lse of the shape of lse, with --grad --lse\n"
      "OUT holds `out`; with --grad also the scalar `loss` = sum(out * R) and its gradient `grad.<input>` "
      "with respect to\n"
      "every floating-point input. --expect FILE compares the results of your own that FILE holds under these names,\n"
      "entry by entry, with tolerances derived from their type, the lengths and the condition of the case.\n"
      "\n"
      "Try it:\n"
      "  attest apply twicing --example in.npz\n"
      "  attest apply twicing --input in.npz --output out.npz --grad --set causal=true\n"
      "  python3 -c \"import numpy; print(numpy.load('out.npz')['out'])\"\n"
      "\n"
      "Exit codes: 0 written, or all as expected; 1 an entry outside its tolerance (--expect); 2 wrong usage or bad "
      "input; 3 the output cannot be written or the device is not available.",
      fmt::join(names, " "));
}

}  // namespace attest::commands
