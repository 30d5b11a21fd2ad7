/* Peers at whose port nobody listens, as the kernel tells it by ICMP (udp_refusal.c says how far it is believed). */
#ifndef TERN_PORT_UDP_REFUSAL_H
#define TERN_PORT_UDP_REFUSAL_H

#include "port/udp.h"

/* The kernel says that nobody listens at the port of a connected socket's peer: */
void tern__udp_note_refusal(tern__udp_port *udp, tern__udp_sock *sock);

/* The same of a shared socket's peer. Then: something has been sent there, something has come from there. */
void tern__udp_suspect_refused(tern__udp_port *udp, const tern__route *route);
void tern__udp_suspect_sent(tern__udp_port *udp, const tern__route *route);
void tern__udp_suspect_spoke(tern__udp_port *udp, const tern__route *route);

/* This socket is about to be closed. */
void tern__udp_suspects_drop(tern__udp_port *udp, uint32_t index);

/* Read the errors that a shared socket has queued, and note the refusals among them. Returns how many came by ICMP. */
uint32_t tern__udp_take_errors(tern__udp_port *udp, const tern__udp_sock *sock);

/* Tell the endpoint which peers are gone. In poll only. */
void tern__udp_report_refused(tern__udp_port *udp);

#endif
