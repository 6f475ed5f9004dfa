/** Copies the contents of one store into another, of the same driver or not. */
import type { Store } from "./store.ts";

const AT_ONCE = 256;

/**
 * The target must be empty. Values are kept, revisions are new. Resolves to the number of entries.
 * @example await copyStore(source, new MemoryStore()) // 1
 */
export async function copyStore(source: Store, target: Store): Promise<number> {
  if ((await target.list("/", { limit: 1 })).entries.length > 0) throw new Error("the target store is not empty");
  const { entries } = await source.list("/");
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    await Promise.all(entries.slice(at, at + AT_ONCE).map(({ key, value }) => target.create(key, value)));
  }
  return entries.length;
}
