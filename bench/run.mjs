/** `npm run bench -- cel`: runs one benchmark by name. Only a wrong result or a crash fails it, and `ratcheting` and `stalls` above their limits. */
const benchmarks = {
  cli: "./cli.mjs",
  mistakes: "./mistakes.mjs",
  cel: "./cel.mjs",
  upgrade: "./upgrade.mjs",
  engine: "./engine.mjs",
  storage: "./storage.mjs",
  policy: "./policy.mjs",
  lsp: "./lsp.mjs",
  playground: "./playground.mjs",
  server: "./server.mjs",
  stalls: "./stalls.mjs",
  writes: "./writes.mjs",
  ratcheting: "./ratcheting.mjs",
  replay: "./replay.mjs",
  test: "./test.mjs",
};

const [name = "cel", ...options] = process.argv.slice(2);
const file = benchmarks[name];
if (file === undefined) {
  console.error(`no benchmark \`${name}\`; there are: ${Object.keys(benchmarks).join(", ")}`);
  process.exit(2);
}
const { main } = await import(file);
await main(options);
