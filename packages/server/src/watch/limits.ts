/** How much waits for a client of a watch. */

/** A client with this many unread bytes is too slow; it may reconnect and continue from its last event. */
export const MAX_PENDING = 8 * 1024 * 1024;
/** The present state is sent as fast as the client takes it. */
export const INITIAL_PENDING = 1024 * 1024;
/** The same for events that wait for a conversion. */
export const MAX_WAITING = 10_000;
/** The same for events that come while earlier ones are still being sent. */
export const MAX_BACKLOG = 100_000;
