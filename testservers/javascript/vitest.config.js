/** Only the example for vitest; the others are for other runners. */
export default { test: { include: ["examples/vitest.test.js"] } };
