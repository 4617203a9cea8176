// How a target is spoken to: which options it takes and in which form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulations/judge/case/problem.hpp"
#include "simulations/judge/target/target.hpp"

namespace attest::judge {

/// What the user said (--set) and what the first calls showed.
struct Conventions {
  Signature signature;
  Corner corner = Corner::bottom_right;    ///< of a target without the option `alignment`
  bool corner_is_stated = false;           ///< by the user
  bool window_as_pair = true;              ///< (before, after) instead of one number
  bool window_counts_self = true;          ///< one number w: w keys, the query's own among them
  bool token_major = false;                ///< layout bnhd: arrays are [B][N][H][D]
  bool causal_always = false;              ///< the target is causal whether or not it has such an option
  bool masked_numbers_are_finite = false;  ///< NaN and infinity in masked keys are not the implementation's business

  /// Whether the target takes an option: a parameter of that name, or any option and the name is of the contract's
  /// list.
  bool takes(const std::string& option) const;
  /// The first of these that is taken; empty when none is.
  std::string first_taken(std::initializer_list<const char*> options) const;
};

/// Every input and option that a judgement may hand over beside q, k and v.
std::vector<std::string> known_options(std::string_view mechanism);

/// Lengths, or their sums, as targets are handed them: int32.
arrays::Array array_of_lengths(const std::vector<Index>& values);

/// The call of a case. Only options that the case needs, and a neutral value of those without a default.
Request request_of(const Problem& problem, const Conventions& conventions);

/// Whether the target takes what the case needs; otherwise the option that it lacks.
bool takes_all(const Conventions& conventions, const CaseSpec& spec, std::string& lacking);

/// An answer's array as the reference orders it ([B][H][N][D]), as numbers. Errors: std::invalid_argument when the
/// element type is not floating.
std::vector<double> values_of(const arrays::Array& array, const Conventions& conventions);

}  // namespace attest::judge
