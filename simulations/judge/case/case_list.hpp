// A list of cases under construction: numbered, with what is common to all filled in.
#pragma once

#include <utility>
#include <vector>

#include "simulations/judge/case/catalogue.hpp"

namespace attest::judge {

struct Extents {
  Index batch, heads, kv_heads, queries, keys, width, value_width;
};

class CaseList {
 public:
  explicit CaseList(const CatalogueRequest& request) : request_(request) {}

  const CatalogueRequest& request() const { return request_; }
  std::vector<CaseSpec> taken() { return std::move(cases_); }

  /// A plain case of the request's mechanism, first type, seed and corner.
  CaseSpec base(const Extents& extents) const;
  /// Adds a case under the next number.
  void add(CaseSpec spec);
  /// Forward alone, and with gradients.
  void add_both(CaseSpec spec);
  /// Every corner that the target takes.
  void add_corners(CaseSpec spec, bool gradient = true);

 private:
  const CatalogueRequest& request_;
  std::vector<CaseSpec> cases_;
  std::uint64_t number_ = 0;
};

// The parts of the catalogue, each added to the list.
void add_plain(CaseList& list);                    ///< extents and families without options
void add_visibility(CaseList& list);               ///< causal, windows, masks
void add_terms(CaseList& list);                    ///< scale, softcap, bias, ALiBi, sinks, dropout
void add_packed(CaseList& list);                   ///< packed sequences
void add_tiles(CaseList& list);                    ///< beyond the tiles, widths and heads that kernels are made for
void add_numbers(CaseList& list);                  ///< other element types, long sums, large logits
void add_long_rows(CaseList& list);                ///< more than 65,536 keys
void add_comparisons(CaseList& list);              ///< properties that compare calls with each other
void add_combinations(CaseList& list, int count);  ///< options, extents and families put together at random
void add_activations(CaseList& list);              ///< of a trained model; for every mechanism
void add_mechanism(CaseList& list);                ///< of a mechanism other than softmax
void add_mechanism_combinations(CaseList& list, int count);  ///< of one, options and extents put together at random
void add_mechanism_comparisons(CaseList& list);              ///< of one, properties that compare calls with each other

}  // namespace attest::judge
