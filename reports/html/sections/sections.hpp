// The sections of the pages. Each returns finished HTML.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "reports/record/errata.hpp"
#include "reports/record/results.hpp"

namespace attest::reports::html {

/// Drawn figures by name; a figure that could not be drawn is absent.
using Drawings = std::map<std::string, std::string>;

/// What the run amounts to: a sentence, the counts by verdict, and what asks for attention (an interruption, verdicts
/// that differ from the record, near-misses that were not refuted, near-hits that do not stand) or that nothing does.
std::string summary_section(const Results& results);

/// Facts of the run: its error levels, how its near-misses fared, how much of its evidence can be checked without
/// Attest, which checks owe something, seed, budget, time and version.
std::string run_section(const Results& results);

/// The gravest errata, at most ten (`gravest`). Empty when there is none.
std::string findings_section(const Results& results);

/// Every paper with its counts and one square for each statement. Empty when there is none.
std::string papers_section(const Results& results);

/// "; 8 undecided, 1 in error": the printed statements of a paper, or of all where none is named, that neither stand
/// nor are refuted, by their verdicts; empty where there are none.
std::string unsettled_in_words(const Results& results, std::optional<std::string> paper = std::nullopt);

/// "12 statements as printed: 8 stand, 3 refuted; 1 undecided; 5 of ours."
std::string paper_in_words(const Results& results, const std::string& key);

/// The table of all statements with its filters (which show only where scripts run).
std::string verdict_section(const Results& results);

/// All errata by finding, then what was sharpened, with filters; one sentence where there is neither.
std::string errata_list(const Results& results);

/// One erratum: on the left what is printed, where it fails, where its check is written, its note and what rests on it;
/// on the right its amendments, those that stand first. `id`: its anchor in the page; empty for none.
std::string erratum_article(const Results& results, const Erratum& erratum, const std::string& id);

/// Which printed statements rest on each refuted printed statement of a paper, directly or through others, drawn and as
/// a tree that says which of them stand nevertheless. Empty when nothing printed rests on any.
std::string falls_section(const Results& results, const std::string& paper);

/// All statements of a paper, each below what it rests on or amends, with lines from one to the other, and then those
/// without a line. Empty where no statement has one, or where the lines would leave no room for words.
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

/// The witness in full: both sides, the margin, how it was confirmed, its inputs rounded and to the last bit (the first
/// entries of long vectors), and the command that evaluates it again.
std::string witness_block(const Witness& witness);

/// How many near-misses were refuted and how many caught otherwise, their sizes as a drawing, and a row for each that
/// was not caught and for the eight smallest of those that were.
std::string near_miss_block(const Claim& claim);

/// A row for each near-hit.
std::string near_hit_block(const Claim& claim);

/// The evidence as a drawing where its numbers allow one, as a list of numbers, and its parts as a table.
std::string evidence_block(const Claim& claim);

/// The figure with its caption and links to its files. Empty when it could not be drawn.
std::string figure_block(const Figure& figure, const Drawings& drawings);

}  // namespace attest::reports::html
