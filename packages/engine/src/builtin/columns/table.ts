/**
 * The columns of tables of built-in kinds: what `kubectl get` shows. Descriptions of columns are left out, and kinds that
 * are not listed show their name and age.
 */

import type { ColumnDefinition, Columns } from "./column.ts";
import { coreColumns } from "./core.ts";
import { otherColumns } from "./others.ts";
import { workloadColumns } from "./workloads.ts";

const COLUMNS: Columns = { ...coreColumns, ...workloadColumns, ...otherColumns };

export function columnsOf(group: string, kind: string): readonly ColumnDefinition[] | undefined {
  return COLUMNS[`${group}/${kind}`];
}
