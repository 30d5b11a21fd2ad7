/* Timestamps and durations. Each is seconds and a rest in nanoseconds; of a timestamp the rest counts forward, of a
 * duration it has the sign of the whole. */
#include "tern/wkt.h"

enum { NS = 1000000000 };

/* Seconds and nanoseconds as one sum with the rest in [0, NS). The seconds saturate, far outside what is valid. */
static int64_t carry(int64_t seconds, int64_t nanos, int32_t *rest) {
    int64_t more = nanos / NS;
    int64_t left = nanos % NS;
    if (left < 0) {
        left += NS;
        more--;
    }
    *rest = (int32_t)left;
    return __builtin_add_overflow(seconds, more, &seconds) ? (more < 0 ? INT64_MIN : INT64_MAX) : seconds;
}

/* The sum in nanoseconds. False when 64 bits do not hold it. */
static bool sum(int64_t seconds, int32_t nanos, int64_t *ns) {
    /* The most negative sums only fit when the second is not counted before its rest is added. */
    if (seconds < 0 && nanos > 0) {
        seconds++;
        nanos -= NS;
    }
    return !__builtin_mul_overflow(seconds, (int64_t)NS, ns) && !__builtin_add_overflow(*ns, (int64_t)nanos, ns);
}

static int to_timespec(int64_t seconds, int32_t nanos, struct timespec *out) {
    time_t converted = (time_t)seconds;
    if ((int64_t)converted != seconds) return TERN_ERR_LIMIT;
    memset(out, 0, sizeof *out);
    out->tv_sec = converted;
    out->tv_nsec = nanos;
    return 0;
}

/* ---- Timestamp ----------------------------------------------------------------------------------- */

bool tern_timestamp_is_valid(const google_protobuf_Timestamp *t) {
    return t->seconds >= TERN_TIMESTAMP_MIN_SECONDS && t->seconds <= TERN_TIMESTAMP_MAX_SECONDS && t->nanos >= 0 &&
           t->nanos < NS;
}

/* Sets the time alone. */
static int set_timestamp(int64_t seconds, int64_t nanos, google_protobuf_Timestamp *out) {
    google_protobuf_Timestamp made = *out;
    made.seconds = carry(seconds, nanos, &made.nanos);
    if (!tern_timestamp_is_valid(&made)) return TERN_ERR_INVALID;
    *out = made;
    return 0;
}

int tern_timestamp_normalize(google_protobuf_Timestamp *t) { return set_timestamp(t->seconds, t->nanos, t); }

void tern_timestamp_from_ns(int64_t unix_ns, google_protobuf_Timestamp *out) {
    memset(out, 0, sizeof *out);
    out->seconds = carry(0, unix_ns, &out->nanos);
}

int tern_timestamp_to_ns(const google_protobuf_Timestamp *t, int64_t *unix_ns) {
    int64_t ns;
    if (!tern_timestamp_is_valid(t)) return TERN_ERR_INVALID;
    if (!sum(t->seconds, t->nanos, &ns)) return TERN_ERR_LIMIT;
    *unix_ns = ns;
    return 0;
}

int tern_timestamp_from_timespec(struct timespec time, google_protobuf_Timestamp *out) {
    google_protobuf_Timestamp made = {0};
    int err = set_timestamp(time.tv_sec, time.tv_nsec, &made);
    if (!err) *out = made;
    return err;
}

int tern_timestamp_to_timespec(const google_protobuf_Timestamp *t, struct timespec *out) {
    return tern_timestamp_is_valid(t) ? to_timespec(t->seconds, t->nanos, out) : TERN_ERR_INVALID;
}

/* ---- Duration ------------------------------------------------------------------------------------ */

bool tern_duration_is_valid(const google_protobuf_Duration *d) {
    return d->seconds >= -TERN_DURATION_MAX_SECONDS && d->seconds <= TERN_DURATION_MAX_SECONDS && d->nanos > -NS &&
           d->nanos < NS && !(d->seconds < 0 && d->nanos > 0) && !(d->seconds > 0 && d->nanos < 0);
}

/* Sets the span alone. */
static int set_duration(int64_t seconds, int64_t nanos, google_protobuf_Duration *out) {
    google_protobuf_Duration made = *out;
    made.seconds = carry(seconds, nanos, &made.nanos);
    if (made.seconds < 0 && made.nanos > 0) {
        made.seconds++;
        made.nanos -= NS;
    }
    if (!tern_duration_is_valid(&made)) return TERN_ERR_INVALID;
    *out = made;
    return 0;
}

int tern_duration_normalize(google_protobuf_Duration *d) { return set_duration(d->seconds, d->nanos, d); }

void tern_duration_from_ns(int64_t ns, google_protobuf_Duration *out) {
    memset(out, 0, sizeof *out);
    out->seconds = ns / NS;
    out->nanos = (int32_t)(ns % NS);
}

int tern_duration_to_ns(const google_protobuf_Duration *d, int64_t *ns) {
    int64_t total;
    if (!tern_duration_is_valid(d)) return TERN_ERR_INVALID;
    if (!sum(d->seconds, d->nanos, &total)) return TERN_ERR_LIMIT;
    *ns = total;
    return 0;
}

int tern_duration_from_timespec(struct timespec time, google_protobuf_Duration *out) {
    google_protobuf_Duration made = {0};
    int err = set_duration(time.tv_sec, time.tv_nsec, &made);
    if (!err) *out = made;
    return err;
}

int tern_duration_to_timespec(const google_protobuf_Duration *d, struct timespec *out) {
    int32_t nanos;
    if (!tern_duration_is_valid(d)) return TERN_ERR_INVALID;
    int64_t seconds = carry(d->seconds, d->nanos, &nanos);
    return to_timespec(seconds, nanos, out);
}
