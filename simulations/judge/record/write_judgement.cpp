#include "simulations/judge/record/write_judgement.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/record/sarif.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/shell_word.hpp"
#include "simulations/arrays/npz.hpp"
#include "simulations/arrays/rounding.hpp"
#include "simulations/judge/reference/mechanism_reference.hpp"
#include "simulations/judge/trial/mechanism_call.hpp"

namespace attest::judge {
namespace {

using arrays::ElementType;

/// JSON has no infinity.
constexpr double largest_ratio = 1e300;
double finite(double ratio) { return std::isfinite(ratio) ? ratio : largest_ratio; }

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
  }
  return result;
}

std::string ratio_text(double ratio) {
  return std::isfinite(ratio) ? fmt::format("{:.3g} times the bound", ratio) : "not to be measured";
}

/// "138 of 763 cases", or "1 case" where all were judged.
std::string cases_text(const Judgement& judgement) {
  const auto cases = static_cast<std::int64_t>(judgement.cases), offered = static_cast<std::int64_t>(judgement.offered);
  return cases < offered ? reports::out_of(cases, offered, "case") : reports::counted(cases, "case");
}

/// NumPy has no bfloat16; its numbers are float32's too.
ElementType storable(ElementType type) { return type == ElementType::bfloat16 ? ElementType::float32 : type; }

arrays::NamedArrays arrays_of(const CaseSpec& spec) {
  arrays::NamedArrays arrays;
  const auto put = [&](const std::string& name, std::vector<std::int64_t> shape, const std::vector<double>& values) {
    if (!values.empty()) arrays[name] = array_in(ElementType::float64, std::move(shape), values);
  };
  const Precision precision = precision_of(spec.type, Accumulation::widened);
  Conventions conventions;
  conventions.signature.any = true;
  conventions.signature.parameters = {"alignment", "alibi_slopes", "sinks", "cu_seqlens_k", "dlse", "dropout_rate"};
  if (!is_plain_attention(spec.mechanism)) {
    const MechanismCall made = mechanism_call(spec);
    CaseSpec stored = spec;
    stored.type = storable(spec.type);
    arrays = mechanism_request(stored, made.call, conventions, spec.gradient ? &made.dout : nullptr).arrays;
    for (const auto& [name, judged] : expected_mechanism(spec, made.call, made.dout, precision))
      put("expected." + name,
          name == "out" ? attention::Shape{spec.batch, spec.heads, spec.queries, spec.value_width}
                        : made.call.inputs.at(name.substr(1)).shape(),
          judged.values);
    return arrays;
  }
  Problem problem = problem_of(spec);
  const Expected expected = expected_attention(problem, precision);
  problem.type = storable(problem.type);
  arrays = request_of(problem, conventions).arrays;
  put("expected.out", {problem.batch, problem.heads, problem.queries, problem.value_width}, expected.out.values);
  put("expected.lse", {problem.batch, problem.heads, problem.queries}, expected.lse.values);
  put("expected.dq", {problem.batch, problem.heads, problem.queries, problem.width}, expected.dq.values);
  put("expected.dk", {problem.batch, problem.kv_heads, problem.keys, problem.width}, expected.dk.values);
  put("expected.dv", {problem.batch, problem.kv_heads, problem.keys, problem.value_width}, expected.dv.values);
  return arrays;
}

}  // namespace

std::filesystem::path case_file(const Asked& asked, std::size_t finding) {
  return !asked.only.empty() ? asked.only : asked.out / fmt::format("case-{}.json", finding + 1);
}

std::string reproduction(const Asked& asked, std::size_t finding) {
  std::string text = fmt::format("attest judge {} --as {}", reports::shell_word(asked.target), asked.mechanism);
  for (const std::string& option : asked.options) text += " " + reports::shell_word(option);
  return text + " --case " + reports::shell_word(case_file(asked, finding).string());
}

void write_cases(const Asked& asked, const Judgement& judgement) {
  if (!asked.only.empty()) return;
  for (std::size_t n = 0; n < judgement.findings.size(); ++n) {
    const Finding& finding = judgement.findings[n];
    nlohmann::ordered_json json = json_of(finding.spec);
    json["mechanism"] = finding.spec.mechanism;
    const std::filesystem::path file = case_file(asked, n);
    reports::write_file_atomically(file, json.dump(2) + "\n");
    std::filesystem::path arrays = file;
    arrays.replace_extension(".npz");
    reports::write_file_atomically(arrays, arrays::npz_bytes(arrays_of(finding.spec)));
  }
}

nlohmann::ordered_json judgement_json(const Asked& asked, const Judgement& judgement) {
  nlohmann::ordered_json json = {{"schema", "attest-judgement-1"}};
  json["target"] = asked.target;
  json["mechanism"] = asked.mechanism;
  json["cases"] = judgement.cases;
  json["offered"] = judgement.offered;
  json["calls"] = judgement.calls;
  json["skipped"] = judgement.skipped;
  json["findings"] = nlohmann::ordered_json::array();
  for (std::size_t n = 0; n < judgement.findings.size(); ++n) {
    const Finding& f = judgement.findings[n];
    json["findings"].push_back({{"class", std::string(f.fault.name)},
                                {"property", std::string(name(f.property))},
                                {"ratio", finite(f.ratio)},
                                {"case", case_file(asked, n).string()},
                                {"reproduce", reproduction(asked, n)},
                                {"output", f.output},
                                {"message", f.message},
                                {"failed", f.cases},
                                {"smallest", text_of(f.spec)}});
  }
  json["ratios"] = nlohmann::ordered_json::object();
  for (const auto& [output, ratio] : judgement.ratios) json["ratios"][output] = finite(ratio);
  if (judgement.findings.empty()) {
    json["would_have_caught"] = nlohmann::ordered_json::array();
    for (const Caught& caught : judgement.caught)
      json["would_have_caught"].push_back({{"what", caught.what}, {"least", caught.least}, {"cases", caught.cases}});
  }
  json["seconds"] = judgement.seconds;
  return json;
}

