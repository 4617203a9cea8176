// One case on which an implementation is judged, as data: a few extents and options from which every array follows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/attention/tensor.hpp"
#include "simulations/arrays/array.hpp"
#include "simulations/judge/case/property.hpp"

namespace attest::judge {

using arrays::ElementType;
using attention::Index;

/// Where the diagonal of causal masks, windows and ALiBi ends: query i stands at key i (top left) or at key
/// i + N_k - N_q (bottom right).
enum class Corner { top_left, bottom_right };

/// How many keys before and after its own position a query sees; -1: all.
using Window = std::pair<Index, Index>;

/// Whether a mechanism is the attention whose terms the contract of judged implementations spells out: windows,
/// softcap, sinks, packed sequences, grouped heads. All others are judged by the inputs and settings of their own.
inline bool is_plain_attention(std::string_view mechanism) { return mechanism == "softmax"; }
/// Whether a mechanism's matrix has a pattern of zeros of its own.
inline bool has_sparse_pattern(std::string_view mechanism) { return mechanism == "sparse"; }
/// Whether a mechanism has slopes that follow from the number of heads: ALiBi, alone or with another mechanism.
inline bool has_slopes(std::string_view mechanism) { return mechanism.ends_with("alibi"); }
/// Whether a mechanism divides by the variance of its keys.
inline bool divides_by_variances(std::string_view mechanism) {
  return mechanism.find("bn") != std::string_view::npos && !mechanism.ends_with("simplified");
}

/// A pure description: equal specs give equal arrays, bit for bit (problem.hpp).
struct CaseSpec {
  Property property = Property::values;  ///< the trial that is made of it
  std::string mechanism = "softmax";
  ElementType type = ElementType::float64;
  Index batch = 1, heads = 1, kv_heads = 1, queries = 4, keys = 4, width = 4, value_width = 4;
  std::string family = "gaussian";  ///< of the entries of q, k, v: families.hpp
  std::uint64_t seed = 1;
  std::uint64_t number = 0;  ///< the sample of the random streams
  bool causal = false;
  Corner corner = Corner::bottom_right;
  double scale = 0;              ///< 0: 1/sqrt(D), and no such option in the call
  std::optional<Window> window;  ///< around the query's position
  double softcap = 0;            ///< 0: none
  std::string mask;              ///< "" or "bool" or "float" and a space and "NN", "B1NN" or "BHNN"; " band" after that
                                 ///< leaves each query a few neighbouring keys, so that most tiles are hidden from it
  bool empty_row = false;        ///< the mask hides every key from some query
  std::string bias;              ///< "" or "HNN"
  bool alibi = false, sinks = false;
  double dropout = 0;              ///< rate of the given dropout mask; 0: none
  std::vector<Index> packed;       ///< lengths of packed sequences of queries; empty: not packed
  std::vector<Index> packed_keys;  ///< of keys, where they differ
  bool gradient = false, lse_gradient = false;
  std::map<std::string, std::string, std::less<>> settings;  ///< of all but plain attention
  Index padding = 0;  ///< of all but plain attention: so many keys at the end of the last sequence are not real

  bool operator==(const CaseSpec&) const = default;
};

/// The spec with its defaults left out.
nlohmann::ordered_json json_of(const CaseSpec& spec);
/// Errors: std::invalid_argument naming the key that is missing, unknown or out of range.
CaseSpec case_from_json(const nlohmann::json& json);

/// "float32, B 2, H 4 over 2, N 9 x 13, D 8, causal, window (3, 0)": for people.
std::string text_of(const CaseSpec& spec);

}  // namespace attest::judge
