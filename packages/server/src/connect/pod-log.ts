/** `pods/log`: there are no logs here. Follows LogREST of pkg/registry/core/pod/rest for a pod that nothing runs. */
import { type FieldError, forbidden, invalid as invalidField } from "@portcullis/engine/internal/field/error";
import { newPath } from "@portcullis/engine/internal/field/path";
import { invalid } from "@portcullis/engine/internal/status/error";
import type { Call } from "../endpoints/call.ts";
import type { ApiResponse } from "../http/exchange.ts";
import { findLogNode, refuseNode } from "./locate.ts";
import * as messages from "./messages.ts";

const NO_CONTENT = 204;

/** An empty answer for a pod without a node. */
export async function handleLog(call: Call): Promise<ApiResponse> {
  const { query, name } = call.info;
  const option = (key: string): string | undefined => query.get(key)?.[0];
  const errors = validateOptions(option);
  if (errors.length > 0) throw invalid({ group: "", kind: "PodLogOptions" }, name, errors);
  const node = await findLogNode(call, option("container") ?? "");
  if (node !== "") return refuseNode(call, node, "pods");
  return { status: NO_CONTENT, headers: [["Content-Type", "text/plain"]], body: "" };
}

function validateOptions(option: (key: string) => string | undefined): FieldError[] {
  const number = (key: string): number | undefined => {
    const text = option(key);
    return text === undefined || !/^[+-]?\d+$/.test(text) ? undefined : Number(text);
  };
  const [lines, bytes, seconds] = [number("tailLines"), number("limitBytes"), number("sinceSeconds")];
  const isBoth = seconds !== undefined && option("sinceTime") !== undefined;
  return [
    ...(lines !== undefined && lines < 0 ? [invalidField(newPath("tailLines"), lines, messages.notNegative())] : []),
    ...(bytes !== undefined && bytes < 1 ? [invalidField(newPath("limitBytes"), bytes, messages.positive())] : []),
    ...(isBoth ? [forbidden(newPath(""), messages.oneSince())] : []),
    ...(!isBoth && seconds !== undefined && seconds < 1
      ? [invalidField(newPath("sinceSeconds"), seconds, messages.positive())]
      : []),
  ];
}
