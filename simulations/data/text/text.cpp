#include "simulations/data/text/text.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/core.h>

#include "simulations/data/files/bytes.hpp"
#include "simulations/data/files/malformed_data.hpp"

namespace attest::data {
namespace {

std::uint32_t code_point(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]);
  std::uint32_t code = static_cast<unsigned char>(sequence[0]) & (0x7fU >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i)
    code = (code << 6U) | (static_cast<unsigned char>(sequence[i]) & 0x3fU);
  return code;
}

bool is_word_character(std::uint32_t code) {
  if (code < 0x80) return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  if (code < 0xc0) return code == 0xaa || code == 0xb5 || code == 0xba;  // the three letters among Latin-1's signs
  if (code == 0xd7 || code == 0xf7) return false;                        // multiplication and division signs
  return !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x303f);
}

bool is_apostrophe(std::uint32_t code) { return code == '\'' || code == 0x2019; }

}  // namespace

// The well-formed sequences are table 3-7 of the Unicode Standard.
std::size_t character_length(std::string_view bytes, std::size_t offset) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return offset + i < bytes.size() ? static_cast<unsigned char>(bytes[offset + i]) : 0U;
  };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    // e0 would be overlong below a0; ed would encode a surrogate above 9f.
    const bool second = follows(1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf);
    return second && follows(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool second = follows(1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void check_text(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) throw MalformedData(fmt::format("{} is empty; name a file that holds text", name));
  std::size_t line = 1;
  for (std::size_t offset = 0; offset < bytes.size();) {
    const std::size_t length = character_length(bytes, offset);
    if (length == 0 || bytes[offset] == '\0') {
      throw MalformedData(fmt::format("{} is not UTF-8 text: byte 0x{:02x} at line {}, offset {}; convert it to UTF-8",
                                      name, static_cast<unsigned char>(bytes[offset]), line, offset));
    }
    if (bytes[offset] == '\n') ++line;
    offset += length;
  }
}

std::string read_text(const std::filesystem::path& path) {
  std::string bytes = read_bytes(path);
  check_text(bytes, path.string());
  return bytes;
}

std::vector<std::string> word_tokens(std::string_view text) {
  std::vector<std::string> tokens;
  std::string word;
  bool apostrophe = false;  // an apostrophe stands between the word so far and what comes next
  const auto finish = [&] {
    if (!word.empty()) tokens.push_back(std::move(word));
    word.clear();
    apostrophe = false;
  };
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t length = std::max<std::size_t>(character_length(text, offset), 1);
    const std::string_view sequence = text.substr(offset, length);
    const std::uint32_t code = code_point(sequence);
    offset += length;
    if (is_word_character(code)) {
      if (apostrophe) word += '\'';
      apostrophe = false;
      if (code >= 'A' && code <= 'Z') {
        word += static_cast<char>(code - 'A' + 'a');
      } else {
        word += sequence;
      }
    } else if (is_apostrophe(code) && !word.empty() && !apostrophe) {
      apostrophe = true;
    } else {
      finish();
    }
  }
  finish();
  return tokens;
}

std::vector<std::int32_t> Vocabulary::encode(const std::vector<std::string>& tokens) const {
  std::vector<std::int32_t> indices;
  indices.reserve(tokens.size());
  for (const std::string& token : tokens) {
    if (const auto found = index.find(token); found != index.end()) indices.push_back(found->second);
  }
  return indices;
}

Vocabulary build_vocabulary(const std::vector<std::string>& tokens, std::size_t largest_size,
                            std::int64_t least_count) {
  std::unordered_map<std::string_view, std::int64_t> occurrences;
  for (const std::string& token : tokens) ++occurrences[token];
  std::vector<std::pair<std::string_view, std::int64_t>> ranked;
  for (const auto& entry : occurrences) {
    if (entry.second >= least_count) ranked.emplace_back(entry);
  }
  if (ranked.empty() || largest_size == 0) {
    throw std::invalid_argument(fmt::format("no word of the text's {} occurs at least {} times; give a longer text",
                                            occurrences.size(), least_count));
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  ranked.resize(std::min(ranked.size(), largest_size));
  Vocabulary vocabulary;
  for (const auto& [word, count] : ranked) {
    vocabulary.index.emplace(word, static_cast<std::int32_t>(vocabulary.words.size()));
    vocabulary.words.emplace_back(word);
    vocabulary.counts.push_back(count);
  }
  return vocabulary;
}

}  // namespace attest::data
