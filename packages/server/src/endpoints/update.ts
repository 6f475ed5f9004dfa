/** PUT: an object in place of the old one. */

import type { ApiResponse } from "../http/exchange.ts";
import { updateObject } from "../registry/update.ts";
import { inputFormat, readBody } from "./body.ts";
import { byRules, type Call, nameOf, writeBase, writeCall } from "./call.ts";
import { negotiate } from "./negotiate.ts";
import { readWriteOptions } from "./options.ts";
import { respondWritten } from "./output.ts";

export async function handleUpdate(call: Call): Promise<ApiResponse> {
  const { endpoint, request, info, now } = call;
  const name = nameOf(call);
  const output = negotiate(call);
  const bytes = await readBody(call);
  const base = writeBase(
    call,
    byRules(call, () => readWriteOptions(info.query, "UpdateOptions")),
  );
  const content = { bytes, format: inputFormat(request, endpoint.type.isCustom) };
  const written = await updateObject({ ...base, verb: "update", name, content }, writeCall(call));
  await call.pause();
  const shape = { type: endpoint.type, output, query: info.query, now: now() };
  return respondWritten(written.isCreated ? 201 : 200, written, shape);
}
