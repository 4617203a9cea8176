#include "simulations/judge/case/case_list.hpp"

#include <utility>

namespace attest::judge {

CaseSpec CaseList::base(const Extents& e) const {
  CaseSpec s;
  s.mechanism = request_.mechanism;
  s.type = request_.types.front();
  s.seed = request_.seed;
  s.batch = e.batch, s.heads = e.heads, s.kv_heads = e.kv_heads;
  s.queries = e.queries, s.keys = e.keys, s.width = e.width, s.value_width = e.value_width;
  s.corner = request_.corner;
  return s;
}

void CaseList::add(CaseSpec spec) {
  spec.number = ++number_;
  cases_.push_back(std::move(spec));
}

void CaseList::add_both(CaseSpec spec) {
  add(spec);
  spec.gradient = true;
  add(spec);
}

void CaseList::add_corners(CaseSpec spec, bool gradient) {
  for (const Corner corner : {Corner::bottom_right, Corner::top_left}) {
    if (!request_.both_corners && corner != request_.corner && spec.queries != spec.keys) continue;
    if (spec.queries == spec.keys && corner != request_.corner) continue;
    spec.corner = corner;
    gradient ? add_both(spec) : add(spec);
  }
}

}  // namespace attest::judge
