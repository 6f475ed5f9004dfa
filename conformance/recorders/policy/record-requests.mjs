/**
 * Sends every request twice: once before any policy exists, to learn the object as policies will see it, and once with
 * all policies of all cases active.
 */
import { inParallel, pause } from "./live.mjs";
import { requestCases } from "./requests.mjs";

const PARALLEL = 8;
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";

export async function recordRequests(server, only) {
  const run = Date.now().toString(36);
  const cases = requestCases
    .filter(({ id }) => id.includes(only))
    .map((each, index) => named(each, liveName(run, index)));
  const created = [];
  const add = async (path, object) => {
    const stored = await server.must("POST", path, { body: object });
    created.push(`${path}/${stored.metadata.name}`);
    return stored;
  };
  try {
    await inParallel(cases, PARALLEL, (each) => prepare(server, add, each));
    await pause(1500);
    await inParallel(cases, PARALLEL, (each) => observe(server, each));
    const refused = await inParallel(cases, PARALLEL, (each) =>
      activate(add, each).catch((error) => `${each.id}: ${error.message}`),
    );
    if (refused.some(Boolean)) throw new Error(refused.filter(Boolean).join("\n"));
    await pause(6000);
    await inParallel(cases, PARALLEL, (each) => ask(server, each, run));
    await pause(500);
    const annotations = server.annotations();
    return cases.map((each, index) => {
      const recorded = finished(each, annotations.get(`${run}-${each.id}`) ?? {});
      return JSON.parse(JSON.stringify(recorded).replaceAll(liveName(run, index), recordedName(index)));
    });
  } finally {
    await inParallel(created.reverse(), PARALLEL, (path) => discard(server, path));
  }
}

/** Namespaces stay until their finalizer is removed, and no controller does that here. */
async function discard(server, path) {
  const [, name] = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(path) ?? [];
  await server.request("DELETE", path);
  if (name === undefined) return;
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: { finalizers: [] } };
  await server.request("PUT", `${path}/finalize`, { body });
}

/** Leftovers of other runs do not matter; in the corpus names are always the same and of the same length. */
function liveName(run, index) {
  return `q${run.slice(-4)}${String(index).padStart(4, "0")}`;
}

function recordedName(index) {
  return liveName("case", index);
}

function named(each, name) {
  return JSON.parse(JSON.stringify(each).replaceAll("{{n}}", name));
}

/** Everything the case needs except for its policies. */
async function prepare(server, add, each) {
  each.namespaces = await inOrder(each.namespaces, (object) => add("/api/v1/namespaces", object));
  for (const object of each.definitions ?? []) {
    await add("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", object);
    await established(server, object);
  }
  each.params = await inOrder(each.params, (object) => add(collectionOf(object), object));
  await inOrder(each.rbac, (object) => add(rbacPath(object), object));
  await prepareOld(server, add, each);
  each.namespaces = each.namespaces.map(clean);
  each.params = each.params.map(clean);
}

async function prepareOld(server, add, each) {
  const { oldObject, object, subresource } = each.request;
  if (oldObject === undefined) return;
  const stored = await add(collectionOf(oldObject), oldObject);
  if (object !== undefined) object.metadata.resourceVersion = stored.metadata.resourceVersion;
  each.request.oldObject = clean(subresource ? await server.must("GET", httpOf(each).path) : stored);
}

async function inOrder(items = [], run) {
  const results = [];
  for (const item of items) results.push(await run(item));
  return results;
}

