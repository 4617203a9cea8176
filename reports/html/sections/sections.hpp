// The sections of the page, in the order in which they stand. Each returns finished HTML.
#pragma once

#include <map>
#include <string>

#include "reports/record/results.hpp"

namespace attest::reports::html {

/// Drawn figures by name; a figure that could not be drawn is absent.
using Drawings = std::map<std::string, std::string>;

/// What the run amounts to: a sentence, one square a statement, and the run's data.
std::string summary_section(const Results& results);

/// The verdict table with its filters (which show only where scripts run).
std::string verdict_section(const Results& results);

/// By paper: printed statements that fell, each beside its amendment, those that fell without one, and those that were
/// sharpened. Empty when there are none.
std::string errata_section(const Results& results);

/// By paper: what falls with each refuted printed statement, drawn and as a tree. Empty when nothing falls with any.
std::string falls_section(const Results& results);

/// Every statement in full, by paper and family; each can be folded.
std::string statements_section(const Results& results, const Drawings& drawings);

/// What was measured on real input. Empty when nothing was.
std::string measurements_section(const Results& results, const Drawings& drawings);

/// One measurement: its text, tables and figures.
std::string measurement_article(const Measurement& measurement, const Drawings& drawings);

/// How to read a verdict: the words that the page uses.
std::string glossary_section();

/// The parts of one statement's section: its counterexample, its near-misses and near-hits, its evidence, its figures.
std::string witness_block(const Witness& witness);
std::string near_miss_block(const Claim& claim);
std::string near_hit_block(const Claim& claim);
std::string evidence_block(const Claim& claim);
std::string figure_block(const Figure& figure, const Drawings& drawings);

}  // namespace attest::reports::html
