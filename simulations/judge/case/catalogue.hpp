// The cases of a judgement.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "simulations/judge/case/case_spec.hpp"

namespace attest::judge {

enum class Budget { quick, standard };

struct CatalogueRequest {
  std::string mechanism = "softmax";
  Budget budget = Budget::quick;
  std::uint64_t seed = 1;
  std::vector<ElementType> types = {ElementType::float64, ElementType::float32};  ///< the first holds most cases
  Corner corner = Corner::bottom_right;                      ///< of targets without the option `alignment`
  std::vector<Index> widths;                                 ///< that the target takes, ascending; empty: all
  Index tile = 1;                                            ///< it takes multiples of so many queries and keys
  bool causal_only = false;                                  ///< the target refuses calls that are not causal
  bool far = false;                                          ///< the target takes strides beyond 2^31
  bool both_corners = false;                                 ///< the target takes it
  std::map<std::string, std::string, std::less<>> settings;  ///< of mechanisms other than softmax
};

/// Gives the options that the mechanism has no default for the values of its example, where the request names none: the
/// texts "key=value".
std::vector<std::string> fill_needed_settings(CatalogueRequest& request);

/// The case in widths that the target takes: for each the next that is not smaller, or the largest; where values have
/// another width than keys, another of them if there are two.
CaseSpec in_widths(CaseSpec spec, const std::vector<Index>& widths);

/// The case in whole tiles: every number of tokens, also of each packed sequence, becomes the next multiple of `tile`;
/// numbers of queries and keys that differ go on doing so.
CaseSpec in_tiles(CaseSpec spec, Index tile);

/// The case in widths and tiles that the target takes.
CaseSpec in_extents(CaseSpec spec, const CatalogueRequest& request);

/// Whether the reference alone would take seconds for the case: N_q N_k max(D, D_v) > 2^26. None does in the extents
/// that it is written in; the longest do in the widths and tiles of some targets.
bool takes_too_many_products(const CaseSpec& spec);

/// Every case, the most telling first; those that a target does not take are among them. A pure function of the
/// request.
std::vector<CaseSpec> catalogue(const CatalogueRequest& request);

/// The order in which cases are judged, as places in `cases`: the first of every kind (property, causal, other lengths
/// of queries and keys, window, mask, packed, terms of the logits), then the second of every kind, and so on, so that a
/// target whose calls take long has met every kind when the time ends.
std::vector<std::size_t> judging_order(const std::vector<CaseSpec>& cases);

/// Small cases that show whether a target takes what its signature cannot tell (grouped heads, values of another width,
/// fewer queries than keys, an element type, a shape of masks): two of each.
struct Probe {
  enum class Of { types, extents, masks } of;
  std::string feature;                       ///< for people
  std::function<bool(const CaseSpec&)> has;  ///< whether a case has it
  std::vector<CaseSpec> cases;
};
std::vector<Probe> probes(const CatalogueRequest& request);

}  // namespace attest::judge
