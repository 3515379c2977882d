/// What jemalloc(3) reads when it starts ("TUNING"). One arena: a service thinks on one thread, and what other threads receive is freed there.
/// What has lain unused for a second goes back to the system: after a burst a service is as small as before.
extern "C" {
extern char const* const malloc_conf;
char const* const malloc_conf = "narenas:1,dirty_decay_ms:1000,muzzy_decay_ms:0";
}
