/* The functions of a message that make things in a heap: thin, over those of tern/graph.h. Each is called as the one
 * that takes an arena, with `heap` before the verb, and takes the same arguments. */
#include "gen/emit_heap.h"

#include "gen/emit_structs.h"

static void emit_new(text *t, const char *c) {
    text_add(t,
             "/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */\n"
             "static inline %s *%s_new(tern_heap *heap) { return (%s *)tern_heap_alloc(heap, &%s_type); }\n\n",
             c, c, c, c);
}

/* ---- Lists --------------------------------------------------------------------------------------- */

static void emit_reserve(text *t, const char *c, const gen_field *f) {
    text_add(t,
             "static inline int %s_heap_reserve_%s(%s *msg, size_t n, tern_heap *heap) {\n"
             "    return tern_heap_reserve(heap, &%s_type, msg, %u, n);\n"
             "}\n\n",
             c, f->schema_name, c, c, f->number);
}

static void emit_list(text *t, const char *c, const gen_field *f) {
    emit_reserve(t, c, f);
    text_add(t,
             "static inline %s *%s_heap_add_%s(%s *msg, tern_heap *heap) {\n"
             "    if (%s_heap_reserve_%s(msg, msg->%s.len + 1, heap)) return NULL;\n"
             "    return &msg->%s.data[msg->%s.len++];\n"
             "}\n\n",
             emit_value_type(f), c, f->schema_name, c, c, f->schema_name, f->name, f->name, f->name);
}

static void emit_pointers(text *t, const char *c, const gen_field *f) {
    const char *name = f->schema_name, *type = emit_value_type(f), *member = f->name;
    emit_reserve(t, c, f);
    text_add(t,
             "/* Appends a message that is there already. */\n"
             "static inline int %s_heap_put_%s(%s *msg, %s *element, tern_heap *heap) {\n"
             "    int err = %s_heap_reserve_%s(msg, msg->%s.len + 1, heap);\n"
             "    if (!err) msg->%s.data[msg->%s.len++] = element;\n"
             "    return err;\n"
             "}\n\n",
             c, name, c, type, c, name, member, member, member);
    if (f->flags & TERN_FIELD_OBJECT) return;
    text_add(t,
             "/* Appends an empty message. */\n"
             "static inline %s *%s_heap_add_%s(%s *msg, tern_heap *heap) {\n"
             "    %s *made = (%s *)tern_heap_alloc(heap, &%s_type);\n"
             "    return made && %s_heap_put_%s(msg, made, heap) == 0 ? made : NULL;\n"
             "}\n\n",
             type, c, name, c, type, type, type, c, name);
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

static void emit_map(text *t, const char *c, const gen_field *f) {
    const gen_field *key = f->message->by_number[0], *value = f->message->by_number[1];
    const char *name = f->schema_name, *entry = f->message->c_name, *k = emit_value_type(key),
               *v = emit_value_type(value);
    const char *borrowed = key->kind == TERN_STRING ? "; the key's bytes are borrowed" : "";
    emit_reserve(t, c, f);
    if (value->message && !f->ref)
        text_add(t,
                 "/* The value of this key, made empty when there is none%s. */\n"
                 "static inline %s *%s_heap_put_%s(%s *msg, %s key, tern_heap *heap) {\n"
                 "    %s *entry = (%s *)tern_heap_put(heap, &%s_type, msg, %u, &key);\n"
                 "    if (!entry) return NULL;\n"
                 "    if (!entry->value) entry->value = (%s *)tern_heap_alloc(heap, &%s_type);\n"
                 "    return entry->value;\n"
                 "}\n\n",
                 borrowed, v, c, name, c, k, entry, entry, c, f->number, v, v);
    else
        text_add(t,
                 "/* Sets the value of this key: 0 or TERN_ERR_NOMEM%s. */\n"
                 "static inline int %s_heap_put_%s(%s *msg, %s key, %s %svalue, tern_heap *heap) {\n"
                 "    %s *entry = (%s *)tern_heap_put(heap, &%s_type, msg, %u, &key);\n"
                 "    if (!entry) return TERN_ERR_NOMEM;\n"
                 "    entry->value = value;\n"
                 "    return 0;\n"
                 "}\n\n",
                 borrowed, c, name, c, k, v, value->message ? "*" : "", entry, entry, c, f->number);
    text_add(t,
             "/* Gives a map that was filled by hand or comes from a file its index. */\n"
             "static inline int %s_heap_index_%s(%s *msg, tern_heap *heap) {\n"
             "    return tern_heap_index(heap, &%s_type, msg, %u);\n"
             "}\n\n",
             c, name, c, c, f->number);
}

/* ---- Single fields ------------------------------------------------------------------------------- */

static void emit_make(text *t, const char *c, const gen_field *f) {
    const char *name = f->schema_name, *type = emit_value_type(f);
    text_add(t,
             "static inline %s *%s_heap_make_%s(%s *msg, tern_heap *heap) {\n"
             "    %s *made = (%s *)tern_heap_alloc(heap, &%s_type);\n",
             type, c, name, c, type, type, type);
    if (f->oneof)
        text_add(t, "    if (made) %s_set_%s(msg, made);\n", c, name);
    else
        text_add(t, "    if (made) msg->%s = made;\n", f->name);
    text_add(t, "    return made;\n}\n\n");
}

static void emit_set(text *t, const char *c, const gen_field *f) {
    const char *name = f->schema_name, *type = emit_value_type(f);
    text_add(t,
             "/* Copies the bytes into an object of their own. */\n"
             "static inline int %s_heap_set_%s(%s *msg, %s value, tern_heap *heap) {\n"
             "    int err = tern_heap_%s(heap, value.data, value.len, &value);\n",
             c, name, c, type, f->kind == TERN_STRING ? "str" : "bytes");
    if (f->oneof || f->flags & TERN_FIELD_HAS)
        text_add(t, "    if (!err) %s_set_%s(msg, value);\n", c, name);
    else
        text_add(t, "    if (!err) msg->%s = value;\n", f->name);
    text_add(t, "    return err;\n}\n\n");
}

static void emit_field_functions(text *t, const char *c, const gen_field *f) {
    if (f->flags & TERN_FIELD_MAP)
        emit_map(t, c, f);
    else if (f->flags & TERN_FIELD_POINTERS)
        emit_pointers(t, c, f);
    else if (f->flags & TERN_FIELD_REPEATED)
        emit_list(t, c, f);
    else if (f->message && !(f->flags & TERN_FIELD_OBJECT))
        emit_make(t, c, f);
    else if (f->kind == TERN_STRING || f->kind == TERN_BYTES)
        emit_set(t, c, f);
}

void emit_heap_helpers(text *t, const gen_message *m) {
    if (m->is_entry) return;
    text_add(t, "/* ---- %s in heaps */\n\n", m->full_name);
    emit_new(t, m->c_name);
    for (size_t i = 0; i < m->n_fields; i++) emit_field_functions(t, m->c_name, &m->fields[i]);
}
