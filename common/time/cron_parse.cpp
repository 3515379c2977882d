#include <array>
#include <bit>
#include <span>
#include <vector>

#include "common/encoding/number.hpp"
#include "common/hash/stable_hash.hpp"
#include "common/time/cron.hpp"

namespace kopiur::cron {

namespace {

using std::string;
using std::string_view;
template <class T>
using read = std::expected<T, string>;

constexpr std::size_t longest = 256;

constexpr std::array<string_view, 12> month_names{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::array<string_view, 7> weekday_names{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};

struct kind {
  string_view name;
  unsigned low, high;
  unsigned hashed_high;  ///< H is at most this value
  std::span<string_view const> names;
};
constexpr std::array<kind, 5> kinds{{{"minute", 0, 59, 59, {}},
                                     {"hour", 0, 23, 23, {}},
                                     {"day of month", 1, 31, 28, {}},
                                     {"month", 1, 12, 12, month_names},
                                     {"day of week", 0, 7, 6, weekday_names}}};

struct alias {
  string_view name, meaning;
};
constexpr std::array<alias, 7> aliases{{{"@hourly", "0 * * * *"},
                                        {"@daily", "0 0 * * *"},
                                        {"@midnight", "0 0 * * *"},
                                        {"@weekly", "0 0 * * 0"},
                                        {"@monthly", "0 0 1 * *"},
                                        {"@yearly", "0 0 1 1 *"},
                                        {"@annually", "0 0 1 1 *"}}};

/// One field's text and its position in the expression (from 1, for people).
struct token {
  string_view text;
  std::size_t position;
};

/// The context of parsing one field.
struct context {
  cron::kind const& kind;
  string_view key;
  unsigned draw;  ///< how often the hashed date was drawn again
};

struct range {
  unsigned low, high;
};

std::unexpected<string> wrong(kind const& kind, std::size_t position, string what) {
  return std::unexpected(string(kind.name) + " (position " + std::to_string(position) + "): " + std::move(what));
}

string bounds(kind const& kind) { return std::to_string(kind.low) + " to " + std::to_string(kind.high) + " are allowed"; }

bool same_name(string_view text, string_view name) {
  if (text.size() != name.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] & ~0x20) != name[i]) return false;
  return true;
}

read<unsigned> value(kind const& kind, token t) {
  for (std::size_t i = 0; i < kind.names.size(); ++i)
    if (same_name(t.text, kind.names[i])) return static_cast<unsigned>(i) + kind.low;
  if (t.text.empty()) return wrong(kind, t.position, "a value is missing; " + bounds(kind));
  if (t.text == "?") return wrong(kind, t.position, "\"?\" is not known; write \"*\"");
  auto n = encoding::whole_number<unsigned>(t.text);
  bool digits = t.text.find_first_not_of("0123456789") == t.text.npos;
  if (!n && !digits)
    return wrong(kind, t.position,
                 "\"" + string(t.text) + "\" is not a value; " + bounds(kind) +
                     (kind.names.empty() ? "" : ", or names such as " + string(kind.names[1])));
  if (!n || *n < kind.low || *n > kind.high) return wrong(kind, t.position, string(t.text) + " is out of range; " + bounds(kind));
  return *n;
}

/// `a-b`, both ends given. In FRI-SUN, Sunday is 7.
read<range> span_of(kind const& kind, token t) {
  auto dash = t.text.find('-');
  auto low = value(kind, {t.text.substr(0, dash), t.position});
  if (!low) return std::unexpected(low.error());
  auto high = value(kind, {t.text.substr(dash + 1), t.position + dash + 1});
  if (!high) return std::unexpected(high.error());
  if (kind.high == 7 && *high == 0 && *low > 0) high = 7;
  if (*low > *high)
    return wrong(kind, t.position, "the range " + string(t.text) + " runs backwards; write two ranges with a comma between them");
  return range{*low, *high};
}

read<unsigned> step_of(kind const& kind, token t, unsigned width) {
  auto n = encoding::whole_number<unsigned>(t.text);
  if (!n) return wrong(kind, t.position, "\"" + string(t.text) + "\" is not a step; a whole number is needed after \"/\"");
  if (*n == 0) return wrong(kind, t.position, "a step must be at least 1");
  if (*n > width)
    return wrong(kind, t.position, "a step of " + string(t.text) + " is wider than the " + std::to_string(width) + " values it walks");
  return *n;
}

std::uint64_t hashed(context const& c) {
  if (c.draw == 0) return hash::stable_hash({"cron H", c.key, c.kind.name});
  return hash::stable_hash({"cron H", c.key, c.kind.name, std::to_string(c.draw)});
}

std::uint64_t every(range r, unsigned step) {
  std::uint64_t bits = 0;
  for (unsigned v = r.low; v <= r.high; v += step) bits |= std::uint64_t{1} << v;
  return bits;
}

/// The part of an item before its `/`.
read<range> base_of(context const& c, token t) {
  if (t.text == "*") return range{c.kind.low, c.kind.high == 7 ? 6 : c.kind.high};
  if (t.text == "H") return range{c.kind.low, c.kind.hashed_high};
  if (t.text.starts_with("H")) {
    if (!t.text.starts_with("H(") || !t.text.ends_with(")") || t.text.find('-') == t.text.npos)
      return wrong(c.kind, t.position, "\"" + string(t.text) + "\" is not known; write H as H, H(a-b), H/n or H(a-b)/n");
    return span_of(c.kind, {t.text.substr(2, t.text.size() - 3), t.position + 2});
  }
  if (t.text.find('-') != t.text.npos) return span_of(c.kind, t);
  auto v = value(c.kind, t);
  if (!v) return std::unexpected(v.error());
  return range{*v, *v};
}

/// One item of a list: `5`, `1-5`, `*/10`, `3/10` (from 3 on), `H`, `H(a-b)/n`.
read<std::uint64_t> item(context const& c, token t) {
  auto slash = t.text.find('/');
  token base{t.text.substr(0, slash), t.position};
  auto r = base_of(c, base);
  if (!r) return std::unexpected(r.error());
  bool is_hashed = base.text.starts_with('H');
  unsigned step = 1;
  if (slash != t.text.npos) {
    bool open_ended = !is_hashed && r->low == r->high && base.text.find('-') == base.text.npos;
    if (open_ended) r->high = c.kind.high == 7 ? 6 : c.kind.high;
    auto read_step = step_of(c.kind, {t.text.substr(slash + 1), t.position + slash + 1}, r->high - r->low + 1);
    if (!read_step) return std::unexpected(read_step.error());
    step = *read_step;
  }
  if (!is_hashed) return every(*r, step);
  unsigned width = slash == t.text.npos ? r->high - r->low + 1 : step;
  unsigned first = r->low + static_cast<unsigned>(hashed(c) % width);
  return slash == t.text.npos ? std::uint64_t{1} << first : every({first, r->high}, step);
}

read<std::uint64_t> field(context const& c, token t) {
  std::uint64_t bits = 0;
  for (std::size_t index = 0; index <= t.text.size();) {
    auto comma = std::min(t.text.find(',', index), t.text.size());
    auto one = item(c, {t.text.substr(index, comma - index), t.position + index});
    if (!one) return one;
    bits |= *one;
    index = comma + 1;
  }
  if (c.kind.high == 7 && bits >> 7) bits = (bits & 0x7f) | 1;
  return bits;
}

std::vector<token> split(string_view text) {
  std::vector<token> out;
  for (std::size_t index = 0; (index = text.find_first_not_of(" \t", index)) != text.npos;) {
    auto end = std::min(text.find_first_of(" \t", index), text.size());
    out.push_back({text.substr(index, end - index), index + 1});
    index = end;
  }
  return out;
}

read<std::vector<token>> tokens_of(string_view text) {
  if (text.size() > longest)
    return std::unexpected("the expression is longer than " + std::to_string(longest) +
                           " characters; shorten its lists to ranges and steps");
  auto tokens = split(text);
  if (tokens.empty())
    return std::unexpected("the expression is empty; five fields are needed: minute, hour, day of month, month, day of week");
  if (tokens[0].text.starts_with('@')) {
    for (auto const& [name, meaning] : aliases)
      if (tokens.size() == 1 && tokens[0].text == name) return split(meaning);
    return std::unexpected("\"" + string(text) + "\" is not known; use @hourly, @daily, @weekly, @monthly, @yearly, or five fields");
  }
  if (text.find("TZ=") != text.npos) return std::unexpected("a time zone must not be in the expression; set the field timezone");
  if (tokens.size() != 5)
    return std::unexpected("there are " + std::to_string(tokens.size()) +
                           " fields, five are needed: minute, hour, day of month, month, day of week" +
                           (tokens.size() == 6 ? " (there is none for seconds)" : ""));
  return tokens;
}

read<fields> fields_of(std::vector<token> const& tokens, string_view key, unsigned draw) {
  std::array<std::uint64_t, 5> bits{};
  for (std::size_t i = 0; i < 5; ++i) {
    bool of_the_date = i == 2 || i == 3;
    auto one = field({kinds[i], key, of_the_date ? draw : 0}, tokens[i]);
    if (!one) return std::unexpected(one.error());
    bits[i] = *one;
  }
  return fields{.minutes = bits[0],
                .hours = static_cast<std::uint32_t>(bits[1]),
                .days = static_cast<std::uint32_t>(bits[2]),
                .months = static_cast<std::uint32_t>(bits[3]),
                .weekdays = static_cast<std::uint32_t>(bits[4]),
                .days_starred = tokens[2].text.starts_with('*'),
                .weekdays_starred = tokens[4].text.starts_with('*'),
                .follows_the_hours = tokens[1].text.find_first_of("*/") != string_view::npos};
}

/// Whether any date matches the fields: only a day of the month can be missing from its month.
bool comes(fields const& f) {
  if (!f.days_starred && !f.weekdays_starred) return true;  // a matching weekday is enough
  constexpr std::array<unsigned, 13> longest_of{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  auto first = static_cast<unsigned>(std::countr_zero(f.days));
  for (unsigned m = 1; m <= 12; ++m)
    if (f.months >> m & 1 && first <= longest_of[m]) return true;
  return false;
}

std::unexpected<string> refuse(string_view text, string const& why) {
  return std::unexpected("cron \"" + string(text.substr(0, 80)) + "\" is refused: " + why + ".");
}

}  // namespace

std::expected<schedule, string> schedule::parse(string_view text, string_view key) {
  auto tokens = tokens_of(text);
  if (!tokens) return refuse(text, tokens.error());
  bool date_is_hashed = (*tokens)[2].text.find('H') != text.npos || (*tokens)[3].text.find('H') != text.npos;
  unsigned draws = date_is_hashed ? 256 : 1;
  for (unsigned draw = 0; draw < draws; ++draw) {
    auto bits = fields_of(*tokens, key, draw);
    if (!bits) return refuse(text, bits.error());
    if (comes(*bits)) return schedule(*bits);
  }
  return refuse(text, "day of month (position " + std::to_string((*tokens)[2].position) + "): " + string((*tokens)[2].text) +
                          " does not exist in month " + string((*tokens)[3].text));
}

}  // namespace kopiur::cron
