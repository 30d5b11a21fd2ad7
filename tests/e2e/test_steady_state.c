/* What a small call costs once everything is warm, counted and not believed: no memory from the heap, no locked
 * instruction on memory that another thread might touch, and over shared memory no system call. Client and server
 * are two endpoints of one thread, so that the counts are of both sides together.
 *
 * Heap: malloc and its kin are defined here and count before they pass on. Instructions: a child process runs the
 * calls one instruction at a time under ptrace and each instruction is looked at before it executes: a LOCK
 * prefix, an xchg with memory (locked by itself), or a syscall. */
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tern/tern.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { METHOD = 1, PAYLOAD = 32, SESSIONS = 4 };

/* ---- The heap ----------------------------------------------------------------------------------- */

/* volatile, because compilers know that the real malloc would not look at them */
static volatile bool counting;
static volatile unsigned n_allocations;

#if !SANITIZED
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t each);
void *__libc_realloc(void *ptr, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *ptr);

void *malloc(size_t n) {
    n_allocations += counting;
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t each) {
    n_allocations += counting;
    return __libc_calloc(n, each);
}

void *realloc(void *ptr, size_t n) {
    n_allocations += counting;
    return __libc_realloc(ptr, n);
}

void *aligned_alloc(size_t align, size_t n) {
    n_allocations += counting;
    return __libc_memalign(align, n);
}

int posix_memalign(void **out, size_t align, size_t n) {
    n_allocations += counting;
    *out = __libc_memalign(align, n);
    return *out != NULL ? 0 : ENOMEM;
}

void free(void *ptr) { __libc_free(ptr); }
#endif

/* ---- A client and a server in one thread -------------------------------------------------------- */

typedef struct duo {
    tern_endpoint *server, *client;
    tern_session *sessions[SESSIONS];
    unsigned in_flight, n_done, n_bad;
} duo;

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    duo *d = user;
    const tern_bytes *bytes = response;
    d->n_bad += status != TERN_STATUS_OK || bytes->len != PAYLOAD;
    d->in_flight--;
    d->n_done++;
}

/* `n` calls, `window` at a time. */
static void run_calls(duo *d, unsigned n, unsigned window) {
    static const uint8_t payload[PAYLOAD] = {1, 2, 3};
    unsigned issued = 0;
    d->n_done = 0;
    for (uint64_t idle = 0; d->n_done < n && idle < 100000000 && d->n_bad == 0; idle++) {
        for (; issued < n && d->in_flight < window; issued++, d->in_flight++)
            d->n_bad += tern_call_start_raw(d->sessions[issued % SESSIONS], METHOD, tern_bytes_of(payload, PAYLOAD),
                                            NULL, on_done, d) != 0;
        if (tern_poll(d->client) + tern_poll(d->server) > 0) idle = 0;
    }
}

static char address_of_shm[64];

/* A failed test leaves its socket behind. */
static void remove_socket(void) { unlink(address_of_shm + strlen("shm://")); }

static const char *shm_address(void) {
    if (address_of_shm[0] == '\0') atexit(remove_socket);
    snprintf(address_of_shm, sizeof address_of_shm, "shm:///tmp/tern-steady-%d.sock", (int)getpid());
    return address_of_shm;
}

static void stop(duo *d) {
    tern_endpoint_free(d->client);
    tern_endpoint_free(d->server);
}

/* One instruction at a time on a busy machine takes long enough to be taken for dead. */
static void start(duo *d, const char *address) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.peer_timeout = 60 * TERN_SEC;
    memset(d, 0, sizeof *d);
    CHECK_EQ(tern_endpoint_new(&config, &d->server), 0);
    CHECK_EQ(tern_endpoint_new(&config, &d->client), 0);
    CHECK_EQ(tern_listen(d->server, address), 0);
    CHECK_EQ(tern_serve_raw(d->server, METHOD, echo, NULL), 0);
    for (unsigned i = 0; i < SESSIONS; i++)
        CHECK_EQ(tern_connect(d->client, tern_listen_address(d->server, 0), &d->sessions[i]), 0);
    /* long enough for every slot to have been used and every pool to be full */
    run_calls(d, 2000, 1);
    run_calls(d, 5000, 24);
    run_calls(d, 2000, 1);
    CHECK_EQ(d->n_bad, 0);
}

/* ---- No heap ------------------------------------------------------------------------------------ */

