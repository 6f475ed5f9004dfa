/** Lets the launcher store the compiled code of a thread, which ends as soon as it has sent its result. */
export function storeCode(): void {
  const store: unknown = Reflect.get(globalThis, Symbol.for("portcullis.store-code"));
  if (typeof store === "function") store();
}

/** Servers of tests are mostly killed, so the launcher stores their code while they run: once for each build. */
const SERVER_MS = 1_000;

export function storeCodeOfServer(): void {
  setTimeout(storeCode, SERVER_MS).unref();
}
