/* What is held for messages that are being put together, all sessions together, and its bound. */
#ifndef TERN_ENGINE_ACCOUNT_H
#define TERN_ENGINE_ACCOUNT_H

#include "engine/engine_config.h"

/* Count a buffer for a message of `bytes` bytes that is being put together against max_rx_bytes, as the power of two
 * that it takes. False: not now. The engine's user does so for messages of its own. */
bool tern__engine_charge(tern__engine *engine, uint32_t bytes);
void tern__engine_uncharge(tern__engine *engine, uint32_t bytes);

#endif
