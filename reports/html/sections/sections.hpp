// The sections of the pages. Each returns finished HTML.
#pragma once

#include <map>
#include <string>

#include "reports/record/errata.hpp"
#include "reports/record/results.hpp"

namespace attest::reports::html {

/// Drawn figures by name; a figure that could not be drawn is absent.
using Drawings = std::map<std::string, std::string>;

/// What the run amounts to: a sentence, the counts by verdict, and what differs from the record.
std::string summary_section(const Results& results);

/// Seed, budget, time and error levels of the run.
std::string run_section(const Results& results);

/// The gravest errata, at most ten (`gravest`). Empty when there is none.
std::string findings_section(const Results& results);

/// Every paper with its counts and one square for each statement. Empty when there is none.
std::string papers_section(const Results& results);

/// "12 statements as printed: 8 stand, 3 refuted, 1 open; 5 of ours."
std::string paper_in_words(const Results& results, const std::string& key);

/// The table of all statements with its filters (which show only where scripts run).
std::string verdict_section(const Results& results);

/// All errata by finding, then what was sharpened, with filters.
std::string errata_list(const Results& results);

/// One erratum: what is printed, where it fails and what rests on it on the left, what holds instead on the right.
/// `id`: its anchor in the page; empty for none.
std::string erratum_article(const Results& results, const Erratum& erratum, const std::string& id);

/// What falls with each refuted printed statement of a paper, drawn and as a tree. Empty when nothing falls with any.
std::string falls_section(const Results& results, const std::string& paper);

/// All statements of a paper, each below what it rests on, with lines from one to the other. Empty where no statement
/// rests on another, or where the lines would leave no room for words.
std::string graph_section(const Results& results, const std::string& paper);

/// Every statement of a paper in full, by family; each can be folded.
std::string statements_section(const Results& results, const Drawings& drawings, const std::string& paper);

/// What was measured on real input. Empty when nothing was.
std::string measurements_section(const Results& results, const Drawings& drawings);

/// One measurement: its text, tables and figures.
std::string measurement_article(const Measurement& measurement, const Drawings& drawings);

/// How to read a verdict: the words that the page uses.
std::string glossary_section();

/// Where the statement fails: inputs, both sides and the command that evaluates them again; without a counterexample
/// the reason of its verdict.
std::string counterexample_block(const Claim& claim);

/// The parts of one statement's section: its counterexample, its near-misses and near-hits, its evidence, its figures.
std::string witness_block(const Witness& witness);
std::string near_miss_block(const Claim& claim);
std::string near_hit_block(const Claim& claim);
std::string evidence_block(const Claim& claim);
std::string figure_block(const Figure& figure, const Drawings& drawings);

}  // namespace attest::reports::html
