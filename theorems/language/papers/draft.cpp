#include "theorems/language/papers/draft.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "theorems/language/papers/tex_source.hpp"

namespace attest::language {
namespace {

/// Lower-case letters, digits and '-', without the prefix of a kind that many labels have ("thm:", "eq:").
std::string slug_of(std::string_view label) {
  std::string slug;
  for (const char c : label) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter < 128 && std::isalnum(letter) != 0)
      slug += static_cast<char>(std::tolower(letter));
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "claim" : slug;
}

/// The text as comment lines of at most 110 characters.
std::string as_comments(std::string_view text) {
  constexpr std::size_t width = 110;
  std::string out;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width) {
      end = text.rfind(' ', width);
      if (end == std::string_view::npos || end == 0) end = std::min(text.find(' '), text.size());
    }
    out += fmt::format("  # {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string kind_in_words(std::string kind) {
  if (kind.ends_with('*')) kind.pop_back();
  kind.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(kind.front())));
  return kind;
}

/// The label and digest that `transcribed` holds.
std::pair<std::string, std::string> transcription_of(const PaperClaim& claim) {
  const std::size_t blank = claim.transcribed.rfind(' ');
  if (blank == std::string::npos) return {};
  return {claim.transcribed.substr(0, blank), claim.transcribed.substr(blank + 1)};
}

}  // namespace

std::string draft_of(std::string_view tex) {
  const std::string title = title_of(tex);
  std::string draft = fmt::format("paper \"{}\"\n", title.empty() ? "Title" : title);
  std::set<std::string> taken;
  for (const TexEnvironment& each : labelled_environments(tex)) {
    std::string slug = slug_of(each.label);
    for (int number = 2; !taken.insert(slug).second; ++number) slug = fmt::format("{}-{}", slug_of(each.label), number);
    draft += fmt::format("\nclaim {}\n  label {} {}\n", slug, kind_in_words(each.kind), each.label);
    if (!each.title.empty()) draft += fmt::format("  title {}\n", each.title);
    draft += as_comments(each.text);
    draft += fmt::format("  # says forall ...: ... <= ...\n  transcribed {} {}\n", each.label, digest_of(each));
  }
  return draft;
}

std::vector<Drift> drift_between(std::string_view tex, const PaperFile& paper) {
  std::map<std::string, std::string> digests;
  for (const TexEnvironment& each : labelled_environments(tex)) digests.emplace(each.label, digest_of(each));
  std::vector<Drift> drifts;
  for (const PaperClaim& claim : paper.claims) {
    const auto [label, digest] = transcription_of(claim);
    if (label.empty()) continue;
    const auto now = digests.find(label);
    if (now == digests.end())
      drifts.push_back({claim.id, claim.place.line, fmt::format("the label {} is gone from the source", label)});
    else if (now->second != digest)
      drifts.push_back({claim.id, claim.place.line,
                        fmt::format("the text at {} has changed since it was transcribed; read it again, then write: "
                                    "transcribed {} {}",
                                    label, label, now->second)});
  }
  return drifts;
}

std::vector<std::string> not_transcribed(std::string_view tex, const PaperFile& paper) {
  std::set<std::string> known;
  for (const PaperClaim& claim : paper.claims) known.insert(transcription_of(claim).first);
  std::vector<std::string> missing;
  for (const TexEnvironment& each : labelled_environments(tex))
    if (!known.contains(each.label)) missing.push_back(each.label);
  return missing;
}

}  // namespace attest::language
