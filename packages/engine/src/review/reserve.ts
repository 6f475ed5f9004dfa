/** Holds what an object takes from a common stock, such as the addresses of a service, until it is stored. */
import { metaText } from "../value/metadata.ts";
import type { ClaimingWrite } from "./kind.ts";
import type { ReviewContext } from "./review-context.ts";
import type { Write } from "./write.ts";

type Claims = Pick<ClaimingWrite, "object" | "old" | "asked">;

/** Throws a StatusError where it cannot be had. The caller of the review releases it where the object is not stored. */
export async function reserve(write: Write, claims: Claims, { recorder }: ReviewContext): Promise<void> {
  const { endpoint, namespace, isDryRun } = write;
  const { type } = endpoint;
  if (type.reserve === undefined || recorder.invalid !== undefined) return;
  const name = metaText(claims.object, "name");
  const key = `${type.storagePrefix}${namespace === "" ? "" : `${namespace}/`}${name}`;
  recorder.reservation = await type.reserve({ key, ...claims, isDryRun });
}
