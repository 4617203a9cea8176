#include "tests/fuzz/target.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "reports/files/malformed_results.hpp"
#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "theorems/language/papers/paper_file.hpp"
#include "theorems/language/problem.hpp"

namespace attest::fuzz {
namespace {

constexpr std::size_t longest_input = 1 << 16;

/// A user can act on it: several words, and not the name of a function or of an exception, unless it quotes the input.
/// Line breaks that it quotes are made spaces where it is printed (terminal/run_program.cpp).
void expect_sentence(const std::string& sentence, std::string_view input) {
  constexpr std::ptrdiff_t least_words = 4;
  if (std::count(sentence.begin(), sentence.end(), ' ') + 1 < least_words)
    throw std::logic_error("refused without a sentence: " + sentence);
  for (const char* inside : {"[json.exception", "vector::", "basic_string", "std::"})
    if (sentence.find(inside) != std::string::npos && input.find(inside) == std::string_view::npos)
      throw std::logic_error("refused in a library's words: " + sentence);
}

std::string_view extreme(random::Stream& stream) {
  static constexpr std::array<std::string_view, 14> words = {
      "0", "-1", "1e999",        "-1e-999",  "nan", "1099511627776", "18446744073709551615", "9223372036854775808", "[",
      "{", "\"", "\xE2\x80\xAE", "\xFF\xFE", "\n"};
  return words[stream.integer(words.size())];
}

}  // namespace

std::vector<Target> targets() {
  std::vector<Target> all = text_targets();
  for (auto more : {data_targets(), file_targets(), record_targets()})
    for (Target& target : more) all.push_back(std::move(target));
  return all;
}

bool feed(const Target& target, std::string_view bytes) {
  std::string sentence;
  try {
    target.read(bytes);
    return true;
  } catch (const std::invalid_argument& refusal) {
    sentence = refusal.what();
  } catch (const language::Problem& refusal) {
    sentence = refusal.what();
  } catch (const language::PaperProblem& refusal) {
    sentence = refusal.what();
  } catch (const reports::MalformedResults& refusal) {
    sentence = refusal.what();
  } catch (const data::MalformedData& refusal) {
    sentence = refusal.what();
  } catch (const data::MissingData& refusal) {
    sentence = refusal.what();
  }
  expect_sentence(sentence, bytes);
  return false;
}

std::string mutated(const Target& target, std::uint64_t round) {
  random::Stream stream(1, random::stream_key("fuzz/" + target.name), round);
  std::string bytes = target.seeds[stream.integer(target.seeds.size())];
  const auto place = [&] { return stream.integer(bytes.size() + 1); };
  const auto length = [&] { return 1 + stream.integer(std::uint64_t{1} << stream.integer(9)); };
  for (std::uint64_t changes = 1 + stream.integer(4); changes > 0; --changes) {
    const std::size_t at = place();
    switch (stream.integer(8)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << stream.integer(8)));
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(stream.integer(256));
        break;
      case 2:
        bytes.erase(at, length());
        break;
      case 3:
        bytes.insert(at, bytes.substr(place(), length()));
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5: {
        const std::string& other = target.seeds[stream.integer(target.seeds.size())];
        bytes.insert(at, other.substr(stream.integer(other.size() + 1), length()));
        break;
      }
      case 6: {
        // A number, where there is one after the place.
        const std::size_t from = bytes.find_first_of("0123456789", at);
        if (from == std::string::npos) break;
        const std::size_t end = std::min(bytes.find_first_not_of("0123456789.", from), bytes.size());
        bytes.replace(from, end - from, extreme(stream));
        break;
      }
      default:
        bytes.insert(at, extreme(stream));
        break;
    }
  }
  if (bytes.size() > longest_input) bytes.resize(longest_input);
  return target.resealed && round % 2 == 1 ? target.resealed(std::move(bytes)) : bytes;
}

}  // namespace attest::fuzz
