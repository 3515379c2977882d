#pragma once
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace kopiur {

/// An optional value that nobody edits once it is there: its copies share it. For what is large, often absent, and copied with every state
/// that holds it. To the codec and the schema it is a `std::optional`. Not for several threads that write.
template <class T>
class frozen {
 public:
  using value_type = T;

  frozen() = default;
  frozen(std::nullopt_t) {}
  frozen(T value) : value_(std::make_shared<T const>(std::move(value))) {}
  frozen(std::optional<T> value) : value_(value ? std::make_shared<T const>(*std::move(value)) : nullptr) {}

  explicit operator bool() const { return static_cast<bool>(value_); }
  bool has_value() const { return static_cast<bool>(value_); }
  /// Needs has_value().
  T const& operator*() const { return *value_; }
  T const* operator->() const { return value_.get(); }
  /// Throws std::bad_optional_access where there is none.
  T const& value() const { return value_ ? *value_ : throw std::bad_optional_access(); }
  T value_or(T other) const { return value_ ? *value_ : other; }
  void reset() { value_.reset(); }

  friend bool operator==(frozen const& one, frozen const& other) {
    return one.value_ == other.value_ || (one.value_ && other.value_ && *one.value_ == *other.value_);
  }

 protected:
  explicit frozen(std::shared_ptr<T const> value) : value_(std::move(value)) {}

 private:
  std::shared_ptr<T const> value_;
};

/// The same; and those that are read from equal JSON share one value, for as long as one of them is there. For what thousands of objects
/// have in common. In one thread.
template <class T>
class shared : public frozen<T> {
 public:
  using frozen<T>::frozen;

  /// The value that was kept for this text, where it is there; else none.
  static shared known(std::string const& text) {
    auto found = pool()->find(text);
    return found == pool()->end() ? shared() : shared(found->second.lock());
  }
  /// The value, from now on the one for this text.
  static shared keep(std::string text, T value) {
    auto leave = [text, from = pool()](T const* gone) {
      from->erase(text);
      delete gone;
    };
    std::shared_ptr<T const> kept(new T(std::move(value)), std::move(leave));
    pool()->insert_or_assign(std::move(text), kept);
    return shared(std::move(kept));
  }

 private:
  using values = std::unordered_map<std::string, std::weak_ptr<T const>>;  // by their text; outlived by each value's own share of it
  explicit shared(std::shared_ptr<T const> value) : frozen<T>(std::move(value)) {}
  static std::shared_ptr<values> const& pool() {
    static thread_local auto const all = std::make_shared<values>();
    return all;
  }
};

}  // namespace kopiur
