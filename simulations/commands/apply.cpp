// attest apply: one attention mechanism on the caller's arrays.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/shell_word.hpp"
#include "simulations/apply/apply_mechanism.hpp"
#include "simulations/apply/expectation.hpp"
#include "simulations/arrays/array_file.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/list_attention.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/device_choice.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands::definitions {
namespace {

struct ApplyOptions {
  std::string mechanism;
  std::filesystem::path input, output;
  std::filesystem::path example;      ///< write an example of the input here and do nothing else
  std::vector<std::string> settings;  ///< "key=value"
  bool gradients = false;
  bool lse = false;
  std::filesystem::path expected;  ///< the caller's own results, to compare with
  std::string layout = "bhnd";
  std::string type = "float64";
  std::string device = "cpu";
  unsigned threads = 0;
};

attention::Settings parse_settings(const std::vector<std::string>& assignments) {
  attention::Settings settings;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw std::invalid_argument(fmt::format("--set {}: write it as key=value", assignment));
    if (!settings.emplace(assignment.substr(0, equals), assignment.substr(equals + 1)).second)
      throw std::invalid_argument(fmt::format("--set {}: this setting is given twice", assignment));
  }
  return settings;
}

arrays::ElementType parse_type(const std::string& type) {
  for (const arrays::ElementType known : {arrays::ElementType::float64, arrays::ElementType::float32,
                                          arrays::ElementType::float16, arrays::ElementType::bfloat16})
    if (type == arrays::name(known)) return known;
  throw std::invalid_argument(fmt::format("unknown --dtype '{}': use float64, float32, float16 or bfloat16", type));
}

apply::Layout parse_layout(const std::string& layout) {
  if (layout == "bhnd") return apply::Layout::bhnd;
  if (layout == "bnhd") return apply::Layout::bnhd;
  throw std::invalid_argument(fmt::format("unknown --layout '{}': use bhnd or bnhd", layout));
}

/// "[2][4][12][4]  largest |entry| 2.1"; of a scalar its value.
std::string summary(const arrays::Array& array) {
  const std::vector<double> values = arrays::floating_values<double>(array);
  if (array.shape.empty()) return fmt::format("{:.17g}", values.front());
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return fmt::format("{}  largest |entry| {:.4g}", arrays::shape_text(array.shape), largest);
}

void write(const std::filesystem::path& file, const arrays::NamedArrays& arrays) {
  reports::write_file_atomically(file, arrays::array_file_bytes(file, arrays));
  for (const auto& [name, array] : arrays)
    fmt::print("{:12} {:8} {}\n", name, arrays::name(array.type), summary(array));
  fmt::print("written to {}\n", file.string());
}

/// One line per comparison, and whether all entries are within their tolerance.
bool print_comparisons(const std::vector<apply::Comparison>& comparisons) {
  bool all_right = true;
  for (const apply::Comparison& c : comparisons) {
    std::string where;
    for (const std::int64_t index : c.where) where += fmt::format("[{}]", index);
    fmt::print(
        "{:12} {:8} largest error {:.3g} at {} (tolerance there {:.3g}), largest error / tolerance {:.3g}; "
        "{} of {} outside\n",
        c.name, arrays::name(c.type), c.largest_error, where.empty() ? "the number" : where, c.tolerance,
        c.largest_ratio, reports::readable_count(static_cast<double>(c.outside)),
        reports::counted(static_cast<std::int64_t>(c.entries), "entry", "entries"));
    all_right = all_right && c.outside == 0;
  }
  return all_right;
}

