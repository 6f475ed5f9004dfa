/** POST: a new object. */

import type { ApiResponse } from "../http/exchange.ts";
import { createObject } from "../registry/create.ts";
import { keyOf, readEntry } from "../registry/object-codec.ts";
import { inputFormat, readBody } from "./body.ts";
import { byRules, type Call, nameOf, writeBase, writeCall } from "./call.ts";
import { negotiate } from "./negotiate.ts";
import { readWriteOptions } from "./options.ts";
import { respondWritten } from "./output.ts";

export async function handleCreate(call: Call): Promise<ApiResponse> {
  const { endpoint, request, info, server, now } = call;
  const { type, subresource } = endpoint;
  const output = negotiate(call);
  const format = inputFormat(request, type.isCustom);
  const bytes = await readBody(call);
  const options = byRules(call, () => readWriteOptions(info.query, "CreateOptions"));
  const name = subresource?.connect === undefined ? info.name : nameOf(call);
  const live = async () => {
    const entry = await server.store.get(keyOf(type, info.namespace, name));
    return entry && readEntry(entry, type);
  };
  const base = writeBase(call, options);
  const written = await createObject(
    { ...base, verb: "create", name, content: { bytes, format }, live },
    writeCall(call),
  );
  await call.pause();
  return respondWritten(201, written, { type, output, query: info.query, now: now() });
}
