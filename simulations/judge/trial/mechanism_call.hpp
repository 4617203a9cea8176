// A case of a mechanism other than softmax as a call that can be changed and put to a target.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/judge/reference/mechanism_reference.hpp"
#include "simulations/judge/trial/answers.hpp"
#include "simulations/judge/trial/compare_calls.hpp"

namespace attest::judge {

struct MechanismCall {
  CaseSpec spec;  ///< of the extents that the arrays have
  const attention::Mechanism& mechanism;
  attention::Call<double> call;
  attention::Tensor<double> dout;  ///< empty unless spec.gradient
};

/// Errors: std::invalid_argument as call_of.
MechanismCall mechanism_call(const CaseSpec& spec);

/// The extents alone, as what compares rows takes them; no arrays.
Problem extents_of(const CaseSpec& spec);

/// The target's answer to the call with its arrays so laid out.
std::optional<Outputs> answer_to(const MechanismCall& call, Target& target, const TrialSettings& settings,
                                 Record& record, Layout layout = Layout::packed);

/// What belongs to the call.
Expected expected_of(const MechanismCall& call, const TrialSettings& settings);

/// Whether the row of a query is that of a padded token: queries and keys are then the same tokens, and nobody reads
/// what attention gives there.
bool is_padded(const CaseSpec& spec, const Row& row);
/// Replaces what the target gives in such rows of out and dq by what is expected: anything is right there.
void accept_padded_rows(const CaseSpec& spec, const Expected& expected, Outputs& outputs);

/// Other entries of the same law at place `at` of every axis with one of these letters ("H", "N_k", ...), those of q
/// and k times `factor`.
void replace_at(MechanismCall& call, const std::vector<std::string>& letters, Index at, double factor = 1);

/// The sequence b by itself.
MechanismCall alone(const MechanismCall& call, Index b);

}  // namespace attest::judge
