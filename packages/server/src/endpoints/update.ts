/** PUT: an object in place of the old one. */

import { metaText } from "../registry/meta.ts";
import { checkName, uniqueOwners } from "../registry/prepare.ts";
import { updateObject } from "../registry/update.ts";
import { decodeDraft, inputFormat, readBody } from "./body.ts";
import { type Call, checkKey, nameOf, writeCall } from "./call.ts";
import type { ApiResponse } from "./exchange.ts";
import { negotiate } from "./negotiate.ts";
import { readWriteOptions } from "./options.ts";
import { respondWritten } from "./output.ts";

export async function handleUpdate(call: Call): Promise<ApiResponse> {
  const { endpoint, request, info, warnings, server, now } = call;
  const name = nameOf(call);
  const output = negotiate(call);
  const bytes = await readBody(request);
  const options = readWriteOptions(info.query, "UpdateOptions");
  const draft = decodeDraft(bytes, inputFormat(request, endpoint.type.isCustom), endpoint, {
    ...options,
    warn: warnings.add,
  });
  checkName(draft, name);
  checkKey(call);
  const write = writeCall(call, options);
  const unique = uniqueOwners(draft, warnings.add, false);
  const written = await updateObject(write, {
    name,
    uid: metaText(draft, "uid"),
    propose: (live) => server.fieldManager.update(live, unique, { endpoint, manager: write.manager }),
  });
  const shape = { type: endpoint.type, output, query: info.query, now: now() };
  return respondWritten(written.isCreated ? 201 : 200, written, shape);
}
