// What tests of parsers do to a file: cut it everywhere, change bytes of it.
#pragma once

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "simulations/data/files/malformed_data.hpp"

namespace attest {

/// Calls parse(bytes) on what is left of `whole` after damage of every kind below; a parser either reads it or throws
/// MalformedData with a sentence that holds `name`. Anything else (another exception, a crash) fails the test.
/// Damage: every prefix; then `changes` copies with one to four bytes replaced, removed or doubled at random.
/// Returns how many were refused.
template <class Parse>
int survive_damage(const std::string& whole, const std::string& name, int changes, Parse parse) {
  int refused = 0;
  const auto attempt = [&](const std::string& bytes) {
    try {
      parse(bytes);
    } catch (const data::MalformedData& failure) {
      ++refused;
      const std::string message = failure.what();
      EXPECT_NE(message.find(name), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  };
  for (std::size_t length = 0; length < whole.size(); ++length) attempt(whole.substr(0, length));
  for (int change = 0; change < changes; ++change) {
    random::Stream stream(1, random::stream_key("tests/damage"), static_cast<std::uint64_t>(change));
    std::string bytes = whole;
    for (std::uint64_t i = 1 + stream.integer(4); i > 0 && !bytes.empty(); --i) {
      const std::size_t place = stream.integer(bytes.size());
      const std::uint64_t kind = stream.integer(3);
      if (kind == 0) bytes[place] = static_cast<char>(stream.integer(256));
      if (kind == 1) bytes.erase(place, 1 + stream.integer(5));
      if (kind == 2) bytes.insert(place, bytes.substr(place, 1 + stream.integer(5)));
    }
    attempt(bytes);
  }
  return refused;
}

}  // namespace attest
