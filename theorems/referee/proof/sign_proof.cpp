#include "theorems/referee/proof/sign_proof.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "theorems/language/algebra/algebraist.hpp"
#include "theorems/referee/proof/orthant.hpp"
#include "theorems/referee/proof/polynomials.hpp"

namespace attest::referee {
namespace {

using language::Formula;
using language::Fraction;
using language::Polynomial;
using language::Program;
using language::Relation;
using language::Ring;
using rigor::Rational;

constexpr std::size_t most_numbers = 8;
constexpr std::size_t most_coefficients = 6000;  ///< of one that is subdivided

/// What is known of one variable of the ring.
struct Domain {
  std::optional<Rational> lower = {}, upper = {};
  bool lower_open = false, upper_open = false;
};

class Proof {
 public:
  Proof(const Program& program, const engine::Context& context, double budget)
      : program_(program), context_(context), budget_(budget) {}

  bool run() {
    language::AlgebraLimits limits;
    limits.terms = 3000;
    limits.term_products = static_cast<std::size_t>(std::max(1e4, budget_));
    const std::size_t variables = language::algebra_variables(program_);
    if (variables > 60) return false;
    try {
      algebra_.emplace(program_, limits, variables);
      return holds(program_.claim());
    } catch (const language::TooLarge&) {
      return false;
    } catch (const std::domain_error&) {
      return false;
    }
  }

 private:
  Fraction slack(const Formula& f, std::size_t k) {
    const auto lhs = algebra_->entries(f.lhs), rhs = algebra_->entries(f.rhs);
    const Fraction &l = lhs[lhs.size() == 1 ? 0 : k], &r = rhs[rhs.size() == 1 ? 0 : k];
    const bool upwards = says_greater(f.relation);
    return algebra_->reduced(upwards ? l - r : r - l);
  }

  std::size_t entries(const Formula& f) {
    return std::max(algebra_->entries(f.lhs).size(), algebra_->entries(f.rhs).size());
  }

  /// The relation that holds where a relation between two numbers does not.
  std::optional<Formula> denied(Formula f) {
    if (f.kind != Formula::Kind::relation || f.relation == Relation::equal || entries(f) != 1) return std::nullopt;
    f.relation = rigor::denied(f.relation);
    return f;
  }

  bool holds(const Formula& f) {
    if (f.kind == Formula::Kind::conjunction)
      return std::all_of(f.parts.begin(), f.parts.end(), [&](const Formula& part) { return holds(part); });
    if (f.kind == Formula::Kind::negation) {
      const std::optional<Formula> turned = denied(f.parts.front());
      return turned && holds(*turned);
    }
    if (f.kind != Formula::Kind::relation) return false;
    for (std::size_t k = 0; k < entries(f); ++k) {
      const Fraction difference = slack(f, k);
      if (f.relation == Relation::equal) {
        if (!difference.top.is_zero()) return false;
        continue;
      }
      if (!fraction_has_sign(difference, is_strict(f.relation))) return false;
    }
    return true;
  }

  /// On the domains of the numbers alone, then with conditions in the place of variables.
  bool fraction_has_sign(const Fraction& f, bool strict) {
    domains_ = domains();
    if (on_orthants(f.top, f.bottom, strict)) return true;
    for (const Fraction& condition : linear_conditions()) {
      for (std::size_t v = 0; v < program_.dimension(); ++v) {
        if (!condition.bottom.is_constant() || degree_in(condition.top, v) != 1) continue;
        const Polynomial slope = coefficient_of(condition.top, v, 1);
        if (!slope.is_constant() || slope.is_zero()) continue;
        // a x + rest = s >= 0: x = (s - rest)/a, with s in the place of x.
        const Ring& ring = algebra_->ring();
        const Rational a = slope.constant() / condition.bottom.constant();
        const Polynomial rest =
            coefficient_of(condition.top, v, 0) * Polynomial(ring, Rational(1) / (a * condition.bottom.constant()));
        const Polynomial x = Polynomial::variable(ring, v) * Polynomial(ring, Rational(1) / a) - rest;
        domains_ = domains();
        domains_[v] = {.lower = Rational(0)};
        if (on_orthants(substituted(f.top, v, x), substituted(f.bottom, v, x), strict)) return true;
      }
    }
    return false;
  }

  /// Differences that conditions say are not below 0. Roots of what is substituted would change with it: none then.
  std::vector<Fraction> linear_conditions() {
    std::vector<Fraction> all;
    if (!algebra_->opaque().empty()) return all;
    for (const Formula& condition : program_.conditions()) {
      std::vector<const Formula*> parts;
      if (condition.kind == Formula::Kind::conjunction) {
        for (const Formula& part : condition.parts) parts.push_back(&part);
      } else {
        parts.push_back(&condition);
      }
      for (const Formula* part : parts)
        if (part->kind == Formula::Kind::relation && part->relation != Relation::equal)
          for (std::size_t k = 0; k < std::min<std::size_t>(4, entries(*part)); ++k) all.push_back(slack(*part, k));
    }
    return all;
  }

