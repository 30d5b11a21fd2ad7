/* The well-known types' names, shapes and strings (the JSON column of protobuf's language guide). */
#include "codec/json_wkt.h"

#include "base/base.h"

enum { NANOS_PER_SECOND = 1000000000 };

static const int64_t timestamp_min = -62135596800; /* 0001-01-01T00:00:00Z */
static const int64_t timestamp_max = 253402300799; /* 9999-12-31T23:59:59Z */
static const int64_t duration_max = 315576000000;  /* 10000 years of 365.25 days */

/* ---- Recognition --------------------------------------------------------------------------------- */

/* A field as the type must have it; kind 0 stands for any scalar. */
typedef struct shape_field {
    uint8_t number, kind;
    uint32_t flags;
} shape_field;

typedef struct shape {
    const char *name; /* without "google.protobuf." */
    wkt which;
    shape_field fields[6];
} shape;

#define WRAPPER(name)                                                                                                  \
    {                                                                                                                  \
        name, WKT_WRAPPER, {                                                                                           \
            { 1, 0, 0 }                                                                                                \
        }                                                                                                              \
    }

static const shape shapes[] = {
    {"Any", WKT_ANY, {{1, TERN_STRING, 0}, {2, TERN_BYTES, 0}}},
    {"Duration", WKT_DURATION, {{1, TERN_INT64, 0}, {2, TERN_INT32, 0}}},
    {"FieldMask", WKT_FIELD_MASK, {{1, TERN_STRING, TERN_FIELD_REPEATED}}},
    {"ListValue", WKT_LIST_VALUE, {{1, TERN_MESSAGE, TERN_FIELD_REPEATED}}},
    {"Struct", WKT_STRUCT, {{1, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP}}},
    {"Timestamp", WKT_TIMESTAMP, {{1, TERN_INT64, 0}, {2, TERN_INT32, 0}}},
    {"Value",
     WKT_VALUE,
     {{VALUE_NULL, TERN_ENUM, TERN_FIELD_ONEOF},
      {VALUE_NUMBER, TERN_DOUBLE, TERN_FIELD_ONEOF},
      {VALUE_STRING, TERN_STRING, TERN_FIELD_ONEOF},
      {VALUE_BOOL, TERN_BOOL, TERN_FIELD_ONEOF},
      {VALUE_STRUCT, TERN_MESSAGE, TERN_FIELD_ONEOF},
      {VALUE_LIST, TERN_MESSAGE, TERN_FIELD_ONEOF}}},
    WRAPPER("DoubleValue"),
    WRAPPER("FloatValue"),
    WRAPPER("Int64Value"),
    WRAPPER("UInt64Value"),
    WRAPPER("Int32Value"),
    WRAPPER("UInt32Value"),
    WRAPPER("BoolValue"),
    WRAPPER("StringValue"),
    WRAPPER("BytesValue"),
};

static bool has_shape(const tern_type *type, const shape *wanted) {
    const uint32_t care = TERN_FIELD_REPEATED | TERN_FIELD_MAP | TERN_FIELD_ONEOF;
    for (size_t i = 0; i < TERN__COUNT(wanted->fields) && wanted->fields[i].number; i++) {
        const shape_field *want = &wanted->fields[i];
        const tern_field *field = tern_type_field(type, want->number);
        if (!field || (field->flags & care) != want->flags) return false;
        bool scalar = field->kind != TERN_MESSAGE && field->kind != TERN_GROUP && field->kind != TERN_ENUM;
        if (want->kind ? field->kind != want->kind : !scalar) return false;
    }
    return true;
}

static const char prefix[] = "google.protobuf.";

wkt tern__wkt_of(const tern_type *type) {
    if (type->flags & TERN_TYPE_OBJECT) return WKT_ANY;
    if (strncmp(type->name, prefix, sizeof prefix - 1) != 0) return WKT_NONE;
    for (size_t i = 0; i < TERN__COUNT(shapes); i++)
        if (strcmp(type->name + sizeof prefix - 1, shapes[i].name) == 0)
            return has_shape(type, &shapes[i]) ? shapes[i].which : WKT_NONE;
    return WKT_NONE;
}

