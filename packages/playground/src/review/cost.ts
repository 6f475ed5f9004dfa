/** The cost of a CRD's rules for the panel: the report of `crd lint`, with places. */

import { formatCause, shareOf } from "@portcullis/checker/internal/output/cost";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { locatePath } from "@portcullis/engine/internal/codec/position";
import { costReportSteps, type RuleCost, type SchemaCost } from "@portcullis/engine/internal/crd/cost-report";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { Definitions } from "./definitions.ts";
import type { CostPanel, CostRow } from "./outcome.ts";

/** In steps, because the bounds that fit are found by trial: a large CRD takes longer than a keystroke may. */
export function* costPanel({ checked }: Definitions, engine: EngineOptions): Generator<void, CostPanel | undefined> {
  const schemas: CostPanel["schemas"][number][] = [];
  for (const { document } of checked) {
    const decoded = decodeDefinition(document.object);
    if (decoded.error !== undefined) continue;
    const report = yield* costReportSteps(decoded.value, engine);
    schemas.push(...report.schemas.map((schema) => showSchema(schema, document)));
  }
  return schemas.length === 0 ? undefined : { schemas };
}

function showSchema(schema: SchemaCost, document: ManifestDocument): CostPanel["schemas"][number] {
  return {
    title: `${document.id.name} ${schema.versions.join(", ")}`,
    share: schema.share,
    shareText: shareOf(schema.share, "the schema's budget"),
    rules: schema.rules.map((rule) => showRule(rule, document)).sort((one, other) => other.ruleShare - one.ruleShare),
  };
}

function showRule(rule: RuleCost, { source, offset }: ManifestDocument): CostRow {
  const node = source && locatePath(source, writtenPath(rule.path));
  return {
    path: rule.path,
    rule: rule.rule,
    total: rule.total.toLocaleString("en"),
    often:
      rule.cardinality === 1n
        ? ""
        : `${rule.estimate.toLocaleString("en")} each, up to ${rule.cardinality.toLocaleString("en")} times`,
    ruleShare: rule.ruleShare,
    schemaShare: rule.schemaShare,
    shareText: shareOf(rule.ruleShare, "a rule's budget"),
    causes: [
      ...rule.causes.map(formatCause),
      ...(rule.boundForAll === undefined ? [] : [`fits if all of these are at most ${rule.boundForAll}`]),
    ],
    from: node === undefined ? 0 : offset + node.start,
    to: node === undefined ? 0 : offset + node.end,
  };
}

/** Fields that all versions share are reported as if they were above `versions`. */
function writtenPath(path: string): string {
  return path.replace(/^spec\.validation/, "spec.versions[0].schema");
}