async function established(server, { metadata, spec }) {
  for (let attempt = 0; attempt < 400; attempt++) {
    const { body } = await server.request(
      "GET",
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`,
    );
    const isEstablished = body.status?.conditions?.some(
      ({ type, status }) => type === "Established" && status === "True",
    );
    const all = spec.versions.map(({ name }) =>
      server.request("GET", `/apis/${spec.group}/${name}/${spec.names.plural}`),
    );
    if (isEstablished && (await Promise.all(all)).every(({ code }) => code === 200)) return;
    await pause(50);
  }
  throw new Error(`${metadata.name} is not served`);
}

const BUILT_IN = {
  ConfigMap: "configmaps",
  Secret: "secrets",
  Namespace: "namespaces",
  ClusterRole: "clusterroles",
  Widget: "widgets",
};

function collectionOf({ apiVersion, kind, metadata }) {
  const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = metadata.namespace === undefined ? "" : `/namespaces/${metadata.namespace}`;
  return `${base}${scope}/${BUILT_IN[kind]}`;
}

function rbacPath({ kind, metadata }) {
  const plural = `${kind.toLowerCase()}s`;
  return metadata.namespace === undefined ? `${RBAC}/${plural}` : `${RBAC}/namespaces/${metadata.namespace}/${plural}`;
}

/** Removes values that differ between runs; expressions of cases do not read them. */
function clean(object) {
  const { managedFields, resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The request as HTTP: its path and method. */
function httpOf({ request }) {
  const { operation, object, oldObject, subresource, collection, resource } = request;
  const reference = object ?? oldObject;
  const version = resource.group === "" ? "/api/v1" : `/apis/${resource.group}/${resource.version}`;
  const scope = reference.metadata.namespace === undefined ? "" : `/namespaces/${reference.metadata.namespace}`;
  const base = `${version}${scope}/${resource.resource}`;
  if (operation === "CREATE") return { method: "POST", path: base };
  if (operation === "DELETE")
    return { method: "DELETE", path: collection ? base : `${base}/${reference.metadata.name}` };
  return { method: "PUT", path: `${base}/${reference.metadata.name}${subresource ? `/${subresource}` : ""}` };
}

async function send(server, each, { mark, user = "admin", dryRun = true }) {
  const { method, path } = httpOf(each);
  const query = {
    ...(dryRun && { dryRun: "All" }),
    ...(each.request.collection && { labelSelector: `case=${each.request.oldObject.metadata.labels.case}` }),
  };
  return server.request(method, path, { body: each.sent, query, user, mark });
}

/** The object as the server stores it. */
async function observe(server, each) {
  const { request } = each;
  each.sent = request.object;
  if (request.object === undefined) return;
  const found = await send(server, each, { mark: "recorder" });
  if (found.code >= 300) throw new Error(`${each.id}: refused before any policy: ${found.body.message}`);
  request.object = clean(found.body);
}

async function activate(add, { policies, bindings }) {
  for (const object of policies) await add(`${ADMISSION}/validatingadmissionpolicies`, object);
  for (const object of bindings) await add(`${ADMISSION}/validatingadmissionpolicybindings`, object);
}

async function ask(server, each, run) {
  const { user = "admin", dryRun = true } = each.request;
  const found = await send(server, each, { mark: `${run}-${each.id}`, user, dryRun });
  if (!dryRun && found.code < 300) await server.request("DELETE", `${httpOf(each).path}/${found.body.metadata.name}`);
  each.expect = steadyName(outcome(found), found.body.details?.name, each.request.object?.metadata.name);
}

/** A generated name differs each time. */
function steadyName(expected, found, wanted) {
  if (found === undefined || wanted === undefined) return expected;
  return JSON.parse(JSON.stringify(expected).replaceAll(found, wanted));
}

function outcome({ code, body, warnings }) {
  if (code < 300) return { allowed: true, warnings };
  return { allowed: false, code, reason: body.reason, message: body.message, details: body.details, warnings };
}

const NOT_OURS = /^authorization\.k8s\.io\/|^apiserver\.latency\.k8s\.io\/|^pod-security/;

function finished({ sent, ...each }, annotations) {
  const { object, oldObject, operation, collection } = each.request;
  const { name, namespace = "" } = (object ?? oldObject).metadata;
  const isNamespace = each.request.kind.kind === "Namespace";
  const request = {
    ...each.request,
    name: collection ? "" : name,
    namespace: isNamespace ? name : namespace,
    subresource: each.request.subresource ?? "",
    user: each.request.user ?? { name: "admin", uid: "admin", groups: ["system:masters"] },
    dryRun: each.request.dryRun ?? true,
  };
  const audit = Object.fromEntries(Object.entries(annotations).filter(([key]) => !NOT_OURS.test(key)));
  return { ...each, request: { ...request, operation }, expect: { ...each.expect, audit } };
}
