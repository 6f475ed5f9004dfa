/** PATCH: JSON patch, merge patch, strategic merge patch and server-side apply. */
import { unsupportedPatch } from "@portcullis/engine/internal/review/patch/patch";
import type { ApiResponse } from "../http/exchange.ts";
import { updateObject } from "../registry/update.ts";
import { readBody } from "./body.ts";
import { byRules, type Call, nameOf, writeBase, writeCall } from "./call.ts";
import { negotiate } from "./negotiate.ts";
import { readWriteOptions } from "./options.ts";
import { respondWritten } from "./output.ts";

export async function handlePatch(call: Call): Promise<ApiResponse> {
  const { endpoint, request, info, now } = call;
  const { type } = endpoint;
  const patchType = (request.header("content-type") ?? "").replace(/(.);.*$/s, "$1");
  if (!type.patchTypes.includes(patchType)) throw unsupportedPatch(endpoint);
  const name = nameOf(call);
  const output = negotiate(call);
  const patch = await readBody(call);
  const options = byRules(call, () => readWriteOptions(info.query, "PatchOptions", patchType));
  const force = options.force ?? false;
  const base = writeBase(call, options);
  const written = await updateObject({ ...base, verb: "patch", name, patch, patchType, force }, writeCall(call));
  await call.pause();
  const shape = { type, output, query: info.query, now: now() };
  return respondWritten(written.isCreated ? 201 : 200, written, shape);
}
