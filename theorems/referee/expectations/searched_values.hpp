// E[...] and P[...] in doubles, for the search.
#pragma once

#include <span>
#include <vector>

#include "kernels/random/stream.hpp"
#include "theorems/engine/context.hpp"
#include "theorems/referee/expectations/expectations.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"

namespace attest::referee {

/// All expectations of a program by `means` (atoms, quadrature or samples of a fixed number); one object for one
/// thread.
class SearchedValues {
 public:
  SearchedValues(const language::Program& program, Means means, const engine::Context& context);
  /// At these raw numbers; NaN where a law does not allow its arguments.
  std::vector<double> operator()(std::span<const double> raw);

 private:
  /// The probability of event `e` over the one random number, from where its margin changes sign between the nodes; NaN
  /// where the law's masses are not known.
  double probability_of_one(std::vector<double>& point, const LawAt& law, const std::vector<Atom>& nodes,
                            std::size_t e);

  const language::Program& program_;
  std::vector<RandomNumber> numbers_;
  Means means_;
  language::Evaluator evaluator_;
  std::vector<random::Stream> streams_;
};

}  // namespace attest::referee