static void heap(const char *address) {
    if (SANITIZED) SKIP("the sanitizer has its own malloc");
    duo d;
    start(&d, address);
    CHECK_OK();
    static const unsigned windows[] = {1, 3, 24, 1};
    n_allocations = 0;
    for (unsigned i = 0; i < 4; i++) {
        counting = true;
        run_calls(&d, 5000, windows[i]);
        counting = false;
        CHECK_EQ(d.n_done, 5000);
    }
    CHECK_EQ(d.n_bad, 0);
    CHECK_EQ(n_allocations, 0);
    stop(&d);
}

static void heap__small_calls_over_shm(void) { heap(shm_address()); }
static void heap__small_calls_over_udp(void) { heap("udp://127.0.0.1:0"); }
static void heap__small_calls_over_tcp(void) { heap("tcp://127.0.0.1:0"); }

static void heap__the_counter_counts(void) {
    if (SANITIZED) SKIP("the sanitizer has its own malloc");
    n_allocations = 0;
    counting = true;
    void *volatile ptr = malloc(10);
    counting = false;
    free(ptr);
    CHECK_EQ(n_allocations, 1);
}

/* ---- No locked instructions, no system calls ---------------------------------------------------- */

typedef struct counts {
    unsigned long long instructions, locked_stack, locked_shared, syscalls;
    unsigned long long first_locked; /* where the first locked_shared was */
} counts;

#if defined(__x86_64__)

enum { STEPPED_CALLS = 10, MAX_STEPS = 2000000, CACHE = 1 << 16 };

typedef enum insn_kind { INSN_PLAIN = 1, INSN_LOCKED, INSN_SYSCALL } insn_kind;

typedef struct insn {
    unsigned long long at;
    insn_kind kind;
    bool on_stack; /* a locked one whose base register is rsp: the caller's own frame */
} insn;

static insn cache[CACHE];

__attribute__((noinline)) static void begin_stepping(void) { raise(SIGSTOP); }
__attribute__((noinline)) static void end_stepping(void) { __asm__ volatile(""); }

static bool is_prefix(uint8_t byte) {
    static const uint8_t prefixes[] = {0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0xf0};
    return memchr(prefixes, byte, sizeof prefixes) != NULL;
}

/* Enough of the instruction to know what kind it is. */
static insn decode(unsigned long long at, const uint8_t *code) {
    insn out = {.at = at, .kind = INSN_PLAIN};
    bool lock = false;
    unsigned i = 0;
    for (; i < 8 && is_prefix(code[i]); i++) lock |= code[i] == 0xf0;
    if ((code[i] & 0xf0) == 0x40) i++; /* REX */
    if (code[i] == 0x0f && code[i + 1] == 0x05) out.kind = INSN_SYSCALL;
    bool two_bytes = code[i] == 0x0f;
    const uint8_t *modrm = &code[i + (two_bytes ? 2 : 1)];
    bool to_memory = modrm[0] >> 6 != 3;
    if (lock || (!two_bytes && (code[i] == 0x86 || code[i] == 0x87) && to_memory)) out.kind = INSN_LOCKED;
    out.on_stack = out.kind == INSN_LOCKED && to_memory && (modrm[0] & 7) == 4 && (modrm[1] & 7) == 4;
    return out;
}

static const insn *look_at(pid_t child, unsigned long long at) {
    insn *entry = &cache[(at * 0x9e3779b97f4a7c15u) >> 48];
    if (entry->at == at) return entry;
    uint8_t code[16] = {0};
    struct iovec local = {code, sizeof code}, remote = {(void *)(uintptr_t)at, sizeof code};
    process_vm_readv(child, &local, 1, &remote, 1, 0);
    *entry = decode(at, code);
    return entry;
}

/* Step the stopped child until it reaches end_stepping. */
static bool step_through(pid_t child, counts *c) {
    for (unsigned i = 0; i < MAX_STEPS; i++) {
        int status;
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0) return false;
        if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return false;
        errno = 0;
        long rip = ptrace(PTRACE_PEEKUSER, child, offsetof(struct user_regs_struct, rip), NULL);
        if (errno != 0) return false;
        if ((uintptr_t)rip == (uintptr_t)end_stepping) return true;
        const insn *in = look_at(child, (unsigned long long)rip);
        c->instructions++;
        c->syscalls += in->kind == INSN_SYSCALL;
        c->locked_stack += in->kind == INSN_LOCKED && in->on_stack;
        if (in->kind == INSN_LOCKED && !in->on_stack && c->locked_shared++ == 0) c->first_locked = in->at;
    }
    return false;
}

