/** Lets the launcher store the compiled code of a thread, which ends as soon as it has sent its result. */
export function storeCode(): void {
  const store: unknown = Reflect.get(globalThis, Symbol.for("portcullis.store-code"));
  if (typeof store === "function") store();
}
