// attest judge: is an attention implementation right?
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "kernels/files/whole_file.hpp"
#include "kernels/names/nearest.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/judge/judgement/judgement.hpp"
#include "simulations/judge/record/wrappers.hpp"
#include "simulations/judge/record/write_judgement.hpp"
#include "simulations/judge/target/conventions.hpp"
#include "simulations/judge/target/file_targets.hpp"
#include "simulations/judge/target/library_target.hpp"
#include "simulations/judge/target/python_target.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/interrupt.hpp"
#include "simulations/terminal/progress.hpp"

namespace attest::commands::definitions {
namespace {

struct JudgeOptions {
  std::string target;
  std::string mechanism = "softmax";
  std::vector<std::string> settings;  ///< "key=value"
  std::string python;
  bool torch = false;
  std::vector<std::string> types;
  std::vector<std::string> options;  ///< only these of the contract's
  std::string accumulate = "float32";
  std::string budget = "quick";
  std::uint64_t seed = 1;
  unsigned threads = 0;
  double limit = 10;  ///< seconds per call
  std::filesystem::path out = "out/judge";
  std::filesystem::path case_file;
  std::filesystem::path json, junit, sarif;
  std::filesystem::path emit_cases;
  std::string emit_wrapper;
};

using arrays::ElementType;

ElementType parse_type(const std::string& text) {
  for (const ElementType type :
       {ElementType::float64, ElementType::float32, ElementType::float16, ElementType::bfloat16})
    if (arrays::name(type) == text) return type;
  throw std::invalid_argument(fmt::format("unknown --dtype '{}': use float64, float32, float16 or bfloat16", text));
}

judge::Deterministic deterministic_named(const std::string& text) {
  if (text == "true") return judge::Deterministic::all;
  if (text == "forward") return judge::Deterministic::forward;
  if (text == "false") return judge::Deterministic::none;
  throw std::invalid_argument("--set deterministic=" + text + ": use true, forward or false");
}

/// What --set says to the judge itself; everything else is an option of the mechanism.
void apply_setting(const std::string& assignment, judge::JudgementRequest& request) {
  const std::size_t equals = assignment.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw std::invalid_argument(fmt::format("--set {}: write it as key=value", assignment));
  const std::string key = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  judge::Conventions& conventions = request.settings.conventions;
  const auto either = [&](const char* yes, const char* no) {
    if (value != yes && value != no)
      throw std::invalid_argument(fmt::format("--set {}: use {} or {}", assignment, yes, no));
    return value == yes;
  };
  if (key == "alignment") {
    conventions.corner = either("top_left", "bottom_right") ? judge::Corner::top_left : judge::Corner::bottom_right;
    conventions.corner_is_stated = true;
  } else if (key == "layout")
    conventions.token_major = either("bnhd", "bhnd");
  else if (key == "window_counts_self")
    conventions.window_counts_self = either("true", "false");
  else if (key == "masked_nan")
    conventions.masked_numbers_are_finite = either("spreads", "stays");
  else if (key == "causal" && value == "always") {
    if (!declares(attention::find_mechanism(request.cases.mechanism), "causal"))
      throw std::invalid_argument(fmt::format("--set causal=always: {} has no causal form", request.cases.mechanism));
    conventions.causal_always = true;
  } else if (key == "empty_rows" && judge::is_plain_attention(request.cases.mechanism))
    request.settings.any_empty_rows = either("any", "zero");
  else if (key == "batch_invariant")
    request.settings.same_bits_in_any_batch = either("true", "false");
  else if (key == "deterministic")
    request.settings.deterministic = deterministic_named(value);
  else if (judge::is_plain_attention(request.cases.mechanism))
    throw std::invalid_argument(
        fmt::format("--set {}: softmax has no such setting; use alignment, causal=always, layout, window_counts_self, "
                    "masked_nan, empty_rows, batch_invariant or deterministic",
                    assignment));
  else if (!request.cases.settings.emplace(key, value).second)
    throw std::invalid_argument(fmt::format("--set {}: this setting is given twice", assignment));
}

/// Errors: std::invalid_argument for a name that nothing is handed over by: all options would be left out in silence.
void check_options(const std::vector<std::string>& options, const std::string& mechanism) {
  const std::vector<std::string> known = judge::known_options(mechanism);
  for (const std::string& option : options)
    if (std::ranges::find(known, option) == known.end())
      throw std::invalid_argument(
          fmt::format("--options {}: {} has no such option{}", option, mechanism,
                      names::did_you_mean(known, option, fmt::format("it takes {}", fmt::join(known, ", ")))));
}

/// Errors: std::invalid_argument for a time that cannot be waited for.
void check_limit(double seconds) {
  constexpr double longest = 86400;
  if (!(seconds > 0 && seconds <= longest))
    throw std::invalid_argument(
        fmt::format("--limit {:g}: use a number of seconds above 0, at most {:g}", seconds, longest));
}

/// A file that calls the judge as it is imported would be imported by that judge, and so on without end. Errors:
/// std::invalid_argument in a process that runs a function under judgement (python_calls.py sets the variable).
void refuse_to_be_judged_within() {
  if (std::getenv("ATTEST_JUDGED") != nullptr)
    throw std::invalid_argument(
        "the file that is judged calls the judge as it is imported: put the call under if __name__ == \"__main__\":");
}

judge::JudgementRequest request_from(const JudgeOptions& options) {
  judge::JudgementRequest request;
  request.cases.mechanism = attention::find_mechanism(options.mechanism).name;
  request.cases.seed = options.seed;
  if (options.budget != "quick" && options.budget != "standard")
    throw std::invalid_argument(fmt::format("unknown --budget '{}': use quick or standard", options.budget));
  request.cases.budget = options.budget == "quick" ? judge::Budget::quick : judge::Budget::standard;
  request.seconds = options.budget == "quick" ? 22 : 240;
  request.cases.types.clear();
  for (const std::string& type : options.types) request.cases.types.push_back(parse_type(type));
  if (options.types.empty())
    request.cases.types = {ElementType::float64, ElementType::float32, ElementType::float16, ElementType::bfloat16};
  request.settings.accumulation = judge::accumulation_named(options.accumulate);
  // Frameworks choose kernels by the size of a batch: bits may differ there unless the user says that they must not.
  request.settings.same_bits_in_any_batch = !options.torch;
  for (const std::string& setting : options.settings) apply_setting(setting, request);
  check_options(options.options, request.cases.mechanism);
  request.options = options.options;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  request.threads = options.threads == 0 ? std::min(cores, 2U) : options.threads;
  return request;
}

judge::TargetMaker target_from(const JudgeOptions& options) {
  if (options.target.starts_with("python:")) {
    judge::PythonFunction function = judge::parse_python_target(options.target);
    function.python = options.python;
    function.torch = options.torch;
    function.limit_seconds = options.limit;
    return judge::python_target(function);
  }
  if (options.target.starts_with("command:"))
    return judge::command_target(options.target.substr(std::string_view("command:").size()), options.limit);
  if (options.target.starts_with("recorded:"))
    return judge::recorded_target(options.target.substr(std::string_view("recorded:").size()));
  const auto suffix = options.target.find(".py");
  const std::string python_file = options.target.substr(0, suffix == std::string::npos ? 0 : suffix + 3);
  if (std::filesystem::is_regular_file(python_file))
    throw std::invalid_argument(
        fmt::format("{}: a function of a Python file is python:{}{}", options.target, python_file,
                    options.target == python_file ? ":FUNCTION" : options.target.substr(python_file.size())));
  if (std::filesystem::is_regular_file(options.target)) return judge::library_target(options.target, options.limit);
  throw std::invalid_argument(
      fmt::format("{}: there is no such library; a target is ./libmine.so, python:MODULE:FUNCTION, command:\"./mine "
                  "{{in}} {{out}}\" or recorded:DIR",
                  options.target));
}

std::vector<std::string> reproduction_options(const JudgeOptions& options) {
  std::vector<std::string> words;
  if (!options.python.empty()) words.insert(words.end(), {"--python", options.python});
  if (options.torch) words.emplace_back("--torch");
  for (const std::string& setting : options.settings) words.insert(words.end(), {"--set", setting});
  if (options.accumulate != "float32") words.insert(words.end(), {"--accumulate", options.accumulate});
  return words;
}

std::vector<judge::CaseSpec> cases_in(const std::filesystem::path& file, const std::string& mechanism) {
  const nlohmann::json json = nlohmann::json::parse(files::read_whole(file), nullptr, false);
  if (json.is_discarded()) throw std::invalid_argument(fmt::format("{}: this is not valid JSON", file.string()));
  try {
    judge::CaseSpec spec = judge::case_from_json(json);
    if (spec.mechanism != mechanism)
      throw std::invalid_argument(fmt::format("the case is one of {}, not of {}", spec.mechanism, mechanism));
    return {spec};
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", file.string(), error.what()));
  }
}

int emit_cases(const JudgeOptions& options, judge::JudgementRequest request) {
  if (std::filesystem::exists(options.emit_cases / "cases.jsonl"))
    throw std::invalid_argument(
        std::filesystem::exists(options.emit_cases / "settings.json")
            ? fmt::format("{} already holds cases: name a new folder", options.emit_cases.string())
            : fmt::format("{} holds cases of which the rest was never written: remove it, or name a new folder",
                          options.emit_cases.string()));
  request.target = judge::recording_target(options.emit_cases);
  request.threads = 1;
  request.seconds = std::numeric_limits<double>::infinity();
  request.shrink = false;
  const judge::Judgement written = judge::judge(request);
  reports::write_file_atomically(options.emit_cases / "answer.py", judge::answering_script());
  const judge::Conventions& conventions = request.settings.conventions;
  const nlohmann::json settings = {
      {"alignment", conventions.corner == judge::Corner::bottom_right ? "bottom_right" : "top_left"},
      {"causal_always", conventions.causal_always},
      {"window_counts_self", conventions.window_counts_self},
      {"tokens_axis", conventions.token_major ? 1 : 2},
      {"known", judge::known_options(request.cases.mechanism)}};
  reports::write_file_atomically(options.emit_cases / "settings.json", settings.dump() + "\n");
  fmt::print("{} written to {}; answer them by {}, then: attest judge recorded:{} --as {}\n",
             reports::counted(static_cast<std::int64_t>(written.calls), "call"), options.emit_cases.string(),
             (options.emit_cases / "answer.py").string(), options.emit_cases.string(), request.cases.mechanism);
  return terminal::exit_success;
}

/// Judges and writes what was asked for. Returns 0 without findings, 1 with. Errors: std::invalid_argument for wrong
/// use (a target that cannot be started too), reports::IoError, for files that are asked for before the first call.
int judge(const JudgeOptions& options) {
  if (!options.emit_wrapper.empty()) {
    fmt::print("{}", judge::wrapper(options.emit_wrapper));
    return terminal::exit_success;
  }
  refuse_to_be_judged_within();
  check_limit(options.limit);
  judge::JudgementRequest request = request_from(options);
  if (!options.emit_cases.empty()) return emit_cases(options, std::move(request));
  if (options.target.empty()) throw std::invalid_argument("name a target, such as python:my_kernels:attention");
  request.target = target_from(options);
  for (const std::filesystem::path& file : {options.json, options.junit, options.sarif})
    if (!file.empty()) reports::require_writable(file);
  if (!options.case_file.empty()) {
    request.only = cases_in(options.case_file, request.cases.mechanism);
    request.shrink = false;
    request.threads = 1;
  }
  request.interrupted = &terminal::interrupt_flag();
  terminal::Progress progress;
  request.progress = [&](std::size_t done, std::size_t total, const std::string& what) {
    progress.update(done, total, what);
  };
  const judge::Judgement judgement = judge::judge(request);
  const judge::Asked asked{options.target, request.cases.mechanism, reproduction_options(options), options.out,
                           options.case_file};
  fmt::print("{}", judge::judgement_text(asked, judgement));  // first: a full disk must not cost the judgement
  judge::write_cases(asked, judgement);
  constexpr auto replacing = nlohmann::ordered_json::error_handler_t::replace;  // of names that are not UTF-8
  if (!options.json.empty())
    reports::write_file_atomically(options.json,
                                   judge::judgement_json(asked, judgement).dump(2, ' ', false, replacing) + "\n");
  if (!options.junit.empty()) reports::write_file_atomically(options.junit, judge::judgement_junit(asked, judgement));
  if (!options.sarif.empty())
    reports::write_file_atomically(options.sarif, judge::judgement_sarif(asked, judgement, terminal::version));
  if (judgement.interrupted) fmt::print(stderr, "attest: interrupted; this is what the calls until then show\n");
  if (judgement.interrupted) return terminal::exit_interrupted;
  if (judgement.findings.empty() && judgement.cases == 0)
    throw std::invalid_argument(fmt::format("{}: no case could be judged", options.target));
  return judgement.findings.empty() ? terminal::exit_success : terminal::exit_difference;
}

void add_judge(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<JudgeOptions>(verb, chosen, judge);
  verb.add_option("target", o.target,
                  "python:MODULE:FUNCTION (MODULE may be a .py file), ./libmine.so, command:\"./mine {in} {out}\" or "
                  "recorded:DIR");
  verb.add_option("--as", o.mechanism, "what it should compute; attest list --attention shows the names")
      ->capture_default_str();
  verb.add_option("--set", o.settings, "key=value, once for each convention or option of the mechanism")
      ->allow_extra_args(false);
  verb.add_option("--python", o.python, "the interpreter; by default python3 or /usr/bin/python3");
  verb.add_flag("--torch", o.torch,
                "pass PyTorch tensors, and differentiate by autograd unless the function takes dout");
  verb.add_option("--dtype", o.types,
                  "float64, float32, float16 or bfloat16; may be repeated; by default all that the target accepts")
      ->allow_extra_args(false);
  verb.add_option("--options", o.options, "only these options of the contract, such as causal,mask,dout")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option(
          "--accumulate", o.accumulate,
          "what 16-bit results are held to: float32 (sums in float32, arrays between steps in the type), strict "
          "(nothing but inputs and outputs in the type) or input (sums in the type too)")
      ->capture_default_str();
  add_budget(verb, o.budget, "quick (half a minute) or standard (five)");
  add_seed(verb, o.seed);
  add_threads(verb, o.threads, "processes that run at once, 0 for two; never changes a result");
  verb.add_option(
          "--limit", o.limit,
          "seconds that a call may take; up to three times as long where other programs kept it from a processor")
      ->capture_default_str();
  verb.add_option("--case", o.case_file, "only this case, a file that a finding stored");
  add_output_folder(verb, "--out", o.out, "folder for the cases of findings")->capture_default_str();
  add_output_file(verb, "--json", o.json, "also write the judgement to this file");
  add_output_file(verb, "--junit", o.junit, "also write it as JUnit");
  add_output_file(verb, "--sarif", o.sarif, "also write it as SARIF, each finding beside the function's line");
  add_output_folder(verb, "--emit-cases", o.emit_cases,
                    "write the cases to this folder, for another machine to answer, then exit");
  verb.add_option("--emit-wrapper", o.emit_wrapper,
                  "print a wrapper to start from, then exit: torch, jax, triton or c");
  verb.footer(
      "--set for softmax: alignment=bottom_right|top_left, causal=always, layout=bhnd|bnhd, "
      "window_counts_self=true|false, masked_nan=stays|spreads, empty_rows=zero|any, batch_invariant=true|false, "
      "deterministic=true|forward|false (README, \"Judging your own kernel\").\n\n"
      "Exit codes: 0 no finding; 1 findings; 2 wrong usage or bad input; 3 a file failed; 130 interrupted.");
}

}  // namespace

Verb judge_verb() { return {"judge", "judge an attention implementation of your own", add_judge}; }

}  // namespace attest::commands::definitions