static void stepped_child(const char *address) {
    duo d;
    tap_failed = false;
    start(&d, address);
    if (tap_failed) _exit(1);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(2);
    begin_stepping();
    run_calls(&d, STEPPED_CALLS, 1);
    end_stepping();
    unsigned bad = d.n_bad + (d.n_done != STEPPED_CALLS);
    stop(&d);
    _exit(bad ? 3 : 0);
}

/* Counts for STEPPED_CALLS calls. Returns a reason to skip, or NULL. */
static const char *count_instructions(const char *address, counts *c) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) stepped_child(address);
    int status;
    memset(c, 0, sizeof *c);
    if (waitpid(child, &status, WUNTRACED) != child || !WIFSTOPPED(status))
        return WIFEXITED(status) && WEXITSTATUS(status) == 2 ? "this machine does not let us trace" : NULL;
    bool whole = step_through(child, c);
    ptrace(PTRACE_DETACH, child, NULL, NULL);
    waitpid(child, &status, 0);
    if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0) c->instructions = 0;
    return NULL;
}

static void instructions(const char *address, bool syscalls_allowed) {
    if (SANITIZED) SKIP("a sanitizer instruments every access");
    counts c;
    const char *reason = count_instructions(address, &c);
    /* The shm port looks at its sockets once in 512 polls, which may be just now: then not the next time. */
    for (int i = 0; i < 3 && !reason && !syscalls_allowed && c.syscalls; i++) reason = count_instructions(address, &c);
    if (reason) SKIP(reason);
    CHECK(c.instructions > 0);
    printf("# per call, both sides: %llu instructions, %.2f system calls, %.2f fences\n",
           c.instructions / STEPPED_CALLS, (double)c.syscalls / STEPPED_CALLS, (double)c.locked_stack / STEPPED_CALLS);
    if (c.locked_shared > 0)
        printf("# %llu locked, the first at offset %#llx from main\n", c.locked_shared,
               c.first_locked - (unsigned long long)(uintptr_t)begin_stepping);
    CHECK_EQ(c.locked_shared, 0);
    if (!syscalls_allowed) CHECK_EQ(c.syscalls, 0);
}

static void decode__knows_what_it_looks_for(void) {
    static const struct {
        uint8_t code[16];
        insn_kind kind;
        bool on_stack;
    } cases[] = {
        {{0xf0, 0x48, 0x83, 0x0c, 0x24, 0x00}, INSN_LOCKED, true},        /* lock orq $0,(%rsp) */
        {{0xf0, 0x48, 0x01, 0x83, 0x80, 0x06}, INSN_LOCKED, false},       /* lock add %rax,0x680(%rbx) */
        {{0xf0, 0x0f, 0xb1, 0x16}, INSN_LOCKED, false},                   /* lock cmpxchg %edx,(%rsi) */
        {{0x87, 0x90, 0x84, 0x00, 0x00, 0x00}, INSN_LOCKED, false},       /* xchg %edx,0x84(%rax) */
        {{0x48, 0x87, 0x15, 0x00, 0x00, 0x00, 0x00}, INSN_LOCKED, false}, /* xchg %rdx,(%rip) */
        {{0x48, 0x87, 0xd8}, INSN_PLAIN, false},                          /* xchg %rbx,%rax */
        {{0x0f, 0x05}, INSN_SYSCALL, false},                              /* syscall */
        {{0x66, 0x90}, INSN_PLAIN, false},                                /* nop */
        {{0x48, 0x89, 0x04, 0x24}, INSN_PLAIN, false},                    /* mov %rax,(%rsp) */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        insn in = decode(1, cases[i].code);
        CHECK_EQ(in.kind, cases[i].kind);
        CHECK_EQ(in.on_stack, cases[i].on_stack);
    }
}

#else

static void instructions(const char *address, bool syscalls_allowed) {
    (void)address;
    (void)syscalls_allowed;
    SKIP("instructions are told apart on x86-64 only");
}

static void decode__knows_what_it_looks_for(void) { SKIP("instructions are told apart on x86-64 only"); }

#endif

static void instructions__small_calls_over_shm(void) { instructions(shm_address(), false); }
static void instructions__small_calls_over_udp(void) { instructions("udp://127.0.0.1:0", true); }

/* The stepped ones come first: their children set up a pool of their own, which the parent must not have done. */
TAP_MAIN(TEST(decode__knows_what_it_looks_for), TEST(instructions__small_calls_over_shm),
         TEST(instructions__small_calls_over_udp), TEST(heap__the_counter_counts), TEST(heap__small_calls_over_shm),
         TEST(heap__small_calls_over_udp), TEST(heap__small_calls_over_tcp))
