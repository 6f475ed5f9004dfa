/** `check --policies`: policies take part in the review of every object. */
import type { Admission, AdmissionOptions, RequestDefaults } from "@portcullis/checker/internal/check/admission";
import type { CheckPlan, MakeChecker } from "@portcullis/checker/internal/check/chunk";
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import type { Texts } from "@portcullis/checker/internal/check/texts";
import { readObjects } from "@portcullis/checker/internal/input/objects";
import type { Inputs } from "@portcullis/checker/internal/input/text";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { Options } from "../../frame/options.ts";
import { showsWebhooks } from "../check-admission.ts";
import { OPERATION_OPTION, readOperation, readUser, USER_OPTIONS } from "../policy/request-options.ts";

/** Loaded lazily: most checks have no policies. */
export async function policyChecker(
  texts: Texts,
  policies: Inputs,
  { files, engines, podSecurity }: CheckPlan,
  { user, operation, showsWebhooks: shows, bind }: RequestDefaults & Pick<AdmissionOptions, "showsWebhooks" | "bind">,
): Promise<Pick<Admission, "problems" | "names"> & { readonly makeChecker: MakeChecker }> {
  const documents = files.flatMap((input, index) => {
    const found = readObjects(input, texts.at(index)).documents;
    return input.isReference === true ? found.filter(isDefinition) : found;
  });
  const { buildAdmission, policyReview } = await import("@portcullis/checker/internal/check/admission");
  const { Checker } = await import("@portcullis/checker/internal/check/checker");
  const { problems, names, clusterFor } = await buildAdmission(policies.documents, documents, engines, {
    podSecurity,
    showsWebhooks: shows === true,
    bind,
  });
  const makeChecker: MakeChecker = (engine, options, chosen) => {
    const cluster = clusterFor(engine, chosen);
    return new Checker(cluster.cluster, {
      ...options,
      user,
      operation,
      policies: policyReview(cluster, { showsWebhooks: shows === true }),
    });
  };
  return { problems, names, makeChecker };
}

/** What policies see of every request. */
export function requestDefaults(options: Options): RequestDefaults {
  return { user: readUser(options), operation: readOperation(options) };
}

/** Options that only policies read would have no effect without them. */
export function refuseUnused(options: Options): void {
  if (options.texts("policies").length > 0) return;
  const names = ["bind", ...Object.keys(USER_OPTIONS), ...Object.keys(OPERATION_OPTION)];
  const unused = names.find((name) => options.texts(name).length > 0);
  if (unused !== undefined && !showsWebhooks(options)) throw new UsageError(`\`--${unused}\` needs \`--policies\``);
}
