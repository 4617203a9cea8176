// "Revisiting Transformers with Insights from Image Filtering and Boosting", Theorem 4.1 (Eq 4.6) and the last line of
// appendix A.1: how fast the bounds K_n grow with the depth n, for layers of one Lipschitz constant L.
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// K_n^GRC for n layers of constant L, by Eq A.11; at t = 0 it is K_n^RC.
Ball boosted_bound(double L, const Ball& t, double n) {
  Ball bound = Ball(L) + 1;
  for (int l = 1; l < static_cast<int>(n); ++l) bound = (Ball(L) + (1 - t)) * bound + t;
  return bound;
}

/// A place of the parameter space, and a sequence in n there.
struct Place {
  double L = 0;
  double t = 0;

  std::string name() const {
    const char* side = L > t ? "t < L" : L < t ? "L < t" : "t = L";
    return fmt::format("{} (L = {}, t = {})", side, L, t);
  }
};

using AtPlace = std::function<Ball(const Place&, double n)>;

/// `value` against `reference` as n grows, at every place: one part each, named after the place. `at_least`: how far
/// apart they stay at every later n where L < t.
std::vector<Part> at_places(const std::vector<Place>& places, Asymptotics claim, const std::string& what,
                            const AtPlace& value, const AtPlace& reference, const AtPlace& at_least = {}) {
  std::vector<Part> parts;
  for (const Place& place : places) {
    SequenceProblem p;
    p.claim = claim;
    p.n = geometric_grid(4, 2, 11);
    p.value = [=](double n) { return value(place, n); };
    p.reference = [=](double n) { return reference(place, n); };
    p.resolution = 0.002;
    p.inputs = Inputs{{"L", {place.L}}, {"t", {place.t}}};
    if (at_least && place.L < place.t)
      p.beyond = Beyond{"K_n^GRC is at least 1 at every n, while the power that is claimed tends to 0",
                        [=](double n) { return at_least(place, n); }};
    parts.push_back({what + " at " + place.name(), Kind::rate, sequence(std::move(p))});
  }
  return parts;
}

/// value(n) lies between two positive multiples of factor(place)^n: what Definition 2.2 of the paper means by asymp.
/// The n-th root of the quotient must tend to 1, which tells exponential rates apart, and its growth exponent must be
/// 0. least(place)^n is below value(n) at every n.
Check same_order(const std::vector<Place>& places, const AtPlace& value,
                 const std::function<Ball(const Place&)>& factor, const std::function<Ball(const Place&)>& least) {
  const AtPlace root = [=](const Place& at, double n) { return rigor::pow(value(at, n), 1 / Ball(n)) / factor(at); };
  const AtPlace power = [=](const Place& at, double n) { return rigor::pow(factor(at), static_cast<int>(n)); };
  const AtPlace one = [](const Place&, double) { return Ball(1); };
  const AtPlace apart = [=](const Place& at, double) { return least(at) / factor(at) - 1; };
  auto parts = at_places(places, Asymptotics::limit, "n-th root of the quotient", root, one, apart);
  for (Part& part : at_places(places, Asymptotics::same_order, "order", value, power)) parts.push_back(std::move(part));
  return composite(std::move(parts));
}

const std::vector<Place> with_small_t = {{2, 0}, {2, 0.5}, {1.25, 1}};
const std::vector<Place> everywhere = {{2, 0}, {2, 0.5}, {1.25, 1}, {0.5, 0.5}, {1, 1}, {0.25, 0.5}, {0.5, 1}};

Ball bound_at(const Place& place, double n) { return boosted_bound(place.L, place.t, n); }
Ball ratio_at(const Place& place, double n) { return bound_at(place, n) / boosted_bound(place.L, 0, n); }

/// K_n^GRC has the order (tilt (L + 1 - factor t))^n.
Check order_of_bound(const std::vector<Place>& places, double factor, double tilt = 1) {
  return same_order(
      places, bound_at, [=](const Place& at) { return Ball(tilt) * (at.L + (1 - factor * Ball(at.t))); },
      [](const Place&) { return Ball(1); });
}

/// K_n^GRC / K_n^RC has the order (tilt (1 - factor t / (L + 1)))^n.
Check order_of_ratio(const std::vector<Place>& places, double factor, double tilt = 1) {
  return same_order(
      places, ratio_at, [=](const Place& at) { return Ball(tilt) * (1 - factor * Ball(at.t) / (Ball(at.L) + 1)); },
      [](const Place& at) { return 1 / (Ball(at.L) + 1); });
}

}  // namespace

Claims grc_rate() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/sec-a.1-grc-rate",
        .label = "Sec A.1 (K_GRC asymp (L+1-t)^n)",
        .title = "The dominant term of the boosted bound is (L + 1 - t)^n",
        .kind = Kind::rate,
        .tex = R"(K_n^{GRC} \asymp [L+(1-t)]^n)",
        .assumptions = {"every layer has the Lipschitz constant L > 0", "t in [0, 1]", "a = L + 1 - t is not 1"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "'Thus, the dominant term for large n is [L + (1 - t)]^n', for any L > 0 and t in (0, 1]. It holds "
                "under the assumption L > t, which the text does not make; for L < t the power vanishes and the "
                "constant term t/(t - L) of K_n dominates.",
        .depends_on = {"boosting/eq-a.11-grc-recurrence", "boosting/eq-a.12", "boosting/def-2.2"}},
       order_of_bound({{2, 0}, {2, 0.5}, {1.25, 1}, {0.25, 0.5}, {0.5, 1}}, 1),
       {{"for t < L with 1.001 t", 1e-3, order_of_bound(with_small_t, 1.001)},
        {"for t < L with a base larger by half a percent", 0.005, order_of_bound(with_small_t, 1, 1.005)},
        {"for t = L, where a = 1", 1, order_of_bound({{0.5, 0.5}}, 1)}},
       {{"for t < L", 1, order_of_bound(with_small_t, 1)}}});

  claims.push_back(
      {{.id = "boosting/thm-4.1-ratio",
        .label = "Thm 4.1 / Eq 4.6",
        .title = "The ratio of the boosted to the residual bound has the order (1 - t/(L+1))^n",
        .kind = Kind::rate,
        .tex =
            R"(\frac{K_n^{GRC}}{K_n^{RC}} \asymp \left(1-\frac{t}{L+1}\right)^n\quad\text{for all } t \in [0,1],\ L > 0)",
        .assumptions = {"every layer has the Lipschitz constant L > 0", "t in [0, 1]",
                        "K_n as the proof defines it, by Eqs A.10 and A.11"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note =
            "'For all t in [0, 1]', with L > 0. It holds for t = 0 and under the assumption L > t, so for all t when L "
            "> 1. At t = L the ratio is larger by the factor 1 + nL, for L < t by one that grows exponentially, since "
            "K_n^GRC never falls below 1. For every L and t: boosting/thm-4.1-factor-per-layer.",
        .depends_on = {"boosting/sec-a.1-grc-rate", "boosting/eq-a.10-rc-recurrence", "boosting/def-2.2"}},
       order_of_ratio(everywhere, 1),
       {{"for t < L with 1.001 t", 1e-3, order_of_ratio(with_small_t, 1.001)},
        {"for t < L with a base larger by half a percent", 0.005, order_of_ratio(with_small_t, 1, 1.005)},
        {"for t = L with a base larger by 2 percent", 0.02, order_of_ratio({{0.5, 0.5}, {1, 1}}, 1, 1.02)}},
       {{"for t < L", 1, order_of_ratio(with_small_t, 1)}}});

  return claims;
}

}  // namespace attest::boosting
