// One case put to a target under one property, and what it showed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulations/judge/reference/attention_reference.hpp"
#include "simulations/judge/target/conventions.hpp"
#include "simulations/judge/trial/faults.hpp"

namespace attest::judge {

/// One result that is not as it must be. Where the property alone says what is wrong, its fault is known; else
/// diagnosis/ finds it.
struct Failure {
  std::string output;        ///< out, lse, dq, dk, dv, dbias; empty when it is of the call as a whole
  double ratio = 0;          ///< largest error over its bound; infinity where a number is missing
  Fault fault;               ///< without a name: to be diagnosed
  std::string message = {};  ///< one clause with the numbers
  bool guessed = false;      ///< the class is by what failing cases have in common, not by an explanation
};

/// What a trial showed.
struct Record {
  CaseSpec spec;
  int calls = 0;
  bool judged = false;       ///< answers were there
  std::string refusal = {};  ///< why the target did not answer, where that is its right
  std::vector<Failure> failures = {};
  std::map<std::string, double> ratios = {};               ///< of each output judged, failed or not
  std::map<std::string, std::vector<double>> actual = {};  ///< what was returned, where values failed
  std::map<std::string, double> least_caught = {};  ///< of each output: least relative error of an entry that fails
};

/// Which results have the same bits whenever the same call is made: all, out and lse but not gradients (whose sums many
/// kernels form in any order), or none. Where bits may differ, numbers may do so within their bounds.
enum class Deterministic { all, forward, none };

struct TrialSettings {
  Conventions conventions;
  Accumulation accumulation = Accumulation::widened;
  bool same_bits_in_any_batch = true;  ///< a sequence alone has the bits it has among others
  Deterministic deterministic = Deterministic::all;
  bool any_empty_rows = false;  ///< out and lse of rows that see no key are not judged, nor in any loss
};

/// The precision that a case is held to.
Precision precision_for(const CaseSpec& spec, const TrialSettings& settings);

/// The same number, NaN without a sign: printed, "-nan" tells nobody more than "nan".
double without_sign_of_nan(double value);

/// How far one number is from what belongs, in bounds; infinity for a number where none belongs, and the reverse.
double error_over_bound(double belongs, double bound, double actual);

/// How far `actual` is from what is judged: the largest ratio of error to bound, and where.
struct Distance {
  double ratio = 0;
  std::size_t entry = 0;
};
Distance distance(const Judged& judged, const std::vector<double>& actual);

/// Puts the case to the target.
Record run_trial(const CaseSpec& spec, Target& target, const TrialSettings& settings);

}  // namespace attest::judge
