/**
 * Deleting an object: at once, or by marking it while finalizers hold it.
 *
 * Follows Delete of apiserver pkg/registry/generic/registry/store.go.
 */
import type { DependentsPolicy } from "../builtin/kinds/kind.ts";
import { conflict, notFound, type StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { finalizersOf, metaText, withMeta } from "../value/metadata.ts";
import * as admission from "./admission.ts";
import { graceOf, isDeletionUnderWay } from "./deletion-progress.ts";
import { groupResourceOf, type ResourceKind } from "./kind.ts";
import { markDeleted } from "./mark-deleted.ts";
import * as messages from "./messages.ts";
import type { ReviewContext, Reviewed } from "./review-context.ts";
import type { DeleteOptions, DeleteWrite } from "./write.ts";

export async function reviewDelete(write: DeleteWrite, context: ReviewContext): Promise<Reviewed> {
  const { endpoint, name, deletion } = write;
  const live = await write.live();
  if (live === undefined) throw notFound(groupResourceOf(endpoint.type), name);
  checkPreconditions(endpoint.type, name, live, deletion);
  if (isDeletionUnderWay(endpoint.type, live, deletion)) return { object: live, isCreated: false };
  const subject = {
    operation: "DELETE",
    name: deletion.isCollection === true ? "" : name,
    object: undefined,
    old: live,
  } as const;
  await write.pause?.();
  await admission.mutate(write, subject, context);
  await admission.validate(write, subject, context);
  return { object: markedFor(write, live, context), isCreated: false };
}

/** What stays of the object for now; undefined if nothing has to. */
function markedFor({ endpoint, deletion }: DeleteWrite, live: JsonObject, context: ReviewContext) {
  const { strategy } = endpoint.type;
  const now = context.cluster.system.now();
  const begun = strategy.beginDelete?.(live, now);
  if (begun !== undefined) return begun;
  const grace = graceOf(live, deletion, strategy);
  const finalizers = finalizersAfter(live, deletion, strategy.dependentsPolicy);
  const object = withMeta(live, { finalizers: finalizers.length === 0 ? undefined : finalizers });
  if (grace > 0) return markDeleted(object, now, grace);
  return finalizers.length === 0 ? undefined : markDeleted(object, now);
}

function checkPreconditions(type: ResourceKind, name: string, live: JsonObject, options: DeleteOptions): void {
  const [uid, version] = [metaText(live, "uid"), metaText(live, "resourceVersion")];
  // CRDs check preconditions themselves, before the store does.
  const isCrd = type.group === CRD_GROUP && type.plural === CRD_PLURAL;
  const resource = isCrd ? type.plural : type.kind;
  const refuse = (cause: string): StatusError => conflict({ group: type.group, resource }, name, cause);
  if (options.uid !== undefined && options.uid !== uid) {
    const message = isCrd ? messages.crdPrecondition("UID", options.uid, uid) : undefined;
    throw refuse(message ?? messages.uidPrecondition(options.uid, uid));
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== version) {
    const message = isCrd ? messages.crdPrecondition("ResourceVersion", options.resourceVersion, version) : undefined;
    throw refuse(message ?? messages.versionPrecondition(options.resourceVersion, version));
  }
}

const CRD_GROUP = "apiextensions.k8s.io";
const CRD_PLURAL = "customresourcedefinitions";

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/** What the options say about dependents becomes a finalizer for the garbage collector. */
function finalizersAfter(object: JsonObject, options: DeleteOptions, policy: DependentsPolicy | undefined): string[] {
  const own = finalizersOf(object);
  const others = own.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const extra = policy === "none" ? undefined : dependentsFinalizer(own, options, policy);
  const wanted = extra === undefined ? others : [...others, extra];
  const isSame = wanted.length === own.length && wanted.every((name) => own.includes(name));
  return isSame ? own : wanted;
}

function dependentsFinalizer(own: readonly string[], options: DeleteOptions, policy: DependentsPolicy | undefined) {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? ORPHAN : undefined;
  switch (options.propagationPolicy) {
    case "Orphan":
      return ORPHAN;
    case "Foreground":
      return FOREGROUND;
    case "Background":
      return undefined;
    default:
      return own.find((name) => name === ORPHAN || name === FOREGROUND) ?? (policy === "orphan" ? ORPHAN : undefined);
  }
}
