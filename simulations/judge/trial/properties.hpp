// The properties beyond plain values: each puts several calls to the target and compares its answers with each other.
// Where this says that bits are kept, numbers may differ within their bounds if the target need not be deterministic.
#pragma once

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// Compares what was returned with what belongs, output by output.
void judge_values(const Expected& expected, const std::map<std::string, std::vector<double>>& outputs, Record& record);

/// NaN, infinity and 10^30 in keys and values that some queries do not see: their rows of out and dq must keep their
/// bits; NaN in what no query sees must leave every result finite.
Record run_leak(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// Other numbers in one key and value at a time: rows that do not see it must keep their bits.
Record run_causality(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// Permuted keys, shifted logits (one vector added to every key), and 2 V: the same output (twice the output) within
/// the bounds, exactly twice for 2 V.
Record run_symmetry(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// Other numbers in one head (heads) or one sequence (sequences, mates: a thousandfold larger ones): the others keep
/// their bits. alone: each sequence by itself has the bits that it has among others.
Record run_apart(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// The same call again, and again after one of the same extents with other numbers: the same bits, of gradients too.
Record run_repeat(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// The call, one of the same extents between with other numbers and another option (lengths of packed sequences,
/// window, scale, cap, arrays, alignment or causal, the first of these that the case has), and the call again: what a
/// target keeps between calls must not be found by their extents alone.
Record run_other_options(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// The target's gradients along a random direction against central differences of its own forward pass, with steps h
/// and h / 2 extrapolated. What is allowed is the rounding of the forward pass over h and the difference that the
/// extrapolation made.
Record run_own_differences(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// For positive V in a 16-bit type: the mean over all entries of error / (u |out|). Roundings to nearest are as often
/// up as down, so that the mean of n of them, each within c, stays below c sqrt(2 log(2/alpha) / n) but for
/// probability alpha = 10^-12 (Hoeffding); cutting off or a sum that stalls does not.
Record run_rounding_bias(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// Dropout that the target draws itself from a seed: the kept share, its independence between neighbouring keys,
/// queries and heads, by confidence sequences at level 10^-9; equal patterns for equal seeds, others for others; the
/// same pattern in dV.
Record run_drawn_dropout(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// How the arrays of a property's calls are laid out, one call each.
std::vector<Layout> layouts_of(Property property);
/// The same with the layout said in each failure's message, unless it is the usual one.
Record with_layout(Record record, Layout layout);

/// A crash in a call whose arrays are far apart is named by that: the same call is right with its numbers close
/// together, or has failed there too.
void name_far_crashes(Record& record);

/// Mechanisms other than softmax: values and gradients against the library's evaluation in double precision, and the
/// properties above in the form that their traits allow (case/comparisons.hpp), by the functions below.
Record run_mechanism(const CaseSpec& spec, Target& target, const TrialSettings& settings);

/// Permuted tokens (of keys alone, where queries are others), one vector added to keys (and queries, where the trait
/// says so), twice the values of all layers.
Record run_mechanism_symmetry(const CaseSpec& spec, Target& target, const TrialSettings& settings);
/// As run_apart, with all inputs of a head or sequence replaced.
Record run_mechanism_apart(const CaseSpec& spec, Target& target, const TrialSettings& settings);
/// As run_repeat.
Record run_mechanism_repeat(const CaseSpec& spec, Target& target, const TrialSettings& settings);
/// As run_other_options: another number of padded keys, another mask, or a causal mask where there was none.
Record run_mechanism_other_options(const CaseSpec& spec, Target& target, const TrialSettings& settings);
/// NaN, infinity and 10^30 in keys and values of tokens after a query: rows of out before them keep their bits.
Record run_mechanism_leak(const CaseSpec& spec, Target& target, const TrialSettings& settings);
/// Other numbers in every input of one token at a time: rows of out before it keep their bits.
Record run_mechanism_causality(const CaseSpec& spec, Target& target, const TrialSettings& settings);
/// Other numbers in every input of padded tokens: the other rows of out keep their bits.
Record run_mechanism_padding(const CaseSpec& spec, Target& target, const TrialSettings& settings);
/// As run_own_differences. The error of the differences themselves is taken from the reference, whose gradient is
/// known: it covers feature maps with a kink too.
Record run_mechanism_differences(const CaseSpec& spec, Target& target, const TrialSettings& settings);

}  // namespace attest::judge
