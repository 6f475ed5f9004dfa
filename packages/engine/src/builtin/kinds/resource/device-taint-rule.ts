/** DeviceTaintRule. */
import { AGE, NAME, spec, text } from "../../columns/column.ts";
import { type Draft, fill } from "../../defaults/draft.ts";
import { objectOf, textOf } from "../../object.ts";
import { validateTaintRule, validateTaintRuleStatus } from "../../validate/resource/taint-rule.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";

const taint = (key: string) => (rule: Draft) => textOf(objectOf(spec(rule), "taint"), key);

export const deviceTaintRule = defineKind("resource.k8s.io/v1", "DeviceTaintRule", {
  metadata: { update: "both" },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  prepareCreate: (draft, { now }) => {
    const own = objectOf(objectOf(draft, "spec"), "taint");
    if (own !== undefined) fill(own, "timeAdded", now());
  },
  validate: validateTaintRule,
  validateStatusUpdate: validateTaintRuleStatus,
  columns: [
    NAME,
    text("Key", taint("key")),
    text("Value", taint("value")),
    text("Effect", taint("effect")),
    text("TimeAdded", taint("timeAdded")),
    AGE,
  ],
});
