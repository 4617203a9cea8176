// Variants that were trained under several settings: each pair compares them at their best.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/experiment/experiment.hpp"
#include "simulations/journal/run_record.hpp"
#include "simulations/outcomes/summary.hpp"

namespace attest::outcomes {

using experiment::Setting;
using experiment::VariantSpec;

/// How a record and files call a run of the variant: its name, with "@learning_rate=0.01" under that setting.
std::string run_name(const VariantSpec& variant, const Setting* setting);

/// The names of all runs that an experiment makes with each seed.
std::vector<std::string> run_names(const Experiment& experiment);

/// The results that are compared: of runs without settings as they are; with settings, for each variant and seed those
/// of the run with the lowest validation loss, the first of equal ones, with chosen_KEY for every axis. Which is chosen
/// depends on that seed's validation losses alone, so the parts that judge stay unseen, pairs stay independent, and two
/// equal variants stay exchangeable: verdicts keep their level, and pay for the choice by their spread. Runs that
/// diverged are not chosen. Precondition: `all` has every run.
/// Errors: std::runtime_error when all settings of a variant diverged with some seed.
AllResults at_their_best(const Experiment& experiment, const AllResults& all);

/// The measurements of the chosen runs, under the variants' names.
std::vector<journal::RunMeasurement> curves_of_best(const Experiment& experiment, const AllResults& all,
                                                    const std::vector<journal::RunMeasurement>& curves);

/// [{variant, setting, validation_loss (mean over the seeds that did not diverge), chosen, diverged}], counts in seeds;
/// empty without settings.
nlohmann::ordered_json settings_summary(const Experiment& experiment, const AllResults& all);

/// The same as a table for the report: {caption, columns, rows}.
nlohmann::ordered_json settings_table(const nlohmann::ordered_json& settings);

/// One sentence for each variant and axis of which most seeds chose an end, so that a better value may lie beyond it.
std::vector<std::string> axes_too_short(const Experiment& experiment, const AllResults& best);

}  // namespace attest::outcomes
