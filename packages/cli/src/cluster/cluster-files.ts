/** CRDs and policies of a cluster, as the files of a source. */
import type { SourceFile } from "@portcullis/checker/internal/input/sources";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { objectOf, objectsOf } from "@portcullis/engine/internal/value/read";
import { withMember, withoutMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import type { ClusterClient } from "./client.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1";
const ADMISSION = "admissionregistration.k8s.io";
const RBAC = "rbac.authorization.k8s.io/v1";

/** All CRDs, or the one of this name. */
export async function clusterCrds(client: ClusterClient, name: string): Promise<readonly SourceFile[]> {
  const path = `${CRDS}/customresourcedefinitions`;
  const found = name === "" ? await client.list(path) : [await client.get(`${path}/${encodeURIComponent(name)}`)];
  const crds = found.filter((each) => each !== undefined);
  if (crds.length === 0 && name !== "") throw new UsageError(`the cluster has no CRD \`${name}\``);
  return crds.map((crd) => asFile(crd, "apiextensions.k8s.io/v1", "CustomResourceDefinition"));
}

/** All policies, or the one of this name, with bindings, params, CRDs, namespaces, and roles where policies read them. */
export async function clusterPolicies(client: ClusterClient, name: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  const bindings: Binding[] = [];
  let text = "";
  for (const kind of ["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"]) {
    const policies = (await listVersions(client, kind)).filter(
      (each) => name === "" || metaText(each, "name") === name,
    );
    const paramKinds = new Map(policies.map((each) => [metaText(each, "name"), objectOf(each["spec"])["paramKind"]]));
    const bound = await listVersions(client, `${kind}Binding`);
    const own = bound.filter((each) => paramKinds.has(textOf(objectOf(each["spec"])["policyName"])));
    for (const binding of own) {
      const paramKind = paramKinds.get(textOf(objectOf(binding["spec"])["policyName"]));
      if (isObject(paramKind)) bindings.push({ paramKind, paramRef: objectOf(objectOf(binding["spec"])["paramRef"]) });
    }
    for (const object of [...policies, ...own])
      files.push(asFile(object, textOf(object["apiVersion"]), textOf(object["kind"])));
    text += policies.map((each) => canonicalJson(each)).join("");
  }
  if (files.length === 0)
    throw new UsageError(name === "" ? "the cluster has no policies" : `the cluster has no policy \`${name}\``);
  return [
    ...files,
    ...(await clusterCrds(client, "")),
    ...(await listFiles(client, "v1", ["Namespace", "namespaces"])),
    ...(await paramFiles(client, bindings)),
    ...(text.includes("authorizer") ? await roleFiles(client) : []),
  ];
}

interface Binding {
  readonly paramKind: JsonObject;
  readonly paramRef: JsonObject;
}

/** The newest version that the cluster serves with objects. */
async function listVersions(client: ClusterClient, kind: string): Promise<readonly JsonObject[]> {
  const plural = kind.endsWith("Policy") ? `${kind.slice(0, -1).toLowerCase()}ies` : `${kind.toLowerCase()}s`;
  for (const version of ["v1", "v1beta1", "v1alpha1"]) {
    const items = await client.list(`/apis/${ADMISSION}/${version}/${plural}`);
    if (items.length > 0) return items.map((item) => typed(item, `${ADMISSION}/${version}`, kind));
  }
  return [];
}

type KindAndPlural = readonly [kind: string, plural: string];

async function listFiles(
  client: ClusterClient,
  apiVersion: string,
  [kind, plural]: KindAndPlural,
): Promise<SourceFile[]> {
  const items = await client.list(`${rootOf(apiVersion)}/${plural}`);
  return items.map((item) => asFile(item, apiVersion, kind));
}

function rootOf(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

async function roleFiles(client: ClusterClient): Promise<SourceFile[]> {
  const kinds = ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];
  const lists = kinds.map((kind) => listFiles(client, RBAC, [kind, `${kind.toLowerCase()}s`]));
  return (await Promise.all(lists)).flat();
}

/** What the bindings name; a selector may name any object of the kind. */
async function paramFiles(client: ClusterClient, bindings: readonly Binding[]): Promise<SourceFile[]> {
  const files = new Map<string, SourceFile>();
  for (const { paramKind, paramRef } of bindings) {
    const [apiVersion, kind] = [textOf(paramKind["apiVersion"]), textOf(paramKind["kind"])];
    const resource = await resourceOf(client, apiVersion, kind);
    // A policy whose params are of an unknown kind is broken; evaluating it reports that.
    if (resource === undefined) continue;
    const namespace = textOf(paramRef["namespace"]);
    const within = resource.isNamespaced && namespace !== "" ? `/namespaces/${encodeURIComponent(namespace)}` : "";
    const path = `${rootOf(apiVersion)}${within}/${resource.plural}`;
    const name = textOf(paramRef["name"]);
    const isOne = name !== "" && (within !== "" || !resource.isNamespaced);
    const found = isOne ? [await client.get(`${path}/${encodeURIComponent(name)}`)] : await client.list(path);
    for (const object of found.filter((each) => each !== undefined)) {
      const file = asFile(object, apiVersion, kind);
      files.set(file.file, file);
    }
  }
  return [...files.values()];
}

interface ServedResource {
  readonly plural: string;
  readonly isNamespaced: boolean;
}

async function resourceOf(
  client: ClusterClient,
  apiVersion: string,
  kind: string,
): Promise<ServedResource | undefined> {
  const discovered = objectOf(await client.get(rootOf(apiVersion)));
  const found = objectsOf(discovered["resources"]).find(
    (each) => each["kind"] === kind && !textOf(each["name"]).includes("/"),
  );
  return found && { plural: textOf(found["name"]), isNamespaced: found["namespaced"] === true };
}

/** Items of lists may omit version and kind. */
function typed(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  return Object.assign(newObject(), { apiVersion, kind }, object);
}

function asFile(object: JsonObject, apiVersion: string, kind: string): SourceFile {
  const meta = withoutMember(objectOf(object["metadata"]), "managedFields");
  const place = [metaText(object, "namespace"), metaText(object, "name")].filter((each) => each !== "").join("/");
  const text = canonicalJson(withMember(typed(object, apiVersion, kind), "metadata", meta), {
    keepFloats: true,
    escapeHtml: false,
  });
  return { file: `kube:${kind}/${place}`, text };
}