bool tern__wkt_is_null(const tern_enum *enumeration) {
    return enumeration->name && strcmp(enumeration->name, "google.protobuf.NullValue") == 0;
}

/* ---- Time ---------------------------------------------------------------------------------------- */

/* Days since 1970-01-01 of a date of the Gregorian calendar, and back. Both count years from March, so that a leap
 * day is a year's last, in eras of 400 years, each 146097 days long. */
static int64_t days_of_date(int64_t year, unsigned month, unsigned day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t in_era = year - era * 400;
    int64_t day_of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + day_of_year - 719468;
}

static void date_of_days(int64_t days, int64_t *year, unsigned *month, unsigned *day) {
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t from_march = (5 * day_of_year + 2) / 153;
    *day = (unsigned)(day_of_year - (153 * from_march + 2) / 5 + 1);
    *month = (unsigned)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = year_of_era + era * 400 + (*month <= 2);
}

/* A point and 3, 6 or 9 digits; nothing for 0. */
static void put_fraction(text_writer *w, uint32_t nanos) {
    if (nanos == 0) return;
    tern__text_put(w, ".", 1);
    if (nanos % 1000000 == 0)
        tern__text_put_decimals(w, nanos / 1000000, 3);
    else if (nanos % 1000 == 0)
        tern__text_put_decimals(w, nanos / 1000, 6);
    else
        tern__text_put_decimals(w, nanos, 9);
}

static void put_part(text_writer *w, const char *before, int64_t value, unsigned digits) {
    tern__text_puts(w, before);
    tern__text_put_decimals(w, (uint32_t)value, digits);
}

void tern__wkt_put_timestamp(text_writer *w, int64_t seconds, int32_t nanos) {
    if (seconds < timestamp_min || seconds > timestamp_max || nanos < 0 || nanos >= NANOS_PER_SECOND) {
        tern__text_fail(w, TERN_ERR_INVALID);
        return;
    }
    int64_t days = seconds / 86400, rest = seconds % 86400, year;
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    unsigned month, day;
    date_of_days(days, &year, &month, &day);
    put_part(w, "", year, 4);
    put_part(w, "-", month, 2);
    put_part(w, "-", day, 2);
    put_part(w, "T", rest / 3600, 2);
    put_part(w, ":", rest / 60 % 60, 2);
    put_part(w, ":", rest % 60, 2);
    put_fraction(w, (uint32_t)nanos);
    tern__text_put(w, "Z", 1);
}

void tern__wkt_put_duration(text_writer *w, int64_t seconds, int32_t nanos) {
    bool negative = seconds < 0 || nanos < 0;
    if (seconds < -duration_max || seconds > duration_max || nanos <= -NANOS_PER_SECOND || nanos >= NANOS_PER_SECOND ||
        (negative && (seconds > 0 || nanos > 0))) {
        tern__text_fail(w, TERN_ERR_INVALID);
        return;
    }
    if (negative) tern__text_put(w, "-", 1);
    tern__text_put_u64(w, (uint64_t)(negative ? -seconds : seconds));
    put_fraction(w, (uint32_t)(negative ? -nanos : nanos));
    tern__text_put(w, "s", 1);
}

/* The rest of a string that is being read. */
typedef struct cursor {
    const char *p, *end;
} cursor;

static bool take_char(cursor *c, char wanted) {
    if (c->p == c->end || *c->p != wanted) return false;
    c->p++;
    return true;
}

static bool at_digit(const cursor *c) { return c->p < c->end && *c->p >= '0' && *c->p <= '9'; }

/* Exactly n digits. */
static bool take_fixed_digits(cursor *c, unsigned n, int64_t *out) {
    *out = 0;
    for (; n > 0; n--) {
        if (!at_digit(c)) return false;
        *out = *out * 10 + (*c->p++ - '0');
    }
    return true;
}

