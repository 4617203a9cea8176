// Section 3.3: independent token and position vectors are close to orthogonal in high dimension.
#include <cmath>

#include <fmt/format.h>

#include "kernels/random/laws.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/expectation.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using random::Law;
using random::Stream;

/// E|cos(u, v)| <= factor/sqrt(d) for independent u, v in R^d whose coordinates are independent with mean `mean` and a
/// symmetric law of variance 1 about it.
Check cosine_bound(double factor, double mean) {
  std::vector<ExpectationConfiguration> all;
  for (const Law& law : {Law::gaussian(), Law::rademacher(), Law::uniform(), Law::laplace(), Law::student_t(5)}) {
    for (const std::size_t d : {16U, 256U}) {
      ExpectationConfiguration one;
      one.name = fmt::format("{}, d = {}", random::name(law), d);
      one.inputs = {{"d", {static_cast<double>(d)}}, {"mean", {mean}}};
      one.statistic = [=](Stream& stream) {
        std::vector<double> uv(2 * d);
        random::fill(law, stream, uv);
        double uu = 0, vv = 0, product = 0;
        for (std::size_t i = 0; i < d; ++i) {
          const double u = uv[i] + mean, v = uv[d + i] + mean;
          uu += u * u;
          vv += v * v;
          product += u * v;
        }
        return std::abs(product) / std::sqrt(uu * vv);
      };
      one.greatest = 1 + 1e-12;  // Cauchy-Schwarz and rounding
      one.bound = factor / std::sqrt(static_cast<double>(d));
      one.resolution = 0.02 * one.bound;
      one.samples = 40000;
      all.push_back(std::move(one));
    }
  }
  return expectation(std::move(all));
}

}  // namespace

Claims near_orthogonality() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/sec-3.3-near-orthogonality",
        .label = "Sec 3.3 (near-orthogonality of tokens and positions)",
        .title = "The mean absolute cosine of independent vectors is at most 1/sqrt d",
        .kind = Kind::expectation_bound,
        .tex = R"(\mathbb{E}\,|\cos(u, v)| \le \frac{1}{\sqrt{d}})",
        .assumptions = {"u, v in R^d independent", "coordinates independent, with one law that is symmetric about 0",
                        "the paper's 'mild distributional assumptions', made exact"},
        .expected = Verdict::supported,
        .note =
            "E cos^2 = 1/d exactly. A common mean of the coordinates, which trained embeddings have, is not mild: it "
            "keeps the cosine away from 0 for every d."},
       cosine_bound(1, 0),
       {{"constant 0.77", 0.23, cosine_bound(0.77, 0)}, {"mean 0 dropped: mean 1/2", 1, cosine_bound(1, 0.5)}}});
  return claims;
}

}  // namespace attest::boosting
