/** What `check` does with its inputs, from the options. */
import type { CheckPlan } from "@portcullis/checker/internal/check/chunk";
import { FIELD_VALIDATION_MODES } from "@portcullis/checker/internal/check/field-findings";
import { MISSING_SCHEMA_MODES } from "@portcullis/checker/internal/check/missing-modes";
import type { Listing } from "@portcullis/checker/internal/input/files";
import { engineOptionsList } from "../../frame/engine-options.ts";
import { type Options, readChoice } from "../../frame/options.ts";
import type { ReportSettings } from "../../frame/show.ts";
import { readAssumptions, readPodSecurity } from "../check-admission.ts";
import { readTarget } from "./deprecations.ts";
import { readVariables } from "./inputs.ts";

export function readPlan(options: Options, { files }: Listing, { outputs }: ReportSettings): CheckPlan {
  const mode = options.flag("ignore-missing-schemas") ? "ignore" : (options.text("missing-schema") ?? "warn");
  return {
    files,
    engines: engineOptionsList(options.text("kube-version"), options.text("feature-gates")),
    fieldValidation: readChoice(
      "field-validation",
      options.text("field-validation") ?? "strict",
      FIELD_VALIDATION_MODES,
    ),
    isAligned: options.flag("aligned-errors"),
    missingSchema: readChoice("missing-schema", mode, MISSING_SCHEMA_MODES),
    podSecurity: readPodSecurity(options.text("pod-security")),
    old: options.texts("old"),
    wantsSubjects: outputs.some(({ format }) => format === "junit"),
    values: readVariables(options),
    deprecationsUpTo: readTarget(options),
    assumptions: readAssumptions(options),
  };
}