/* A point and one to nine digits, or nothing. */
static bool take_fraction(cursor *c, int32_t *nanos) {
    *nanos = 0;
    if (!take_char(c, '.')) return true;
    if (!at_digit(c)) return false;
    for (int32_t unit = NANOS_PER_SECOND / 10; at_digit(c); unit /= 10) {
        if (unit == 0) return false;
        *nanos += (*c->p++ - '0') * unit;
    }
    return true;
}

static bool is_date(int64_t year, int64_t month, int64_t day) {
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap);
}

/* Z, or the hours and minutes by which the local time is ahead. */
static bool take_zone(cursor *c, int64_t *ahead) {
    int64_t hours, minutes;
    *ahead = 0;
    if (take_char(c, 'Z')) return true;
    bool negative = take_char(c, '-');
    if (!negative && !take_char(c, '+')) return false;
    if (!take_fixed_digits(c, 2, &hours) || !take_char(c, ':') || !take_fixed_digits(c, 2, &minutes)) return false;
    *ahead = (hours * 60 + minutes) * (negative ? -60 : 60);
    return hours < 24 && minutes < 60;
}

bool tern__wkt_read_timestamp(tern_str text, int64_t *seconds, int32_t *nanos) {
    cursor c = {text.data, text.data + text.len};
    int64_t year, month, day, hour, minute, second, ahead;
    if (!take_fixed_digits(&c, 4, &year) || !take_char(&c, '-') || !take_fixed_digits(&c, 2, &month) ||
        !take_char(&c, '-') || !take_fixed_digits(&c, 2, &day) || !take_char(&c, 'T') ||
        !take_fixed_digits(&c, 2, &hour) || !take_char(&c, ':') || !take_fixed_digits(&c, 2, &minute) ||
        !take_char(&c, ':') || !take_fixed_digits(&c, 2, &second))
        return false;
    if (!is_date(year, month, day) || hour > 23 || minute > 59 || second > 59) return false;
    if (!take_fraction(&c, nanos) || !take_zone(&c, &ahead) || c.p != c.end) return false;
    *seconds = days_of_date(year, (unsigned)month, (unsigned)day) * 86400 + hour * 3600 + minute * 60 + second - ahead;
    return *seconds >= timestamp_min && *seconds <= timestamp_max;
}

bool tern__wkt_read_duration(tern_str text, int64_t *seconds, int32_t *nanos) {
    cursor c = {text.data, text.data + text.len};
    bool negative = take_char(&c, '-');
    if (!at_digit(&c)) return false;
    for (*seconds = 0; at_digit(&c) && *seconds <= duration_max;) *seconds = *seconds * 10 + (*c.p++ - '0');
    if (!take_fraction(&c, nanos) || !take_char(&c, 's') || c.p != c.end || *seconds > duration_max) return false;
    if (negative) {
        *seconds = -*seconds;
        *nanos = -*nanos;
    }
    return true;
}

/* ---- Field masks --------------------------------------------------------------------------------- */

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/* Characters that stand for themselves in a string of paths. */
static bool is_path_byte(char c) { return (uint8_t)c >= 0x20 && c != ',' && c != '"' && c != '\\'; }

/* snake_case to camelCase. A path that would not come back unchanged has no JSON form: capitals, and underscores before
 * anything but a small letter. */
void tern__wkt_put_path(text_writer *w, tern_str path) {
    for (size_t i = 0; i < path.len; i++) {
        char c = path.data[i];
        if (c == '_') {
            c = ++i < path.len ? path.data[i] : 0;
            if (!is_lower(c)) {
                tern__text_fail(w, TERN_ERR_INVALID);
                return;
            }
            c = (char)(c - 'a' + 'A');
        } else if (is_upper(c) || !is_path_byte(c)) {
            tern__text_fail(w, TERN_ERR_INVALID);
            return;
        }
        tern__text_put(w, &c, 1);
    }
}

size_t tern__wkt_read_path(tern_str path, char *out) {
    size_t n = 0;
    for (size_t i = 0; i < path.len; i++) {
        char c = path.data[i];
        if (c == '_' || !is_path_byte(c)) return SIZE_MAX;
        if (is_upper(c)) {
            out[n++] = '_';
            c = (char)(c - 'A' + 'a');
        }
        out[n++] = c;
    }
    return n;
}
