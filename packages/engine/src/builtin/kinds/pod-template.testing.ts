/** The smallest template of a pod, for tests of kinds that have one. */
export const podSpec = { containers: [{ name: "c", image: "i:1" }] };
export const podTemplate = { metadata: { labels: { app: "a" } }, spec: podSpec };
export const podSelector = { matchLabels: { app: "a" } };
