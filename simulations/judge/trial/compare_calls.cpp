#include "simulations/judge/trial/compare_calls.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "simulations/arrays/rounding.hpp"

namespace attest::judge {
namespace {

Distance change_beyond_rounding(const std::vector<double>& x, const Judged& first, const std::vector<double>& y,
                                const Judged& second) {
  Distance worst;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double change = std::abs((x[n] - first.values[n]) - (y[n] - second.values[n]));
    const double bound = first.bounds[n] + second.bounds[n];
    const double ratio = std::isfinite(change) && bound > 0 ? change / bound
                         : change == 0                      ? 0
                                                            : std::numeric_limits<double>::infinity();
    if (ratio > worst.ratio) worst = {ratio, n};
  }
  return worst;
}

/// Whether two answers are the same, or no further apart than two right ones may be, each within the bound.
bool same_number(double x, double y, double bound) {
  return x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 2 * bound;
}

}  // namespace

Sameness::Sameness(const TrialSettings& settings, std::function<Expected()> expected)
    : settings_(settings), expected_(std::move(expected)) {}

const std::vector<double>* Sameness::tolerated(const std::string& output) const {
  const bool same_bits = settings_.deterministic == Deterministic::all ||
                         (settings_.deterministic == Deterministic::forward && (output == "out" || output == "lse"));
  return same_bits ? nullptr : within_rounding(output);
}

const std::vector<double>* Sameness::within_rounding(const std::string& output) const {
  if (!known_) known_ = expected_();
  const Judged* judged = known_->find(output);
  return judged == nullptr || judged->bounds.empty() ? nullptr : &judged->bounds;
}

bool all_rows(const Row&) { return true; }

RowShape row_shape(const std::string& output, const Problem& p) {
  if (output == "lse") return {p.batch, p.heads, p.queries, 1};
  if (output == "dq") return {p.batch, p.heads, p.queries, p.width};
  if (output == "dk") return {p.batch, p.kv_heads, p.keys, p.width};
  if (output == "dv") return {p.batch, p.kv_heads, p.keys, p.value_width};
  if (output == "dbias") return {1, p.heads, p.queries, p.keys};
  return {p.batch, p.heads, p.queries, p.value_width};
}

bool same_rows(const std::string& output, const Problem& problem, const std::vector<double>& before,
               const std::vector<double>& after, const std::function<bool(const Row&)>& chosen, Row& where,
               const std::vector<double>* tolerated) {
  const RowShape shape = row_shape(output, problem);
  if (before.size() != after.size()) return true;  // a wrong shape is a failure of its own
  std::size_t n = 0;
  for (Index b = 0; b < shape.batch; ++b)
    for (Index h = 0; h < shape.heads; ++h)
      for (Index row = 0; row < shape.rows; ++row) {
        const bool wanted = chosen({b, h, row});
        for (Index d = 0; d < shape.width; ++d, ++n) {
          if (!wanted || same_number(before[n], after[n], tolerated == nullptr ? 0 : (*tolerated)[n])) continue;
          where = {b, h, row};
          return false;
        }
      }
  return true;
}

void fail_changed(Record& record, const std::string& output, const Fault& fault, const std::string& what,
                  const Row& row) {
  for (const Failure& failure : record.failures)
    if (failure.output == output && failure.fault == fault) return;
  record.failures.push_back(
      {output, std::numeric_limits<double>::infinity(), fault,
       fmt::format("{} changes row {} of head {} of sequence {} of {}", what, row.n, row.h, row.b, output)});
}

void compare_parts(Record& record, const Problem& extents, const Outputs& before, const Outputs& after,
                   const std::function<bool(const Row&, bool)>& kept, bool of_mates, const std::string& what,
                   const Sameness& sameness) {
  for (const auto& [name, values] : after) {
    const auto base = before.find(name);
    if (base == before.end() || name == "dbias") continue;
    const bool of_keys = name == "dk" || name == "dv";
    Row where{};
    record.ratios.try_emplace(name, 0.0);
    if (!same_rows(
            name, extents, base->second, values, [&](const Row& row) { return kept(row, of_keys); }, where,
            sameness.tolerated(name)))
      fail_changed(record, name,
                   of_mates                         ? fault::depends_on_mates
                   : name == "out" || name == "lse" ? fault::mixed_up
                                                    : fault::mixed_up_in_gradients,
                   what, where);
  }
}

void compare_alone(Record& record, const Problem& extents, const std::vector<double>& in_batch,
                   const std::vector<double>& by_itself, const std::function<Judged()>& expected,
                   const TrialSettings& settings) {
  Row where{};
  record.ratios.try_emplace("out", 0.0);
  if (same_rows("out", extents, in_batch, by_itself, all_rows, where)) return;
  const bool same_bits = settings.same_bits_in_any_batch && settings.deterministic != Deterministic::none;
  const std::vector<double> bounds = same_bits ? std::vector<double>{} : expected().bounds;
  if (same_bits || !same_rows("out", extents, in_batch, by_itself, all_rows, where, &bounds))
    fail_changed(record, "out", fault::depends_on_mates, "taking a sequence out of its batch", where);
}

