/* The store's default bound follows the memory of the machine and of the container. */
#include "quota.h"

#include "tap.h"

static uint64_t process_bytes = UINT64_MAX;
static char why[QUOTA_WHY_BYTES];

static uint64_t quota_of(uint64_t cgroup_bytes, uint64_t available_bytes) {
    tern__memory_limit limit = {
        .cgroup_bytes = cgroup_bytes, .available_bytes = available_bytes, .process_bytes = process_bytes};
    return quota_default(&limit, why);
}

static void quota__half_of_the_containers_limit(void) {
    CHECK_EQ(quota_of(300000000, UINT64_C(16) << 30), 150000000);
    CHECK(strcmp(why, "keys and values may take 150.0 MB, half of the 300.0 MB that this container's memory limit "
                      "allows") == 0);
}

static void quota__half_of_what_is_available(void) {
    CHECK_EQ(quota_of(UINT64_MAX, 2000000000), 1000000000);
    CHECK(strcmp(why, "keys and values may take 1.0 GB, half of the 2.0 GB that this machine has available") == 0);
    CHECK_EQ(quota_of(3000000000, 2000000000), 1000000000);
}

static void quota__half_of_the_processs_limit(void) {
    process_bytes = 250000000;
    CHECK_EQ(quota_of(300000000, UINT64_C(16) << 30), 125000000);
    CHECK(strcmp(why,
                 "keys and values may take 125.0 MB, half of the 250.0 MB that this process may address (ulimit -v, "
                 "ulimit -d)") == 0);
    process_bytes = UINT64_MAX;
}

static void quota__has_a_maximum(void) {
    CHECK_EQ(quota_of(UINT64_MAX, UINT64_C(64) << 30), UINT64_C(4) << 30);
    CHECK(strcmp(why, "keys and values may take 4.3 GB") == 0);
    CHECK_EQ(quota_of(UINT64_MAX, UINT64_MAX), UINT64_C(4) << 30);
}

TAP_MAIN(TEST(quota__half_of_the_containers_limit), TEST(quota__half_of_what_is_available),
         TEST(quota__half_of_the_processs_limit), TEST(quota__has_a_maximum))
