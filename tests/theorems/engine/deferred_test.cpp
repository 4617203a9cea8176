#include "theorems/engine/deferred.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace attest::engine {
namespace {

TEST(Deferred, HoldsWhatItIsGiven) {
  const Deferred<std::string> text = "a < b";
  EXPECT_TRUE(text.is_there());
  EXPECT_EQ(text.get(), "a < b");
  EXPECT_EQ(Deferred<int>().get(), 0);
}

TEST(Deferred, ComputesOnceForAllCopiesAndOnlyWhenAsked) {
  int calls = 0;
  const auto square = Deferred<int>::later([&calls] { return ++calls * 25; });
  const Deferred<int> copy = square;
  EXPECT_FALSE(copy.is_there());
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(copy.get(), 25);
  EXPECT_EQ(square.get(), 25);
  EXPECT_EQ(calls, 1);
}

TEST(Deferred, AsksAgainAfterAFailure) {
  bool fails = true;
  const auto value = Deferred<int>::later([&fails]() -> int {
    if (fails) throw std::runtime_error("not yet");
    return 3;
  });
  EXPECT_THROW(value.get(), std::runtime_error);
  fails = false;
  EXPECT_EQ(value.get(), 3);
}

}  // namespace
}  // namespace attest::engine
