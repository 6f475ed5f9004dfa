/** What ports of containers, services and endpoints speak. */
export const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];