void judge_change(Record& record, const std::vector<double>& x, const Judged& first, const std::vector<double>& y,
                  const Judged& second, const std::string& under) {
  const Distance worst = change_beyond_rounding(x, first, y, second);
  record.ratios["out"] = worst.ratio;
  if (worst.ratio <= 1) return;
  record.failures.push_back(
      {"out", worst.ratio, {}, fmt::format("out[{}] changes by more than rounding under {}", worst.entry, under)});
  record.actual["out"] = x;
}

void judge_doubling(Record& record, const Problem& extents, std::vector<double> before,
                    const std::vector<double>& after, const Sameness& sameness) {
  for (double& value : before) value *= 2;
  // same_rows grants each entry twice these.
  const std::vector<double> exact(before.size(), least_kept(record.spec.type));
  const std::vector<double>* tolerated = sameness.tolerated("out");
  Row where{};
  if (!same_rows("out", extents, before, after, all_rows, where, tolerated == nullptr ? &exact : tolerated))
    fail_changed(record, "out", fault::not_linear_in_the_values, "twice the values, which must double it exactly,",
                 where);
  record.ratios["out"] = 0;
}

void judge_direction(Record& record, long double by_gradients, long double by_differences, double bound) {
  const double says = without_sign_of_nan(static_cast<double>(by_gradients)),
               shows = without_sign_of_nan(static_cast<double>(by_differences));
  const double difference = std::abs(static_cast<double>(by_gradients - by_differences));
  double ratio = difference == 0 ? 0 : difference / bound;
  if (!std::isfinite(difference) || std::isnan(ratio)) ratio = std::numeric_limits<double>::infinity();
  record.ratios["dq"] = record.ratios["dk"] = record.ratios["dv"] = ratio;
  if (ratio > 1)
    record.failures.push_back({"gradients", ratio, fault::gradient_disagrees_with_own_forward,
                               fmt::format("along a random direction the gradients say {:.9g}, differences of out say "
                                           "{:.9g}, within {:.2g}",
                                           says, shows, without_sign_of_nan(bound))});
}

Record repeated(const CaseSpec& spec, const Problem& extents, const Expected& of_first, const Judged& of_second,
                const Ask& ask_first, const Ask& ask_second, const std::function<void()>& start_afresh,
                const TrialSettings& settings) {
  Record record{.spec = spec};
  const auto a = ask_first(record), b = ask_second(record), again = ask_first(record), third = ask_first(record);
  for (const auto* outputs : {&a, &b, &again, &third})
    if (!*outputs || !(*outputs)->contains("out")) return record;
  record.ratios["out"] = 0;
  const auto right = [](const Judged& expected, const Outputs& outputs) {
    return distance(expected, outputs.at("out")).ratio <= 1;
  };
  const Sameness sameness(settings, [&] { return of_first; });
  const auto same = [&](const Outputs& one, const Outputs& other, Row& where, const char* name = "out") {
    return !one.contains(name) || !other.contains(name) ||
           same_rows(name, extents, one.at(name), other.at(name), all_rows, where, sameness.tolerated(name));
  };
  const auto right_afresh = [&](const Ask& ask, const Judged& expected) {
    start_afresh();
    const auto alone = ask(record);
    return alone && alone->contains("out") && right(expected, *alone);
  };
  Row where{};
  if (right(of_first.out, *a) && ((!right(of_second, *b) && right_afresh(ask_second, of_second)) ||
                                  (!right(of_first.out, *again) && right_afresh(ask_first, of_first.out))))
    fail_changed(record, "out", fault::depends_on_earlier_calls, "a call before with other numbers", {0, 0, 0});
  else if (!same(*again, *third, where) || !same(*a, *again, where))
    fail_changed(record, "out",
                 right(of_first.out, *a) && right(of_first.out, *again) ? fault::results_differ_between_runs
                                                                        : fault::depends_on_earlier_calls,
                 "the same call again", where);
  for (const char* name : {"lse", "dq", "dk", "dv"})
    if (record.failures.empty() && !same(*again, *third, where, name))
      fail_changed(record, name, fault::results_differ_between_runs, "the same call again", where);
  for (Failure& failure : record.failures)
    if (failure.fault == fault::results_differ_between_runs && sameness.tolerated(failure.output) == nullptr)
      failure.message += failure.output != "out" && failure.output != "lse"
                             ? "; --set deterministic=forward accepts gradients that differ by rounding"
                             : "; --set deterministic=false accepts what differs by rounding";
  return record;
}

std::vector<double> fresh_normals(const CaseSpec& spec, std::string_view name, std::size_t count) {
  random::Stream stream(spec.seed, random::stream_key(std::string("fresh ") + std::string(name)), spec.number);
  std::vector<double> values(count);
  for (double& value : values) value = rounded(stream.normal(), spec.type);
  return values;
}

}  // namespace attest::judge
