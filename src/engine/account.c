/* The account of what arriving messages take (account.h). */
#include "engine/account.h"

#include "engine/engine_record.h"

bool tern__engine_charge(tern__engine *e, uint32_t bytes) {
    uint64_t charge = tern__buffer_bytes(bytes);
    if (charge > e->config.max_rx_bytes - e->rx_bytes) return false;
    e->rx_bytes += charge;
    return true;
}

void tern__engine_uncharge(tern__engine *e, uint32_t bytes) { e->rx_bytes -= tern__buffer_bytes(bytes); }
