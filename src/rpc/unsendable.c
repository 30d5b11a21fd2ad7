/* Words in the log for a message that its program cannot send (unsendable.h). */
#include "rpc/unsendable.h"

#include <stdio.h>

void tern__unsendable_log(const tern_endpoint *ep, const tern__body *body, int err) {
    char why[300], line[640];
    if ((err != TERN_ERR_LIMIT && err != TERN_ERR_INVALID) || !body || !body->type) return;
    if (tern_message_explain(body->type, body->data, why, sizeof why) != err) return;
    snprintf(line, sizeof line, "a %.300s cannot be sent: %s", body->type->name, why);
    tern__endpoint_log(ep, TERN_LOG_ERROR, line);
}
