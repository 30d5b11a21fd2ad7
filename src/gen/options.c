/* The options of tern/options.proto. They are extensions of the options of descriptors, so they arrive there as unknown
 * fields: one is decoded by the table of the message that it has; the other, (tern.ref), is a bool. */
#include "gen/options.h"

#include "gen/location.h"
#include "tern/options.tern.h"

enum { EXTENSION = 51740, REF_EXTENSION = 51741 };

/* What has options: a file, a message, a method or a field. */
typedef struct owner {
    gen_file *file;
    gen_path path;
    const char *kind, *name;  /* "method", "Get" */
    const tern_type *type;    /* of the message of our options for this kind */
    const char *extendee;     /* the message that the extension extends */
    const tern_unknown *from; /* the owner's options that descriptor.proto lacks */
} owner;

/* Whether a file of the request declares our extension. Without such a file the number is somebody else's. */
static bool is_declared(const gen *g, const char *extendee, int32_t number) {
    for (size_t i = 0; i < g->n_files; i++) {
        const google_protobuf_FileDescriptorProto *desc = g->files[i].desc;
        if (strcmp(g->files[i].package, "tern") != 0) continue;
        for (size_t k = 0; k < desc->extension.len; k++)
            if (desc->extension.data[k].number == number &&
                tern_str_eq(desc->extension.data[k].extendee, tern_str_of(extendee)))
                return true;
    }
    return false;
}

/* Appends our message as it was encoded. protoc makes a field of each `option` statement: one behind the other their
 * contents are one message. False when a field is not encoded as a message is. */
static bool join_options(const tern_unknown *from, text *out, bool *any) {
    size_t at = 0;
    tern_unknown_field field;
    while (tern_unknown_next(from, &at, &field)) {
        if (field.number != EXTENSION) continue;
        if (field.wire != 2) return false;
        text_add_bytes(out, field.content.data, field.content.len);
        *any = true;
    }
    return at == from->len && !out->overflow;
}

/* What our message holds and its table lacks: options of a later tern/options.proto, or of another type. */
static void judge_unknown(gen *g, const owner *o, const tern_unknown *unknown, bool needed) {
    size_t at = 0;
    tern_unknown_field field;
    while (tern_unknown_next(unknown, &at, &field)) {
        bool known = tern_type_field(o->type, field.number) != NULL;
        const char *said =
            gen_format(g->arena, "option %u of (tern.%s), which %s %s has, is %s", field.number, o->kind, o->kind,
                       o->name, known ? "of an unexpected type" : "newer than this protoc-gen-tern");
        if (known || needed)
            gen_error(g, o->file, o->path, "%s", said);
        else
            gen_warn(g, o->file, o->path, "%s; it has no effect", said);
    }
}

/* Decodes the owner's options into *msg. False when there are none, or after an error. */
static bool read_options(gen *g, const owner *o, void *msg) {
    text bytes = {.arena = g->arena};
    bool any = false, sound = true;
    if (!is_declared(g, o->extendee, EXTENSION)) return false;
    sound = join_options(o->from, &bytes, &any);
    if (sound && any)
        sound = tern_protobuf_decode(o->type, bytes.data, bytes.len, g->arena, TERN_DECODE_ALIAS, NULL, msg) == 0;
    if (!sound)
        gen_error(g, o->file, o->path, "the options (tern.%s) of %s %s are malformed", o->kind, o->kind, o->name);
    return sound && any;
}

void options_read_file(gen *g, gen_file *file) {
    const google_protobuf_FileOptions *options = file->desc->options;
    tern_FileOptions ours = {0};
    if (!options || options->unknown.len == 0) return;
    owner o = {
        file, {0}, "file", file->path, &tern_FileOptions_type, ".google.protobuf.FileOptions", &options->unknown};
    if (!read_options(g, &o, &ours)) return;
    file->heap_functions = ours.heap_functions;
    judge_unknown(g, &o, &ours.unknown, true);
}

static void read_message(gen *g, gen_file *file, gen_message *m) {
    const google_protobuf_MessageOptions *options = m->desc->options;
    tern_MessageOptions ours = {0};
    if (!options || options->unknown.len == 0 || m->is_entry) return;
    owner o = {file,
               m->path,
               "message",
               m->full_name,
               &tern_MessageOptions_type,
               ".google.protobuf.MessageOptions",
               &options->unknown};
    if (!read_options(g, &o, &ours)) return;
    m->no_unknown = ours.no_unknown;
    judge_unknown(g, &o, &ours.unknown, true);
    if (m->no_unknown && m->desc->extension_range.len)
        gen_error(g, file, m->path, "(tern.message).no_unknown: message %s has extensions, which are unknown fields",
                  m->full_name);
}

