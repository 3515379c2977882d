#include "e2e/simulation/buckety/cloud.hpp"

#include <boost/asio.hpp>

#include "services/systems/buckety/rules/driver.hpp"

namespace kopiur::simulation {

namespace asio = boost::asio;
using buckety::create_result;
using provisioner::alignment;
using provisioner::call_failed;
using provisioner::removal;

namespace {

constexpr duration never{600'000};  // the bound of 20 s is the product's

/// What a request does. It holds values only: it may come when its sender is dead.
using inspected = std::variant<buckety::inspection, call_failed>;
using created = std::variant<create_result, call_failed>;
using settled_call = std::variant<alignment, provisioner::drifted, call_failed>;
using removed = std::variant<removal, call_failed>;

inspected inspect_at(cloud& sky, bucket_place const& place, sender const&) {
  auto found = sky.buckets.find(place);
  bool seen = found != sky.buckets.end() && !(sky.takes_all_as_made && found->second.maker.empty());
  return seen ? buckety::inspection{.exists = true, .empty = found->second.objects == 0} : buckety::inspection{};
}

created create_at(cloud& sky, bucket_place const& place, sender const& by) {
  bool fresh = sky.make(place, by.uid);
  if (!fresh) return sky.takes_all_as_made && sky.buckets.at(place).maker.empty() ? create_result::Made : create_result::ExistsAlready;
  sky.on_act("create", place);
  return create_result::Made;
}

settled_call settle_at(cloud& sky, bucket_place const& place, buckety::parameters const& wanted, bool writes) {
  auto found = sky.buckets.find(place);
  if (found == sky.buckets.end()) return call_failed{"The bucket " + place.name + " does not exist."};
  auto versioning = wanted.find("versioning");
  if (versioning == wanted.end() || versioning->second == found->second.versioning) return alignment::Same;
  if (!writes) return alignment::Different;
  found->second.versioning = versioning->second;
  sky.on_act("align", place);
  return alignment::Same;
}

removed remove_at(cloud& sky, bucket_place const& place, sender const& by) {
  auto found = sky.buckets.find(place);
  if (found == sky.buckets.end()) return removal::Done;
  sky.on_removal(place, found->second, by);
  if (found->second.objects > 0) return --found->second.objects, sky.on_act("empty", place), removal::Emptying;
  sky.buckets.erase(found);
  sky.on_act("remove", place);
  return removal::Done;
}

class cloud_driver final : public provisioner::driver {
 public:
  cloud_driver(testing::process& who, cloud& sky, std::string store)
      : who_(who), sky_(sky), store_(std::move(store)), site_(sky.home().faults().place(who.name() + "/cloud")) {}

  answer<buckety::inspection> inspect(std::string name, bool) override {
    return ask<inspected>("inspect bucket", std::move(name), inspect_at);
  }
  answer<create_result> create(std::string name, buckety::parameters) override {
    return ask<created>("create bucket", std::move(name), create_at);
  }
  settled settle(std::string name, buckety::parameters wanted, bool writes) override {
    return ask<settled_call>(writes ? "align bucket" : "compare bucket", std::move(name),
                             [wanted, writes](auto& sky, auto& place, auto&) { return settle_at(sky, place, wanted, writes); });
  }
  answer<removal> remove(std::string name) override {
    bucket_place place{store_, name};
    sky_.on_removal_sent(place, sky_.sent_for(place));
    return ask<removed>("remove bucket", std::move(name), remove_at);
  }

 private:
  template <class Answer>
  using effect = std::function<Answer(cloud&, bucket_place const&, sender const& by)>;
  template <class Answer>
  asio::awaitable<Answer> ask(char const* verb, std::string name, effect<Answer> done);

  testing::process& who_;
  cloud& sky_;
  std::string store_;
  testing::site& site_;
};

template <class Answer>
asio::awaitable<Answer> cloud_driver::ask(char const* verb, std::string name, effect<Answer> done) {
  bucket_place place{store_, name};
  auto there = sky_.buckets.find(place);
  sender by{.uid = sky_.sent_for(place), .number = there == sky_.buckets.end() ? 0 : there->second.number};
  testing::caller from{.who = who_, .where = site_, .faults = sky_.calls, .limit = never, .verb = verb, .subject = name};
  auto answer = co_await testing::call<Answer>(from, [&sky = sky_, &site = site_, place, by, done]() -> std::optional<Answer> {
    if (sky.home().now() < sky.away_until[place.store]) return std::nullopt;
    testing::chance const odds[] = {{sky.fails, "store fails"}, {sky.unsure, "store unsure"}};
    auto struck = sky.home().draw(site, odds);
    if (struck && struck->which == 0) return call_failed{"The store is overloaded."};
    auto result = done(sky, place, by);
    return struck ? Answer(call_failed{"The store failed; whether it was done is not known."}) : result;
  });
  co_return answer ? std::move(*answer) : Answer(call_failed{"The store has not answered."});
}

}  // namespace

bucket* cloud::make(bucket_place const& place, std::string maker, int objects) {
  auto [made, fresh] = buckets.try_emplace(place, bucket{.number = made_ + 1, .maker = std::move(maker), .objects = objects});
  return fresh ? ++made_, &made->second : nullptr;
}

std::string store_of(buckety::backend const& one) { return buckety::find_driver(buckety::all_drivers(), one.driver)->store(one.config); }

provisioner::driver_maker drivers_of(testing::process& who, cloud& sky) {
  return [&who, &sky](buckety::backend const& one) { return std::make_unique<cloud_driver>(who, sky, store_of(one)); };
}

}  // namespace kopiur::simulation
