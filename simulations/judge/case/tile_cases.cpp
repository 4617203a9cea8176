// Cases beyond the tiles that kernels have: 16 to 128 queries or keys, 64 or 128 features, 32 heads.
#include <functional>

#include "simulations/judge/case/case_list.hpp"

namespace attest::judge {
namespace {

/// What decides about whole tiles: causal masks and windows skip them, masks hide them, terms are added in each.
void add_terms_by_tiles(CaseList& list) {
  const auto with = [&](const Extents& extents, const std::function<void(CaseSpec&)>& change) {
    CaseSpec s = list.base(extents);
    change(s);
    s.causal || s.window ? list.add_corners(s) : list.add_both(s);
  };
  constexpr Extents longer{1, 1, 1, 130, 200, 8, 8}, grouped{1, 4, 2, 70, 70, 4, 4}, row{1, 2, 2, 3, 600, 4, 4};
  with(longer, [](CaseSpec& s) { s.causal = true; });
  with(longer, [](CaseSpec& s) { s.window = {40, 0}, s.causal = true; });
  with(longer, [](CaseSpec& s) { s.window = {70, 10}; });
  with(longer, [](CaseSpec& s) { s.mask = "bool NN band"; });
  with(longer, [](CaseSpec& s) { s.mask = "float NN band"; });
  with(longer, [](CaseSpec& s) { s.bias = "HNN"; });
  with(longer, [](CaseSpec& s) { s.softcap = 1; });
  with(longer, [](CaseSpec& s) { s.dropout = 0.5; });
  with(longer, [](CaseSpec& s) { s.sinks = true, s.causal = true; });
  with(row, [](CaseSpec& s) { s.sinks = true; });
  with(grouped, [](CaseSpec& s) { s.causal = true; });
  with(row, [](CaseSpec& s) { s.alibi = true; });
  with(row, [](CaseSpec& s) { s.window = {130, 0}, s.causal = true; });
  // Widths that kernels have a path of their own for.
  for (const Index width : {64, 128}) {
    const Extents fast{1, 2, 2, 5, 9, width, width};
    with(fast, [](CaseSpec& s) { s.scale = 0.3; });
    with(fast, [](CaseSpec& s) { s.causal = true; });
    with(fast, [](CaseSpec& s) { s.softcap = 1; });
    with(fast, [](CaseSpec& s) { s.window = {1, 2}; });
    with(fast, [](CaseSpec& s) { s.mask = "bool NN"; });
  }
  // Exactly one, two and four tiles.
  for (const Index keys : {64, 128, 256}) {
    with({1, 1, 1, 3, keys, 4, 4}, [](CaseSpec&) {});
    with({1, 1, 1, keys, keys, 4, 4}, [](CaseSpec& s) { s.causal = true; });
  }
  // Queries beyond the chunks that they are handled in.
  for (const Index keys : {270, 290}) {
    const Extents chunks{1, 1, 1, 270, keys, 2, 2};
    with(chunks, [](CaseSpec& s) { s.causal = true; });
    with(chunks, [](CaseSpec& s) { s.window = {40, 0}, s.causal = true; });
    with(chunks, [](CaseSpec& s) { s.window = {70, 10}; });
    with(chunks, [](CaseSpec& s) { s.alibi = true; });
  }
  with({1, 1, 1, 530, 530, 1, 1}, [](CaseSpec& s) { s.causal = true; });
  for (const bool causal : {false, true}) {
    CaseSpec s = list.base({1, 1, 1, 201, 201, 4, 4});
    s.packed = {65, 6, 130};
    s.causal = causal;
    list.add_both(s);
  }
}

/// One query over keys that fill no tile, one, or a few and a part: kernels have a path of its own for it.
void add_lone_queries(CaseList& list) {
  for (const Index keys : {50, 64, 100, 129, 200, 1100}) list.add(list.base({1, 2, 2, 1, keys, 4, 4}));
  const Extents grouped{1, 4, 2, 1, 300, 8, 8};
  const auto with = [&](const std::function<void(CaseSpec&)>& change) {
    CaseSpec s = list.base(grouped);
    change(s);
    list.add(s);
  };
  with([](CaseSpec& s) { s.gradient = true; });
  with([](CaseSpec& s) { s.causal = true; });
  with([](CaseSpec& s) { s.causal = true, s.window = {90, 0}; });
  with([](CaseSpec& s) { s.sinks = true; });
  with([](CaseSpec& s) { s.alibi = true, s.causal = true; });
  with([](CaseSpec& s) { s.mask = "bool NN"; });
}

/// Many more queries than keys, of which whole tiles see none, and the reverse: where loops over tiles begin and end.
void add_uneven_lengths(CaseList& list) {
  for (const Extents& e : {Extents{1, 2, 2, 70, 21, 4, 4}, Extents{1, 1, 1, 20, 100, 4, 4}}) {
    CaseSpec s = list.base(e);
    s.causal = true;
    list.add_corners(s);
    for (const Index before : {5, 16, 33}) {
      s.window = {before, 0};
      list.add_corners(s, before == 5);
    }
    s.causal = false;
    for (const Window& window : {Window{4, 4}, Window{20, 3}}) {
      s.window = window;
      list.add_corners(s, false);
    }
  }
}

}  // namespace

void add_tiles(CaseList& list) {
  add_terms_by_tiles(list);
  add_lone_queries(list);
  add_uneven_lengths(list);
  constexpr Extents wide[] = {{1, 2, 2, 5, 9, 72, 72}, {1, 1, 1, 5, 9, 96, 96},   {1, 1, 1, 5, 9, 128, 128},
                              {1, 1, 1, 5, 9, 64, 96}, {1, 1, 1, 5, 9, 192, 128}, {1, 1, 1, 5, 9, 256, 256},
                              {1, 33, 33, 2, 3, 4, 4}, {1, 40, 8, 2, 3, 4, 4},    {33, 1, 1, 2, 3, 4, 4}};
  for (const Extents& e : wide) list.add_both(list.base(e));
}

}  // namespace attest::judge