  std::vector<Domain> domains() const {
    std::vector<Domain> all(algebra_->ring().variables());
    for (const language::RawInput& input : program_.inputs())
      for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) {
        Domain& own = all[input.offset + k];
        if (std::isfinite(input.lower[k]))
          own.lower = input.lower_end ? *input.lower_end : Rational::from_double(input.lower[k]);
        if (std::isfinite(input.upper[k]))
          own.upper = input.upper_end ? *input.upper_end : Rational::from_double(input.upper[k]);
        own.lower_open = input.lower_open;
        own.upper_open = input.upper_open;
      }
    for (const language::Opaque& o : algebra_->opaque()) {
      if (o.square) all[o.variable].lower = Rational(0);
      if (o.function && o.function->first == language::Unary::exp)
        all[o.variable] = {.lower = Rational(0), .lower_open = true};
    }
    return all;
  }

  /// Each sign of the variables that may have two, one after the other.
  bool on_orthants(const Polynomial& top, const Polynomial& bottom, bool strict) {
    std::vector<std::size_t> both;
    const Rational zero(0);
    for (std::size_t v = 0; v < domains_.size(); ++v) {
      const Domain& d = domains_[v];
      const bool used = degree_in(top, v) > 0 || degree_in(bottom, v) > 0 || (v < program_.dimension() && rooted(v));
      if (used && !(d.lower && *d.lower >= zero) && !(d.upper && *d.upper <= zero)) both.push_back(v);
    }
    if (both.size() > 6) return false;
    const std::vector<Domain> whole = domains_;
    for (std::size_t signs = 0; signs < (std::size_t{1} << both.size()); ++signs) {
      domains_ = whole;
      for (std::size_t k = 0; k < both.size(); ++k) {
        Domain& d = domains_[both[k]];
        if ((signs >> k) % 2 == 0) {
          d.lower = zero;
          d.lower_open = false;
        } else {
          d.upper = zero;
          d.upper_open = false;
        }
      }
      const Polynomial above = without_absolute_values(top), below = without_absolute_values(bottom);
      const bool shown = has_sign(above, below, strict, 0);
      if (!shown) {
        domains_ = whole;
        return false;
      }
    }
    domains_ = whole;
    return true;
  }

  bool rooted(std::size_t v) const {
    return std::any_of(algebra_->opaque().begin(), algebra_->opaque().end(), [&](const language::Opaque& o) {
      return o.square && (degree_in(o.square->top, v) > 0 || degree_in(o.square->bottom, v) > 0);
    });
  }

  /// The root of c x^2 y^4 is sqrt(c) |x| y^2, and each |x| is x or -x here.
  Polynomial without_absolute_values(Polynomial p) const {
    const Ring& ring = algebra_->ring();
    for (const language::Opaque& o : algebra_->opaque()) {
      if (!o.square || o.square->top.terms() != 1 || !o.square->bottom.is_constant()) continue;
      const auto factor = language::rational_root(o.square->top.term(0).first / o.square->bottom.constant());
      if (!factor) continue;
      Polynomial root(ring, *factor);
      const std::vector<ulong> powers = powers_of(o.square->top, 0);
      bool known = true;
      for (std::size_t v = 0; v < powers.size() && known; ++v) {
        known = powers[v] % 2 == 0;
        const bool negative = domains_[v].upper && *domains_[v].upper <= Rational(0);
        const bool positive = domains_[v].lower && *domains_[v].lower >= Rational(0);
        if (powers[v] % 4 == 2 && !negative && !positive) known = false;
        for (ulong k = 0; k < powers[v] / 2 && known; ++k)
          root = root * Polynomial::variable(ring, v) * Polynomial(ring, Rational(negative ? -1 : 1));
      }
      if (known) p = substituted(p, o.variable, root);
    }
    return p;
  }

  /// top/bottom >= 0 (> 0 where strict) wherever bottom is not 0.
  bool has_sign(const Polynomial& top, const Polynomial& bottom, bool strict, int depth) {
    context_.poll();
    if (top.is_zero()) return !strict;
    int whole = 1;
    std::vector<Factor> factors = factors_of(top, whole);
    const std::size_t above = factors.size();
    for (Factor& factor : factors_of(bottom, whole)) factors.push_back(std::move(factor));
    std::vector<int> signs(factors.size(), 1);
    for (std::size_t k = 0; k < factors.size(); ++k) {
      const bool must_differ = strict && k < above;
      if (factors[k].even && !must_differ) continue;
      const auto has = [&](int s) { return has_this_sign(factors[k].polynomial, s, must_differ, depth); };
      signs[k] = has(1) ? 1 : has(-1) ? -1 : 0;
      if (signs[k] == 0) return false;
      if (!factors[k].even) whole *= signs[k];
    }
    if (whole > 0) return true;
    // A factor of both signs is 0 everywhere, as x + |x| is for x <= 0.
    for (std::size_t k = 0; k < above && !strict; ++k)
      if (!factors[k].even && signs[k] == 1 && has_this_sign(factors[k].polynomial, -1, false, depth)) return true;
    return false;
  }

