/** Upper bounds in seconds of the time of requests, of clients and to the store. */
// biome-ignore format: a table
export const REQUEST_SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
export const SLI_SECONDS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
/** From a thousand on, each ten times the last. */
export const RESPONSE_BYTES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
/** From 50 kB on, each 100 kB more than the last. */
export const BODY_BYTES = Array.from({ length: 31 }, (_, index) => 50_000 + index * 100_000);
