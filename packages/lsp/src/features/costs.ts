/** What the rules of the CRDs in a text cost: above each rule, in a view, and as bounds that would fit. */
import { sourcePath } from "@portcullis/checker/internal/check/crd-places";
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { formatCause, shareOf } from "@portcullis/checker/internal/output/cost";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { locatePath } from "@portcullis/engine/internal/codec/position";
import { costReportSteps, type RuleCost, type SchemaCost } from "@portcullis/engine/internal/crd/cost-report";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import type { CodeLens, Range } from "vscode-languageserver";
import { slices } from "../workspace/scan.ts";
import { engineFor } from "../workspace/settings.ts";
import type { OpenText } from "./open-text.ts";

/** One rule, for views. */
export interface CostRow {
  readonly crd: string;
  readonly versions: readonly string[];
  readonly path: string;
  readonly rule: string;
  readonly total: number;
  /** Of the budget of a rule; above 1 the API server refuses the CRD. */
  readonly share: number;
  readonly shareText: string;
  readonly causes: readonly string[];
  readonly range: Range;
}

export interface CostedRule {
  readonly document: ManifestDocument;
  readonly schema: SchemaCost;
  readonly rule: RuleCost;
}

interface Kept {
  readonly version: number;
  readonly rules: Promise<readonly CostedRule[]>;
}

/** Computed once for each version of a text, in slices: bounds are found by trial. */
export class Costs {
  readonly #kept = new WeakMap<object, Kept>();

  rulesOf(open: OpenText): Promise<readonly CostedRule[]> {
    const known = this.#kept.get(open.document);
    if (known?.version === open.document.version) return known.rules;
    const rules = costedRules(open);
    this.#kept.set(open.document, { version: open.document.version, rules });
    return rules;
  }

  async rows(open: OpenText): Promise<readonly CostRow[]> {
    return (await this.rulesOf(open)).map((each) => ({
      crd: each.document.id.name,
      versions: each.schema.versions,
      path: each.rule.path,
      rule: each.rule.rule,
      total: Number(each.rule.total),
      share: each.rule.ruleShare,
      shareText: shareOf(each.rule.ruleShare, "a rule's budget"),
      causes: [
        ...each.rule.causes.map(formatCause),
        ...(each.rule.boundForAll === undefined ? [] : [`fits if all of these are at most ${each.rule.boundForAll}`]),
      ],
      range: rangeOf(open, each),
    }));
  }

  async lenses(open: OpenText): Promise<readonly CodeLens[]> {
    if (!open.settings.costLens) return [];
    const rules = await this.rulesOf(open);
    return rules.map((each) => ({
      range: rangeOf(open, each),
      command: { title: titleOf(each), command: "portcullis.showCosts", arguments: [open.uri] },
    }));
  }
}

function titleOf({ rule }: CostedRule): string {
  const often = rule.cardinality === 1n ? "" : `, up to ${rule.cardinality.toLocaleString("en")} times`;
  const over = rule.ruleShare > 1 ? " — over budget" : "";
  return `cost ${rule.total.toLocaleString("en")}${often} (${shareOf(rule.ruleShare, "a rule's budget")})${over}`;
}

async function costedRules(open: OpenText): Promise<readonly CostedRule[]> {
  const pause = slices();
  const found: CostedRule[] = [];
  for (const document of open.objects().filter(isDefinition)) {
    const decoded = decodeDefinition(document.object);
    if (decoded.error !== undefined) continue;
    const steps = costReportSteps(decoded.value, engineFor(open.settings));
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) await pause();
    for (const schema of step.value.schemas) for (const rule of schema.rules) found.push({ document, schema, rule });
  }
  return found;
}

function rangeOf({ document: text }: OpenText, { document, rule }: CostedRule): Range {
  const node = document.source && locatePath(document.source, sourcePath(rule.path, document.object));
  const start = document.offset + (node?.start ?? 0);
  return { start: text.positionAt(start), end: text.positionAt(document.offset + (node?.end ?? 0)) };
}
