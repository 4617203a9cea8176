#include "simulations/judge/case/catalogue.hpp"

#include <functional>
#include <utility>

#include "simulations/judge/case/case_list.hpp"

namespace attest::judge {

std::vector<CaseSpec> catalogue(const CatalogueRequest& request) {
  CaseList list(request);
  if (request.mechanism != "softmax") {
    add_mechanism(list);
    add_mechanism_comparisons(list);
    add_activations(list);
    return list.taken();
  }
  add_plain(list);
  add_visibility(list);
  add_terms(list);
  add_packed(list);
  add_comparisons(list);
  add_numbers(list);
  add_long_rows(list);
  add_combinations(list, request.budget == Budget::quick ? 60 : 600);
  // The same once more with other numbers: the numbers of the streams differ.
  for (int round = 0; request.budget == Budget::standard && round < 3; ++round) {
    add_plain(list);
    add_visibility(list);
    add_terms(list);
    add_packed(list);
    add_numbers(list);
  }
  add_activations(list);
  return list.taken();
}

bool has_feature(const CaseSpec& s, const std::string& feature) {
  if (feature == "grouped heads") return s.kv_heads != s.heads;
  if (feature == "values of another width than keys") return s.value_width != s.width;
  if (feature == "another number of queries than keys") return s.queries != s.keys;
  if (feature == "several sequences in a batch") return s.batch > 1;
  if (feature.starts_with("mask ")) return s.mask == feature.substr(5);
  return feature == simulations::name(s.type);
}

std::vector<Probe> probes(const CatalogueRequest& request) {
  std::vector<Probe> result;
  const auto with = [&](const std::string& feature, const std::function<void(CaseSpec&)>& change) {
    Probe probe{feature, {}};
    for (const Index queries : {3, 4}) {
      CaseSpec s;
      s.mechanism = request.mechanism;
      s.seed = request.seed;
      s.number = 900 + static_cast<std::uint64_t>(queries);
      s.type = request.types.front();
      s.corner = request.corner;
      s.heads = s.kv_heads = 4;
      s.queries = s.keys = queries;
      s.settings = request.settings;
      change(s);
      probe.cases.push_back(s);
    }
    result.push_back(std::move(probe));
  };
  for (const ElementType type : request.types)
    with(std::string(simulations::name(type)), [&](CaseSpec& s) { s.type = type; });
  with("several sequences in a batch", [](CaseSpec& s) { s.batch = 2; });
  with("values of another width than keys", [](CaseSpec& s) { s.value_width = 6; });
  if (request.mechanism != "softmax") return result;
  with("grouped heads", [](CaseSpec& s) { s.kv_heads = 2; });
  with("another number of queries than keys", [](CaseSpec& s) { s.keys += 2; });
  for (const char* mask : {"bool NN", "bool B1NN", "bool BHNN", "float NN", "float B1NN", "float BHNN"})
    with(std::string("mask ") + mask, [&](CaseSpec& s) { s.mask = mask, s.batch = 2; });
  return result;
}

}  // namespace attest::judge
