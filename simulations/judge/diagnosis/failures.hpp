// What the steps of a diagnosis share: which failures of which records are still without a class.
#pragma once

#include <string>
#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Whether a result is a gradient: dq, dk, dv, dbias.
bool is_gradient(const std::string& output);

/// About how long a case takes, in multiplications.
double cost(const CaseSpec& spec);

/// Whether the case's property compares calls with each other, so that its failures say nothing about values.
bool compares_calls(const CaseSpec& spec);

/// float16 and bfloat16, whose bounds fit much.
bool is_narrow(const CaseSpec& spec);

/// A failure whose class is not known, with its record.
struct Open {
  Record* record;
  Failure* failure;
};

/// Those of the gradients, or of everything else, in the order of the records.
std::vector<Open> open_failures(std::vector<Record>& records, bool gradient);

}  // namespace attest::judge
