// [evaluation] and [paper] of an experiment's file.
#pragma once

#include "simulations/experiment/evaluation_spec.hpp"
#include "simulations/experiment/experiment.hpp"
#include "simulations/spec/spec_reader.hpp"

namespace attest::experiment {

/// [evaluation], every key of which may be left out; the defaults when there is no such table.
/// Errors: std::invalid_argument with file, line and fix.
EvaluationSpec read_evaluation(spec::SpecReader& root);

/// That the metrics which [comparison] names are such as trainings with these evaluations may have, so that no long
/// training ends in a refusal. Errors: std::invalid_argument naming the nearest ones.
void require_metrics(spec::SpecReader& root, const ComparisonSpec& comparison, const EvaluationSpec& evaluation);

/// [paper] with `source`, `note`, [paper.values] and [paper.claims] by variant; empty when there is no such table.
/// Errors: as above, also for a name in it that is none of `variants`.
PaperSpec read_paper(spec::SpecReader& root, const std::vector<VariantSpec>& variants);

}  // namespace attest::experiment
