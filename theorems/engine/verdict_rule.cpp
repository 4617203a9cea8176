#include "theorems/engine/verdict_rule.hpp"

#include <cmath>
#include <type_traits>

#include <fmt/format.h>

namespace attest::engine {
namespace {

/// Balls that overlap because they are wide prove nothing; double precision alone would give 50 bits.
constexpr int least_accuracy_bits = 60;

/// A double-precision slack more negative than this is not the rounding of a few operations: half of the 53 bits are
/// gone, and a search that minimises it runs after the error instead of after violations.
constexpr double largest_rounding = 1e-8;

Judgement error(std::string reason) {
  return {Verdict::error, std::move(reason), "a repaired check; an error never counts as a pass"};
}

Judgement vacuous(std::int64_t evaluations) {
  return {Verdict::vacuous,
          fmt::format("the assumptions held at none of {} points, so nothing was tested", evaluations),
          "a point that meets every assumption"};
}

Judgement refuted_by(const Witness& witness) {
  if (witness.kind == WitnessKind::stochastic)
    return {Verdict::refuted,
            fmt::format("a confidence sequence at error level {:.3g} excludes the claim: {} against {}", witness.alpha,
                        witness.lhs, witness.rhs),
            "nothing within the stated error level; a replay under another seed should agree"};
  return {Verdict::refuted,
          fmt::format("at the stored inputs {} {} {} fails with margin {} in {}-bit ball arithmetic", witness.lhs,
                      symbol(witness.relation), witness.rhs, witness.margin, witness.precision_bits),
          "nothing: the witness is exact"};
}

Judgement judge_body(const IdentityEvidence& e) {
  if (e.evaluations <= 0) return error("no point was evaluated");
  if (e.witness) return refuted_by(*e.witness);
  if (e.admissible <= 0) return vacuous(e.evaluations);
  if (e.ball_points <= 0) return error("no point was evaluated in ball arithmetic");
  if (!(e.largest_residual <= e.rounding_bound))
    return error(
        fmt::format("the identity holds in ball arithmetic, but the double-precision evaluation is off by "
                    "{:.3g} where rounding explains {:.3g}",
                    e.largest_residual, e.rounding_bound));
  if (e.accuracy_bits < least_accuracy_bits)
    return {
        Verdict::undecided,
        fmt::format("the enclosures of the two sides agree to {} bits only, too few to tell equal from nearly equal",
                    e.accuracy_bits),
        "a sharper enclosure"};
  return {Verdict::supported,
          fmt::format("both sides agree to {} bits in ball arithmetic at {} points, and to {:.2g} (rounding allows "
                      "{:.2g}) at {} points in double precision",
                      e.accuracy_bits, e.ball_points, e.largest_residual, e.rounding_bound, e.admissible),
          "a point at which the balls of the two sides are disjoint"};
}

Judgement judge_body(const InequalityEvidence& e) {
  if (e.evaluations <= 0) return error("no point was evaluated");
  if (e.witness) return refuted_by(*e.witness);
  if (e.admissible <= 0) return vacuous(e.evaluations);
  if (!std::isfinite(e.least_slack)) return error(fmt::format("the least slack found is {}", e.least_slack));
  if (e.least_slack < -largest_rounding)
    return error(
        fmt::format("the search was led by a slack of {:.3g} that ball arithmetic does not confirm: the "
                    "double-precision evaluation is too inaccurate to search with",
                    e.least_slack));
  std::string remark;
  if (e.tie_at_least_slack)
    remark = fmt::format(", an equality to {} bits in ball arithmetic: the bound is attained", attained_bits);
  else if (stated_slack(e) != e.least_slack)
    remark = fmt::format(" in ball arithmetic, which doubles do not resolve ({:.2g})", e.least_slack);
  return {Verdict::supported,
          fmt::format("no violation at {} admissible points and {} local searches; least relative slack {:.3g}{}",
                      e.admissible, e.starts, stated_slack(e), remark),
          "a point with certainly negative slack"};
}

Judgement judge_body(const CertificationEvidence& e) {
  if (e.witness) return refuted_by(*e.witness);
  if (e.boxes <= 0) return error("no box or case was examined");
  if (e.domain.empty()) return error("a certificate without a stated domain");
  if (e.undecided_fraction == 0)
    return {Verdict::certified, fmt::format("settled on all of {} ({} boxes or cases)", e.domain, e.boxes),
            "nothing on this domain; outside it the certificate is silent"};
  if (!(e.undecided_fraction > 0)) return error("the undecided fraction is not a number");
  return {
      Verdict::undecided,
      fmt::format("a fraction {:.3g} of {} is left after {} boxes or cases", e.undecided_fraction, e.domain, e.boxes),
      "a larger budget"};
}

Judgement judge_body(const ExistenceEvidence& e) {
  if (e.evaluations <= 0) return error("no point was evaluated");
  if (e.witness)
    return {Verdict::certified,
            fmt::format("established at the stored inputs: {} {} {} with margin {} in {}-bit ball arithmetic",
                        e.witness->lhs, symbol(e.witness->relation), e.witness->rhs, e.witness->margin,
                        e.witness->precision_bits),
            "nothing: the witness is exact"};
  if (e.exhausted)
    return {Verdict::refuted, fmt::format("no such point exists in all of {}", *e.exhausted), "a larger domain"};
  if (e.admissible <= 0) return vacuous(e.evaluations);
  return {Verdict::undecided, fmt::format("no such point found in {} evaluations", e.evaluations), "a larger budget"};
}

bool excludes(const ExpectationPart& p) {
  return (!says_greater(p.relation) && p.interval.lower > p.bound) ||
         (!says_less(p.relation) && p.interval.upper < p.bound);
}

bool passes(const ExpectationPart& p) {
  const bool below = p.interval.upper <= p.bound + p.resolution;
  const bool above = p.interval.lower >= p.bound - p.resolution;
  return (below || says_greater(p.relation)) && (above || says_less(p.relation));
}

/// Whether the interval lies on the claimed side of the bound itself, not only within the resolution of it.
bool settles(const ExpectationPart& p) {
  if (p.relation == Relation::equal) return false;  // no interval is a point
  return says_less(p.relation) ? p.interval.upper <= p.bound : p.interval.lower >= p.bound;
}

Judgement judge_body(const ExpectationEvidence& e) {
  if (e.parts.empty()) return error("no configuration was sampled");
  std::int64_t samples = 0;
  std::size_t within_resolution = 0;
  std::string open;
  for (const auto& p : e.parts) {
    if (p.samples <= 0) return error(fmt::format("no sample was drawn for {}", p.name));
    if (!std::isfinite(p.estimate) || !(p.interval.lower <= p.interval.upper) || !(p.alpha > 0) ||
        !std::isfinite(p.bound))
      return error(fmt::format("{} has the estimate {}, interval [{}, {}], bound {} and error level {}", p.name,
                               p.estimate, p.interval.lower, p.interval.upper, p.bound, p.alpha));
    samples += p.samples;
  }
  for (const auto& p : e.parts) {
    if (excludes(p)) {
      if (!e.witness) return error(fmt::format("{} excludes the claim but stored no witness", p.name));
      return {Verdict::refuted,
              fmt::format("{}: the mean lies in [{:.6g}, {:.6g}] at error level {:.3g}, against the claim {} {:.6g}",
                          p.name, p.interval.lower, p.interval.upper, p.alpha, symbol(p.relation), p.bound),
              "nothing within the stated error level; a replay under another seed should agree"};
    }
    if (!settles(p)) ++within_resolution;
    if (!passes(p) && open.empty())
      open = fmt::format("{}: [{:.6g}, {:.6g}] does not settle {} {:.6g} to within {:.3g}", p.name, p.interval.lower,
                         p.interval.upper, symbol(p.relation), p.bound, p.resolution);
  }
  if (!open.empty()) return {Verdict::undecided, open, "a larger budget"};
  std::string where;
  if (const std::size_t settled = e.parts.size() - within_resolution; settled > 0)
    where = fmt::format("{} interval{} on the claimed side", settled, settled == 1 ? " lies" : "s lie");
  if (within_resolution > 0)
    where +=
        fmt::format("{}{} interval{} within the resolution of {} bound", where.empty() ? "" : ", ", within_resolution,
                    within_resolution == 1 ? " lies" : "s lie", within_resolution == 1 ? "its" : "their");
  return {
      Verdict::supported,
      fmt::format("{} configuration{}, {} samples: {}", e.parts.size(), e.parts.size() == 1 ? "" : "s", samples, where),
      "an interval that excludes its bound"};
}

Judgement judge_body(const SequenceEvidence& e) {
  if (e.n.size() < 3 || e.n.size() != e.ratio.size()) return error("fewer than three places on the grid");
  for (const double r : e.ratio)
    if (!std::isfinite(r)) return error(fmt::format("the ratio is {} on the grid", r));
  if (!std::isfinite(e.widest)) return error("a value on the grid has no finite enclosure");
  if (!(e.interval.lower <= e.interval.upper)) return error("the extrapolation has no interval");
  const std::string found = fmt::format(
      "{} {:.6g} in [{:.6g}, {:.6g}], extrapolated over n = {:.3g} .. {:.3g}; claimed {}{:.6g}", e.quantity, e.estimate,
      e.interval.lower, e.interval.upper, e.n.front(), e.n.back(), e.at_most ? "at most " : "", e.claimed);
  if ((e.at_most || e.interval.lower >= e.claimed - e.resolution) && e.interval.upper <= e.claimed + e.resolution)
    return {Verdict::supported, found, "an extrapolation that leaves the claim by more than the resolution"};
  if (against_trend(e)) {
    if (e.witness)
      return {Verdict::refuted, fmt::format("{}; it stays off the claim beyond the grid: {}", found, e.beyond),
              "nothing: the bound holds beyond the grid"};
    return {Verdict::undecided, "against the trend on this grid: " + found,
            "a bound on the deviation that holds beyond the grid; no finite grid refutes a limit"};
  }
  return {Verdict::undecided, found, "a longer grid"};
}

Judgement judge_body(const CompositeEvidence& e) {
  if (e.parts.empty()) return error("a composite check without parts");
  // From worst to best; the first verdict present decides. A vacuous part leaves the whole untested in that part.
  for (const auto verdict : {Verdict::error, Verdict::refuted, Verdict::undecided, Verdict::vacuous}) {
    for (const auto& part : e.parts)
      if (part.judgement.verdict == verdict)
        return {verdict, fmt::format("{}: {}", part.name, part.judgement.reason), part.judgement.would_change};
  }
  std::string reasons;
  bool certified = true;
  for (const auto& part : e.parts) {
    certified = certified && part.judgement.verdict == Verdict::certified;
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", part.name, part.judgement.reason);
  }
  return {certified ? Verdict::certified : Verdict::supported, reasons, e.parts.front().judgement.would_change};
}

Judgement judge_body(const AwaitingEvidence& e) {
  if (e.comparison.empty() || e.reason.empty()) return error("a statement awaits a comparison that it does not name");
  return {Verdict::undecided, fmt::format("nothing was evaluated here: {}", e.reason), e.comparison};
}

/// The referee's own rule made the verdict; here stands what no verdict may lack.
Judgement judge_body(const StatementEvidence& e) {
  const Verdict verdict = e.judgement.verdict;
  if (verdict == Verdict::supported && e.evaluations <= 0) return error("no point was evaluated");
  if (verdict == Verdict::certified && e.method.empty()) return error("a certificate without a method");
  if (verdict == Verdict::refuted && e.question == "universal" && !e.witness) return error("refuted without a witness");
  return e.judgement;
}

/// Protocols that can establish or refute a kind of claim. Definitions, implications, figures and cost models take
/// whichever protocol fits what the text uses them for.
bool admits(Kind kind, const Evidence& evidence) {
  const auto holds = [&](auto... tags) { return (std::holds_alternative<decltype(tags)>(evidence.body) || ...); };
  const bool general = holds(CertificationEvidence{}, CompositeEvidence{});
  if (holds(AwaitingEvidence{})) return true;   // it can establish nothing, whatever the kind
  if (holds(StatementEvidence{})) return true;  // the referee reads off the statement what it asks
  switch (kind) {
    case Kind::identity:
      return general || holds(IdentityEvidence{}) || holds(ExpectationEvidence{});
    case Kind::universal_inequality:
      return general || holds(InequalityEvidence{});
    case Kind::rate:
    case Kind::limit:
      return general || holds(SequenceEvidence{}) || holds(InequalityEvidence{});
    case Kind::expectation_bound:
      return general || holds(ExpectationEvidence{}) || holds(InequalityEvidence{});
    case Kind::optimality:
      return general || holds(IdentityEvidence{}) || holds(InequalityEvidence{});
    case Kind::existence:
      return general || holds(ExistenceEvidence{}) || holds(IdentityEvidence{}) || holds(SequenceEvidence{});
    case Kind::definition:
    case Kind::implication:
    case Kind::figure:
    case Kind::cost_model:
      return !holds(std::monostate{});
  }
  return false;
}

}  // namespace

Judgement judge(Kind kind, const Evidence& evidence) {
  if (!admits(kind, evidence))
    return error(fmt::format("the protocol used cannot judge a claim of the kind '{}'", name(kind)));
  return std::visit(
      [](const auto& body) -> Judgement {
        if constexpr (std::is_same_v<std::decay_t<decltype(body)>, std::monostate>)
          return error("the check returned no evidence");
        else
          return judge_body(body);
      },
      evidence.body);
}

}  // namespace attest::engine