/// Writes an example in the caller's layout and prints the command that evaluates it, with the settings that it needs
/// and what else was given. Errors: as `apply`, and std::invalid_argument for files to read beside it.
int write_example(const attention::Mechanism& mechanism, const ApplyOptions& options) {
  for (const auto& [option, named] : {std::pair{"--input", options.input}, std::pair{"--output", options.output},
                                      std::pair{"--expect", options.expected}})
    if (!named.empty())
      throw std::invalid_argument(
          fmt::format("--example writes an input and evaluates nothing: leave {} out, then run the command that is "
                      "printed",
                      option));
  const std::filesystem::path& file = options.example;
  const apply::Layout layout = parse_layout(options.layout);
  parse_type(options.type);
  arrays::require_array_file_ending(file);
  require_new(file);
  const attention::Settings settings = apply::example_settings(mechanism, parse_settings(options.settings));
  write(file, apply::in_other_layout(mechanism, apply::example_arrays(mechanism, settings), layout));
  std::filesystem::path results = file;
  results.replace_filename((file.stem() == "out" ? "results" : "out") + file.extension().string());
  std::string command = fmt::format("attest apply {} --input {} --output {} --grad", mechanism.name,
                                    reports::shell_word(file.string()), reports::shell_word(results.string()));
  for (const auto& [key, value] : settings) command += " --set " + reports::shell_word(key + "=" + value);
  if (layout != apply::Layout::bhnd) command += " --layout " + options.layout;
  if (options.type != "float64") command += " --dtype " + options.type;
  if (options.lse) command += " --lse";
  fmt::print("try it: {}\n", command);
  return terminal::exit_success;
}

/// Reads, evaluates, writes and compares, and prints what was written and how far the caller's results are from ours.
/// Returns the exit code: 1 when one of the caller's entries lies outside its tolerance. Errors: std::invalid_argument
/// for wrong usage or input, DeviceError, reports::IoError when the output cannot be written.
int apply(const ApplyOptions& options) {
  const attention::Mechanism& mechanism = attention::find_mechanism(options.mechanism);
  if (!options.example.empty()) return write_example(mechanism, options);
  const attention::Settings settings = parse_settings(options.settings);
  if (options.input.empty() || (options.output.empty() && options.expected.empty()))
    throw std::invalid_argument(
        fmt::format("{} is missing: name a .npz or .safetensors file, or let --example make an input",
                    options.input.empty() ? "--input" : "--output (or --expect)"));
  if (!options.output.empty()) arrays::require_array_file_ending(options.output);
  apply::ApplyPlan plan{settings, options.gradients, parse_type(options.type), options.threads};
  plan.lse = options.lse;
  plan.layout = parse_layout(options.layout);
  if (terminal::is_cuda(options.device)) {
    if (!mechanism.takes_cuda)
      throw terminal::DeviceError(fmt::format(
          "--device cuda: {} runs on the processor alone in this version; use --device cpu", mechanism.name));
    plan.device = attention::Device::cuda;
  }
  const arrays::NamedArrays arrays = arrays::read_arrays(options.input);
  if (!options.output.empty()) write(options.output, apply::apply_mechanism(mechanism, arrays, plan));
  if (options.expected.empty()) return terminal::exit_success;
  const arrays::NamedArrays expected = arrays::read_arrays(options.expected);
  return print_comparisons(apply::compare_with(expected, mechanism, arrays, plan)) ? terminal::exit_success
                                                                                   : terminal::exit_difference;
}

void add_apply(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<ApplyOptions>(verb, chosen, apply);
  verb.add_option("mechanism", o.mechanism, "its name; attest list --attention shows them all")->required();
  verb.add_option("--input", o.input, "the arrays to apply it to, .npz or .safetensors");
  add_output_file(verb, "--output", o.output, "where out and the gradients go, .npz or .safetensors");
  verb.add_option("--set", o.settings, "key=value, once for each option of the mechanism")->allow_extra_args(false);
  verb.add_flag("--grad", o.gradients, "also loss = sum(out * R) and the gradient of every floating-point input");
  verb.add_flag("--lse", o.lse, "also lse, the logarithm of each row's sum of exponentials");
  verb.add_option("--expect", o.expected, "your own results, .npz or .safetensors: compared with ours entry by entry");
  verb.add_option("--layout", o.layout, "bhnd or bnhd: the axes of q, k, v, R, out and their gradients")
      ->capture_default_str();
  verb.add_option("--dtype", o.type,
                  "float64, float32, float16 or bfloat16: the type that inputs are rounded to and results have")
      ->capture_default_str();
  verb.add_option("--device", o.device, "cpu or cuda")->capture_default_str();
  add_threads(verb, o.threads);
  add_output_file(verb, "--example", o.example, "write a small input that suits the mechanism to this file, then exit");
  verb.footer(apply_help);
}

}  // namespace

Verb apply_verb() { return {"apply", "evaluate an attention mechanism, and its gradients, on your arrays", add_apply}; }

}  // namespace attest::commands::definitions