static void read_method(gen *g, gen_file *file, gen_method *m) {
    const google_protobuf_MethodOptions *options = m->desc->options;
    tern_MethodOptions ours = {0};
    if (!options || options->unknown.len == 0) return;
    owner o = {file,
               m->path,
               "method",
               gen_cstr(g, m->desc->name),
               &tern_MethodOptions_type,
               ".google.protobuf.MethodOptions",
               &options->unknown};
    if (!read_options(g, &o, &ours)) return;
    if (ours.receive_shared) m->flags |= TERN_METHOD_RECEIVE_SHARED;
    if (ours.borrow) m->flags |= TERN_METHOD_BORROW;
    judge_unknown(g, &o, &ours.unknown, false);
}

/* The value of (tern.ref), of which the last one counts. False also when it is malformed, which is an error. */
static bool read_ref(gen *g, const owner *o) {
    size_t at = 0;
    tern_unknown_field field;
    bool ref = false;
    if (!is_declared(g, o->extendee, REF_EXTENSION)) return false;
    while (tern_unknown_next(o->from, &at, &field)) {
        if (field.number != REF_EXTENSION) continue;
        if (field.wire != 0) {
            gen_error(g, o->file, o->path, "the option (tern.ref) of field %s is malformed", o->name);
            return false;
        }
        ref = field.value != 0;
    }
    return ref;
}

/* What a field is instead, whose elements cannot be pointers to messages; NULL when they can. */
static const char *why_no_ref(const gen_field *f) {
    bool repeated = f->flags & TERN_FIELD_REPEATED, child = f->kind == TERN_MESSAGE || f->kind == TERN_GROUP;
    if (f->flags & TERN_FIELD_MAP)
        return f->message->by_number[1]->message ? NULL : "a map whose values are no messages";
    if (!child) return repeated ? "a list of values that are no messages" : "no message";
    if (f->kind == TERN_GROUP) return "a group";
    return repeated ? NULL : "a single message, which is a pointer without it";
}

static void apply_ref(gen *g, gen_file *file, gen_field *f) {
    const char *why = why_no_ref(f);
    if (why) {
        gen_error(g, file, f->path, "(tern.ref) is for lists and maps of messages; field %s is %s", f->schema_name,
                  why);
        return;
    }
    f->ref = true;
    if (!(f->flags & TERN_FIELD_MAP)) f->flags |= TERN_FIELD_POINTERS;
}

static void read_field(gen *g, gen_file *file, gen_field *f) {
    const google_protobuf_FieldOptions *options = f->desc->options;
    tern_FieldOptions ours = {0};
    if (!options || options->unknown.len == 0) return;
    owner o = {file,
               f->path,
               "field",
               f->schema_name,
               &tern_FieldOptions_type,
               ".google.protobuf.FieldOptions",
               &options->unknown};
    if (read_options(g, &o, &ours)) judge_unknown(g, &o, &ours.unknown, true);
    if (read_ref(g, &o)) apply_ref(g, file, f);
}

static bool is_plain(const gen_field *f, uint32_t number, unsigned kind) {
    return f->number == number && f->kind == kind && !(f->flags & ~(uint32_t)TERN_FIELD_UTF8);
}

/* tern.Object has the table that codecs know it by; fields of it are pointers to anything. */
static void apply_object(gen *g, gen_file *file, gen_message *m) {
    if (m->is_object) {
        m->no_unknown = true;
        if (m->n_fields != 2 || m->n_has || !is_plain(m->by_number[0], 1, TERN_STRING) ||
            !is_plain(m->by_number[1], 2, TERN_BYTES))
            gen_error(g, file, m->path, "this is not the tern.Object that this protoc-gen-tern knows");
    }
    for (size_t i = 0; i < m->n_fields; i++) {
        gen_field *f = &m->fields[i];
        bool is_map = f->flags & TERN_FIELD_MAP;
        if (is_map && f->message->by_number[1]->message && f->message->by_number[1]->message->is_object) f->ref = true;
        if (!f->message || !f->message->is_object) continue;
        if (f->kind == TERN_GROUP) gen_error(g, file, f->path, "field %s is a group of tern.Object", f->schema_name);
        f->flags |= TERN_FIELD_OBJECT;
        if (f->flags & TERN_FIELD_REPEATED) f->flags |= TERN_FIELD_POINTERS;
    }
}

void options_read(gen *g, gen_file *file) {
    for (gen_message *m = file->messages; m; m = m->next) {
        read_message(g, file, m);
        for (size_t i = 0; i < m->n_fields; i++) read_field(g, file, &m->fields[i]);
        apply_object(g, file, m);
    }
    for (gen_service *s = file->services; s; s = s->next)
        for (size_t i = 0; i < s->n_methods; i++) read_method(g, file, &s->methods[i]);
}
