/** More pairs of policies, some of them replayed on kube-apiserver. `some?` and `none?` may also be unknown. */
import { test } from "vitest";
import { SERVER_ROWS } from "./policy/proof-rows.ts";
import { expectRow } from "./policy/row-verdict.ts";

test.each(SERVER_ROWS.map((row) => [row[0], row[1], row] as const))("%s (%s)", (_name, _resource, row) =>
  expectRow(row),
);
