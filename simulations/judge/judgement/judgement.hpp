// A whole judgement: cases, calls, diagnosis, shrinking.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "simulations/judge/case/catalogue.hpp"
#include "simulations/judge/diagnosis/diagnose.hpp"
#include "simulations/judge/diagnosis/would_have_caught.hpp"

namespace attest::judge {

struct JudgementRequest {
  TargetMaker target;                ///< one for each thread
  CatalogueRequest cases;            ///< mechanism, budget, seed, types
  TrialSettings settings;            ///< what the user said; the signature is filled in
  std::vector<std::string> options;  ///< the target takes no others of the contract's, unless empty
  std::vector<CaseSpec> only;        ///< these cases alone (--case), unless empty
  unsigned threads = 1;
  double seconds = 25;  ///< after that no further case is started
  bool shrink = true;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::size_t done, std::size_t total, const std::string& what)> progress = {};
};

struct Judgement {
  std::size_t cases = 0;  ///< that were judged
  std::size_t offered =
      0;  ///< the cases of a target that takes every option, width and type; those that were asked for
  std::size_t calls = 0;
  std::vector<std::string> skipped;  ///< one clause each: what was not judged, and why
  std::vector<Finding> findings;
  std::map<std::string, double> ratios;  ///< of each output the largest error over bound among cases that passed
  std::vector<Caught> caught;            ///< filled where there are no findings
  double seconds = 0;
  bool interrupted = false;
  SourceLine source;        ///< of the implementation, where it is known
  bool any_option = false;  ///< the target takes whatever option it is given, such as by Python's **
};

/// Judges. Errors: std::invalid_argument when the target cannot be started.
Judgement judge(const JudgementRequest& request);

}  // namespace attest::judge
