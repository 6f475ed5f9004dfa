/**
 * The refusal of an apply that would take fields from others.
 *
 * Follows apimachinery util/managedfields/internal/conflict.go. Upstream lists the causes of several managers in random
 * order; here they follow the order of the message.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import { formatPath } from "../../fieldset/path.ts";
import { type FieldSet, pathsOf } from "../../fieldset/set.ts";
import { applyConflict, type StatusCause, type StatusError } from "../../status/error.ts";
import { CAUSE_FIELD_MANAGER_CONFLICT } from "../../status/reasons.ts";
import * as messages from "../messages.ts";
import type { ManagerIdentity } from "./managed.ts";

/** What one manager holds of what would change. */
export interface Conflict {
  readonly identifier: string;
  readonly manager: ManagerIdentity;
  readonly fields: FieldSet;
}

export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const groups = [...conflicts]
    .sort((a, b) => compareStrings(a.identifier, b.identifier))
    .map(({ manager, fields }) => ({
      manager: messages.printedManager(manager),
      paths: [...pathsOf(fields)].map(formatPath),
    }));
  return applyConflict(groups.flatMap(causesOf), conflictMessage(groups));
}

function causesOf({ manager, paths }: messages.ManagerConflicts): StatusCause[] {
  const message = messages.conflictWith(manager);
  return paths.map((field) => ({ type: CAUSE_FIELD_MANAGER_CONFLICT, message, field }));
}

function conflictMessage(groups: readonly messages.ManagerConflicts[]): string {
  const count = groups.reduce((sum, { paths }) => sum + paths.length, 0);
  const [first] = groups;
  const [path] = first?.paths ?? [];
  if (count === 1 && first !== undefined && path !== undefined) return messages.oneConflict(first.manager, path);
  return messages.manyConflicts(count, groups);
}