  bool has_this_sign(const Polynomial& p, int s, bool strict, int depth) {
    const Polynomial q = p * Polynomial(algebra_->ring(), Rational(s));
    return has_coefficients(q, strict) || without_root(q, strict, depth);
  }

  /// p + q r >= 0 for a root r: with q <= 0 where p >= 0 and p^2 >= q^2 r^2; with q >= 0 where p >= 0, or
  /// q^2 r^2 >= p^2.
  bool without_root(const Polynomial& f, bool strict, int depth) {
    constexpr int deepest = 3;
    if (depth >= deepest || f.terms() > 80) return false;
    const auto& opaque = algebra_->opaque();
    for (auto o = opaque.rbegin(); o != opaque.rend(); ++o) {
      if (!o->square || degree_in(f, o->variable) != 1) continue;
      const Polynomial p = coefficient_of(f, o->variable, 0), q = coefficient_of(f, o->variable, 1);
      const Polynomial one(algebra_->ring(), Rational(1)), zero(algebra_->ring());
      const Polynomial reduced_top = p * p * o->square->bottom - q * q * o->square->top;
      const Fraction difference = algebra_->reduced(Fraction(reduced_top, o->square->bottom));
      const Polynomial above = without_absolute_values(difference.top),
                       below = without_absolute_values(difference.bottom);
      if (has_sign(zero - q, one, false, depth + 1))
        return has_sign(p, one, false, depth + 1) && has_sign(above, below, strict, depth + 1);
      if (has_sign(q, one, false, depth + 1)) return has_sign(zero - above, below, strict, depth + 1);
      return false;
    }
    return false;
  }

  /// On the orthant that the domains are mapped to.
  bool has_coefficients(const Polynomial& p, bool strict) {
    std::vector<std::size_t> used, degrees;
    double size = 1;
    for (std::size_t v = 0; v < domains_.size(); ++v) {
      const std::size_t degree = degree_in(p, v);
      if (degree == 0) continue;
      used.push_back(v);
      degrees.push_back(degree);
      size *= static_cast<double>(degree) + 1;
    }
    if (used.size() > most_numbers || size > static_cast<double>(most_coefficients)) return false;
    DensePolynomial dense(degrees);
    for (std::size_t t = 0; t < p.terms(); ++t) {
      const std::vector<ulong> powers = powers_of(p, t);
      std::vector<std::size_t> own;
      for (const std::size_t v : used) own.push_back(powers[v]);
      dense.at(own) = p.term(t).first;
    }
    // A homogeneous polynomial has the same signs on [0, b]^n as for all x >= 0.
    bool corner = dense.is_homogeneous();
    for (const std::size_t v : used) corner &= domains_[v].lower && *domains_[v].lower == Rational(0);
    std::vector<HalfLine> where;
    for (std::size_t k = 0; k < used.size(); ++k) {
      Domain d = domains_[used[k]];
      if (corner) d.upper.reset();
      HalfLine line;
      if (d.lower && d.upper) {
        // x = lower + (upper - lower) y/(1 + y)
        dense.shift(k, *d.lower);
        dense.scale(k, *d.upper - *d.lower);
        dense.reverse(k);
        dense.shift(k);
        dense.reverse(k);
        line = {!d.lower_open, !d.upper_open};
      } else if (d.lower) {
        dense.shift(k, *d.lower);
        line = {!d.lower_open, false};
      } else if (d.upper) {
        dense.shift(k, *d.upper);
        dense.scale(k, Rational(-1));
        line = {!d.upper_open, false};
      } else {
        return false;
      }
      where.push_back(line);
    }
    // One stubborn factor does not take all that is left.
    double share = budget_ / 4;
    const double before = share;
    const bool shown = nonnegative_on_orthant(std::move(dense), where, strict, share, [&] { context_.poll(); });
    budget_ -= before - std::max(share, 0.0);
    return shown;
  }

  const Program& program_;
  const engine::Context& context_;
  double budget_;
  std::optional<language::Algebraist> algebra_ = {};
  std::vector<Domain> domains_ = {};
};

}  // namespace

bool prove_by_signs(const Program& program, const engine::Context& context) {
  // Not of the effort: a verdict that a larger one raises would differ between budgets.
  constexpr double budget = 4e5;
  if (program.dimension() == 0 || program.dimension() > most_numbers || !program.expectations().empty()) return false;
  for (const language::RawInput& input : program.inputs())
    if (input.whole || input.random) return false;
  return Proof(program, context, budget).run();
}

}  // namespace attest::referee
