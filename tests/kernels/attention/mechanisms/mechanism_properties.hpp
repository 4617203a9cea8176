// What every attention mechanism must satisfy, as functions from a mechanism to complaints: none when it holds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::attention {

using Complaints = std::vector<std::string>;

/// One way to call a mechanism.
struct Variant {
  Settings settings = {};
  std::vector<std::string> optional_inputs = {};
  std::map<std::string, std::string> other_shapes = {};  ///< by input, one of `InputSpec::also`
  std::vector<std::string> left_out = {};                ///< inputs of the examples that are not required
  Index tokens = 12;                                     ///< N, N_q and N_k
  bool fewer_queries = false;                            ///< N_q = 7 instead
  bool grouped_heads = false;                            ///< H_kv = 2 instead of H
};

/// The ways a mechanism is tried: its defaults (options without a default at their example), each option alone at its
/// example, each input that is not required (or without it, where examples hold it), each in the other
/// shapes it may have, fewer queries than keys and fewer heads of keys than of queries where they may differ.
std::vector<Variant> variants_of(const Mechanism& mechanism);

/// Whether the settings ask for a causal mask.
bool is_causal(const Variant& variant);

/// Whether the order of tokens matters to the mechanism called as the variant says.
bool is_positional(const Mechanism& mechanism, const Variant& variant);

/// Backward has one gradient for every input, of its shape, and directional derivatives agree with central differences.
Complaints wrong_gradients(const Mechanism& mechanism, const Variant& variant);

/// Output and gradients in float are within 2e-6 of those in double, of inputs that float holds exactly, relative to
/// the largest entry of the array.
Complaints float_errors(const Mechanism& mechanism, const Variant& variant);

/// Tokens after t change no output up to t in any bit, and outputs up to t have gradients that are zero after t.
/// Precondition: is_causal(variant).
Complaints leaks_from_the_future(const Mechanism& mechanism, const Variant& variant);

/// Tokens in another order give the outputs in that order, unless the call is positional: then they must not.
/// Precondition: not is_causal(variant), not variant.fewer_queries.
Complaints wrong_equivariance(const Mechanism& mechanism, const Variant& variant);

/// A sequence of which L keys are real has the outputs and gradients of the sequence cut to L tokens. A stride that by
/// default follows the number of tokens is given. Precondition: not variant.fewer_queries, and sequences do not depend
/// on each other.
Complaints errors_of_key_lengths(const Mechanism& mechanism, const Variant& variant);

/// NaN and infinity in the keys and values of padded tokens, which no query sees, change no bit of output and
/// gradients. Precondition: mechanism.ignores_hidden_tokens and not mechanism.adds_own_values,
/// mechanism.takes_key_lengths.
Complaints bits_that_depend_on_hidden_tokens(const Mechanism& mechanism, const Variant& variant);

/// Output or gradients depend on the number of threads, for 12 tokens and for 132 (where the mechanism takes as many).
Complaints bits_that_depend_on_threads(const Mechanism& mechanism, const Variant& variant);

/// Inputs that stay give the bits of those that are overwritten before the way back.
Complaints errors_of_kept_inputs(const Mechanism& mechanism, const Variant& variant);

/// A query that sees no key, by the mask or because no key is real, has a zero output (but for what the mechanism adds
/// outside the attention), and no gradient passes through its attention. Precondition: the variant does not set
/// empty_rows.
Complaints errors_of_rows_without_keys(const Mechanism& mechanism, const Variant& variant);

/// Calls that must be refused by one sentence that names what is wrong: missing and unknown inputs, wrong ranks and
/// extents, entries that are not finite, unknown settings and senseless values, masks that the mechanism does not take.
Complaints wrong_calls_accepted(const Mechanism& mechanism, const Variant& variant);

}  // namespace attest::attention
