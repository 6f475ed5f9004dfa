/** The outcome of a review in the form in which answers are recorded. */
import type { Outcome as Review } from "@portcullis/engine/internal/review/outcome";
import type { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { shownWarnings } from "../policy/request-case.ts";
import { parseExactly, pointTo, steadyText, withoutVolatile } from "../vectors/normal.ts";
import type { Step } from "../vectors/vector.ts";
import type { SurfaceAnswer } from "./surface.ts";

export function outcomeOfReview(
  { refusal, isCreated, warnings }: Review,
  stored: JsonObject | undefined,
  step: Step,
): SurfaceAnswer {
  const shown = shownWarnings(warnings);
  if (refusal !== undefined) return { ...outcomeOfRefusal(refusal, step), warnings: shown };
  const { pick } = step;
  const json = parseExactly(canonicalJson(stored ?? {}));
  const picked =
    pick === undefined ? json : Object.fromEntries(pick.map((pointer) => [pointer, pointTo(json, pointer) ?? null]));
  return { code: isCreated ? 201 : 200, object: withoutVolatile(picked, false), warnings: shown };
}

function outcomeOfRefusal({ code, reason, message, details }: StatusError, step: Step): SurfaceAnswer {
  const now = Date.now();
  const causes = (details?.causes ?? []).map(({ field, type, message: text }) => ({
    field: field ?? "",
    reason: type ?? "",
    message: steadyText(text ?? "", now),
  }));
  const { name, group, kind, retryAfterSeconds } = details ?? {};
  const shown =
    step.details === true ? { object: { details: { name, group: group || undefined, kind, retryAfterSeconds } } } : {};
  return { code, reason, message: steadyText(message, now), causes, ...shown };
}
