#include "simulations/judge/diagnosis/tile_lengths.hpp"

#include <gtest/gtest.h>

#include "simulations/judge/diagnosis/needed_features.hpp"
#include "tests/simulations/judge/imitation.hpp"

namespace attest::judge {
namespace {

TrialSettings settings_of(Target& target) {
  TrialSettings settings;
  settings.conventions.signature = target.signature();
  return settings;
}

CaseSpec plain(Index queries, Index keys) {
  CaseSpec spec;
  spec.queries = queries, spec.keys = keys;
  return spec;
}

std::string_view fault_of(Semantics::Keys keys, Index tile) {
  Semantics semantics;
  semantics.keys = keys, semantics.tile = tile;
  Imitation target(semantics);
  return fault_by_lengths(plain(3, 40), "out", target, settings_of(target)).name;
}

TEST(TileLengths, TellsATailThatIsLostFromTilesThatAre) {
  // 12 is a tile that no hypothesis has.
  EXPECT_EQ(fault_of(Semantics::Keys::last_partial_tile_dropped, 12),
            "wrong at lengths that are not multiples of the tile");
  EXPECT_EQ(fault_of(Semantics::Keys::first_tile_twice, 12), "wrong across tiles of keys");
}

/// Loses the last key of whole tiles of 64.
class LosesOfWholeTiles : public Imitation {
 public:
  LosesOfWholeTiles() : Imitation({}), lossy_(loses_last()) {}
  Answer call(const Request& request) override {
    return request.arrays.at("k").shape[2] % 64 == 0 ? lossy_.call(request) : Imitation::call(request);
  }

 private:
  static Semantics loses_last() {
    Semantics semantics;
    semantics.keys = Semantics::Keys::last_dropped;
    return semantics;
  }
  Imitation lossy_;
};

TEST(TileLengths, SaysNothingOfWhatFailsAtTheMultiplesAlone) {
  LosesOfWholeTiles target;
  EXPECT_EQ(fault_by_lengths(plain(3, 64), "out", target, settings_of(target)).name, "");
}

TEST(TileLengths, SaysNothingOfWhatFailsAtEveryLength) {
  EXPECT_EQ(fault_of(Semantics::Keys::right, 0), "");
  EXPECT_EQ(fault_of(Semantics::Keys::last_twice, 0), "");
}

TEST(NeededFeatures, LeavesOutWhatTheFailureDoesNotNeed) {
  Semantics semantics;
  semantics.bias = Semantics::BiasIs::doubled;
  Imitation target(semantics);
  CaseSpec spec = plain(5, 7);
  spec.batch = 2, spec.heads = spec.kv_heads = 2;
  spec.causal = true, spec.bias = "HNN", spec.softcap = 2, spec.family = "ties";
  const Needed needed = needed_features(spec, "out", target, settings_of(target));
  EXPECT_EQ(needed.parts, std::set<Part>{Part::bias});
  EXPECT_EQ(needed.spec.batch * needed.spec.heads, 1);
  EXPECT_FALSE(needed.spec.causal);
}

TEST(NeededFeatures, TellsWidthsThatFillNoVector) {
  Semantics semantics;
  semantics.odd_width_cut = true;
  Imitation target(semantics);
  CaseSpec spec = plain(3, 4);
  spec.width = 11, spec.value_width = 11;
  EXPECT_EQ(needed_features(spec, "out", target, settings_of(target)).parts, std::set<Part>{Part::partial_vector});
}

TEST(NeededFeatures, KeepsTwoPartsThatFailOnlyTogether) {
  Semantics semantics;
  semantics.mask = Semantics::Mask::first_head;
  Imitation target(semantics);
  CaseSpec spec = plain(6, 6);
  spec.heads = spec.kv_heads = 3;
  spec.mask = "bool BHNN", spec.causal = true;
  const Needed needed = needed_features(spec, "out", target, settings_of(target));
  EXPECT_EQ(needed.parts, (std::set<Part>{Part::mask, Part::heads}));
}

}  // namespace
}  // namespace attest::judge
