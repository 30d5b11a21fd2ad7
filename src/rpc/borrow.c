/* Borrowing: loans as the program sees them (tern/rpc.h), and who asks for them. */
#include "rpc/borrow.h"

#include "engine/loan.h"
#include "rpc/pending.h"

/* Asked of calls whose responses come in pieces. Calls that nobody made but tern itself say nothing of it. */
static bool borrows(void *user, const void *call) {
    const tern__pending *p = call;
    (void)user;
    return p->borrows || (p->finish != TERN__FINISH_RAW && p->method->flags & TERN_METHOD_BORROW);
}

void tern__borrow_begin(tern_endpoint *ep) {
    ep->borrows = true;
    tern__engine_set_borrows(ep->engine, borrows);
    for (tern__port *port = ep->ports; port; port = port->next)
        if (port->link.ops->rx_will_keep) port->link.ops->rx_will_keep(&port->link);
}

int tern_loan_check(const tern_loan *loan) {
    return !loan || !loan->kept || loan->kept->is_intact(loan->kept) ? 0 : TERN_ERR_STALE;
}

void tern_loan_hold(tern_loan *loan) {
    if (loan) tern__loan_ref(loan);
}

void tern_loan_release(tern_loan *loan) { tern__loan_unref(loan); }