std::string judgement_junit(const Asked& asked, const Judgement& judgement) {
  const std::size_t count = judgement.findings.size();
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"attest judge {}\" tests=\"{}\" "
      "failures=\"{}\" time=\"{:.3f}\">\n"
      "    <properties>\n      <property name=\"cases\" value=\"{}\"/>\n      <property name=\"offered\" "
      "value=\"{}\"/>\n    </properties>\n",
      escaped(asked.target), std::max<std::size_t>(count, 1), count, judgement.seconds, judgement.cases,
      judgement.offered);
  if (count == 0)
    text += fmt::format("    <testcase classname=\"{}\" name=\"{} without a finding\"/>\n", escaped(asked.mechanism),
                        reports::counted(static_cast<std::int64_t>(judgement.cases), "case"));
  for (std::size_t n = 0; n < count; ++n) {
    const Finding& f = judgement.findings[n];
    text += fmt::format(
        "    <testcase classname=\"{}\" name=\"{}\">\n      <failure message=\"{}\">{}\n{}</failure>\n    "
        "</testcase>\n",
        escaped(asked.mechanism), escaped(std::string(f.fault.name)), escaped(f.message), escaped(text_of(f.spec)),
        escaped(reproduction(asked, n)));
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

std::string judgement_sarif(const Asked& asked, const Judgement& judgement, std::string_view version) {
  std::vector<reports::SarifFinding> findings;
  for (std::size_t n = 0; n < judgement.findings.size(); ++n) {
    const Finding& f = judgement.findings[n];
    reports::SourcePlace place{judgement.source.file, judgement.source.line};
    if (place.file.empty())
      place.file = std::filesystem::exists(asked.target) ? std::filesystem::path(asked.target) : case_file(asked, n);
    findings.push_back({.rule = std::string(f.fault.name),
                        .message = fmt::format("{}: {} ({}). Reproduce: {}", f.fault.name, f.message, text_of(f.spec),
                                               reproduction(asked, n)),
                        .place = place});
  }
  return reports::sarif("attest judge", version, findings);
}

std::string judgement_text(const Asked& asked, const Judgement& judgement) {
  std::string text;
  for (std::size_t n = 0; n < judgement.findings.size(); ++n) {
    const Finding& f = judgement.findings[n];
    text += fmt::format(
        "{}. {}\n   {}, error {} ({})\n   smallest case: {}\n   {}\n   {}\n", n + 1, f.fault.name,
        f.output.empty() ? std::string(name(f.property)) : fmt::format("{} of {}", name(f.property), f.output),
        ratio_text(f.ratio), reports::counted(f.cases, "case"), text_of(f.spec), f.message, reproduction(asked, n));
  }
  const auto is_ignored = [](const Finding& f) {
    return f.fault == fault::returns_nothing || f.fault.name.ends_with(" ignored");
  };
  if (judgement.any_option && std::ranges::any_of(judgement.findings, is_ignored))
    text +=
        "the target takes any option, so that all were handed to it: --options followed by those that it computes "
        "(--options causal,mask) leaves out the others\n";
  if (!judgement.skipped.empty()) text += "not judged:\n";
  for (const std::string& skipped : judgement.skipped) text += "   " + skipped + "\n";
  if (!judgement.ratios.empty()) {
    text += "largest error over its bound among cases that passed:";
    for (const auto& [output, ratio] : judgement.ratios) text += fmt::format("  {} {:.3g}", output, ratio);
    text += "\n";
  }
  if (judgement.findings.empty() && !judgement.caught.empty()) {
    text += "would have been caught:\n";
    int classes = 0;
    double least = 0;
    for (const Caught& caught : judgement.caught) {
      if (caught.of_entry) {
        text += fmt::format("   {} off by {:.2g} of itself\n", caught.what, caught.least);
        continue;
      }
      least = ++classes == 1 ? caught.least : std::min(least, caught.least);
    }
    if (classes > 0)
      text += fmt::format("   {} classes of bugs, the least visible at {:.2g} times the bound; --json lists them\n",
                          classes, least);
  }
  if (judgement.findings.empty() && judgement.cases < judgement.offered / 4)
    text += fmt::format("few cases: {}; why the others were not judged stands above\n", cases_text(judgement));
  text += fmt::format(
      "{} as {}: {} in {}, {}, {:.1f} s\n", asked.target, asked.mechanism,
      judgement.findings.empty() ? "no finding" : reports::counted(std::ssize(judgement.findings), "finding"),
      cases_text(judgement), reports::counted(static_cast<std::int64_t>(judgement.calls), "call"), judgement.seconds);
  return text;
}

}  // namespace attest::judge
