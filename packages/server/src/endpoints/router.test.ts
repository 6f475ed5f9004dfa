import { beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  DEFINITIONS,
  type Json,
  openClient,
  WIDGETS,
  widget,
  widgetDefinition,
} from "../app/app.testing.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const NOT_FOUND = "the server could not find the requested resource";
const NOT_ALLOWED = "the server does not allow this method on the requested resource";
const NO_PAGE = "404 page not found\n";

let api: Client;
beforeAll(async () => {
  api = await openClient();
  const definition = widgetDefinition();
  definition.spec.versions[1].deprecated = true;
  await api.post(DEFINITIONS, definition);
  await api.app.settled();
  await api.post(WIDGETS, widget("w"));
});

/** Without the fetch API, which cleans paths. */
async function ask(method: string, target: string, body?: unknown): Promise<{ code: number; json: Json }> {
  const headers: Record<string, string> = { authorization: "Bearer admin", "content-type": "application/json" };
  const response = await api.app.handle({
    method,
    target,
    header: (name) => headers[name],
    headerValues: (name) => [headers[name] ?? []].flat(),
    headerNames: () => Object.keys(headers),
    readBody: async () => new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
  });
  return { code: response.status, json: JSON.parse(String(response.body)) };
}

describe("built-in kinds: first the path, then the method, then the media types", () => {
  test.each([
    ["GET", "/api/v1/configmaps/a", 404, NOT_FOUND],
    ["PUT", "/apis/apps/v1/deployments/a", 404, NOT_FOUND],
    ["GET", `${MAPS}/a/nothing`, 404, NOT_FOUND],
    ["GET", "/api/v1/namespaces/default/nodes", 404, NOT_FOUND],
    ["GET", "/api/v1/watch/namespaces/default/configmaps/a/b", 404, NOT_FOUND],
    ["GET", "/apis//apps/v1", 404, NO_PAGE],
    ["GET", "//api/v1/pods", 404, NO_PAGE],
    ["POST", `${MAPS}/a`, 405, NOT_ALLOWED],
    ["OPTIONS", MAPS, 405, NOT_ALLOWED],
    ["PUT", "/api/v1/watch/configmaps", 405, NOT_ALLOWED],
    ["DELETE", "/api/v1", 405, NOT_ALLOWED],
    ["POST", "/apis/apps/v1/", 405, NOT_ALLOWED],
    ["POST", "/api", 405, NOT_ALLOWED],
  ])("%s %s is a %d", async (method, path, code, text) => {
    const answer = await api.send(method, path, { headers: { accept: "text/plain, application/json;q=0.1" } });
    expect([answer.code, answer.json?.message ?? answer.text]).toEqual([code, text]);
  });

  test.each([MAPS, `${MAPS}/a`, "/api/v1/namespaces/default", "/api", "/api/v1", "/apis/apps/v1"])(
    "HEAD %s is not a GET",
    async (path) => {
      expect((await api.send("HEAD", path)).code).toBe(405);
    },
  );

  test.each([
    { path: `${MAPS}/a`, types: "application/json, application/yaml, application/vnd.kubernetes.protobuf" },
    {
      path: MAPS,
      types:
        "application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
    },
    { path: "/api/v1", types: "application/json, application/yaml, application/vnd.kubernetes.protobuf" },
    { path: "/version", types: "application/json" },
  ])("$path does not support partial wildcards", async ({ path, types }) => {
    const { code, json } = await api.get(path, { headers: { accept: "application/*" } });
    expect([code, json.message]).toEqual([406, `406: Not Acceptable\n\nAvailable representations: ${types}`]);
  });
});

test("groups and versions of custom resources are returned for any method", async () => {
  for (const path of ["/apis", "/apis/apps", "/apis/example.com", "/apis/example.com/v1"]) {
    expect((await api.send("POST", path, { headers: { accept: "application/*" } })).code).toBe(200);
  }
});

test("a missing object is reported before an unacceptable media type", async () => {
  for (const path of ["/api/v2", "/apis/apps/v9", "/apis/none.example.com", "/apis/example.com/v9"]) {
    expect((await api.get(path, { headers: { accept: "text/plain" } })).code).toBe(404);
  }
});

describe("names in the path are validated after everything else has been read", () => {
  test.each([
    ["GET", `${MAPS}/%2e%2e`, undefined, "Name parameter invalid: \"..\": may not be '..'"],
    [
      "PUT",
      `${MAPS}/%2e%2e`,
      { metadata: { name: "x" } },
      "the name of the object (x) does not match the name on the URL (..)",
    ],
    ["PUT", `${MAPS}/%2e%2e`, { metadata: { name: ".." } }, "Name parameter invalid: \"..\": may not be '..'"],
    ["DELETE", `${MAPS}/%2e%2e`, [], expect.stringContaining("couldn't get version/kind; json parse error")],
    ["GET", "/api/v1/namespaces//configmaps/a", undefined, "Namespace parameter required."],
    ["GET", `${MAPS}/a?export=true`, undefined, "the export parameter, deprecated since v1.14, is no longer supported"],
    ["GET", `${MAPS}/a?export=false`, undefined, 'configmaps "a" not found'],
  ])("%s %s", async (method, path, body, message) => {
    expect((await ask(method, path, body)).json.message).toEqual(message);
  });

  test.each([
    [
      `${MAPS}/a?resourceVersion=x`,
      'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    ["/api/v1/namespaces/%2e%2e/configmaps/a", 'invalid key: "/configmaps/../a"'],
    ["/api/v1/namespaces/%2e%2e/configmaps", 'invalid key: "/configmaps/.."'],
    [WIDGETS.replace("/default/", "/%2e/"), 'invalid key: "/example.com/widgets/."'],
  ])("GET %s fails inside", async (path, message) => {
    const { code, json } = await ask("GET", path);
    expect([code, json.reason, json.message]).toEqual([500, undefined, message]);
  });
});

describe("field selectors", () => {
  test.each([
    [
      `${MAPS}?fieldSelector=spec.x=1`,
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      `${DEFINITIONS}?fieldSelector=spec.x=1`,
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ["/api/v1/pods?fieldSelector=spec.x=1", "field label not supported: spec.x"],
    ["/api/v1/nodes?fieldSelector=metadata.namespace=x", "field label not supported: metadata.namespace"],
    ["/apis/batch/v1/jobs?fieldSelector=spec.x=1", 'field label "spec.x" not supported for Job'],
    [
      "/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.x=1",
      "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.x",
    ],
  ])("%s is refused with the message of its kind", async (path, message) => {
    expect((await api.get(path)).json).toMatchObject({ code: 400, message });
  });

  test.each([
    `${MAPS}?fieldSelector==`,
    "/apis/rbac.authorization.k8s.io/v1/clusterroles?fieldSelector=metadata.namespace=x",
  ])("%s is accepted", async (path) => {
    expect((await api.get(path)).code).toBe(200);
  });
});

test.each([
  [MAPS, "PartialObjectMetadata", "a list (*core.ConfigMapList)"],
  [WIDGETS, "PartialObjectMetadata", "a list (*unstructured.UnstructuredList)"],
  ["/api/v1/namespaces/default", "PartialObjectMetadataList", "not a list (*core.Namespace)"],
])("%s as %s is refused by its Go type", async (path, as, text) => {
  const { json } = await api.get(path, { headers: { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` } });
  expect(json).toMatchObject({ code: 406, message: `you requested ${as}, but the requested object is ${text}` });
});

test("a deprecated version is reported even for unknown paths", async () => {
  const { code, warnings } = await api.get(`${WIDGETS.replace("/v1/", "/v2/")}/w/nothing`);
  expect([code, warnings]).toEqual([404, expect.stringContaining("example.com/v2 Widget is deprecated")]);
});

test("a watch cannot use a continue token", async () => {
  const { json } = await api.get(`${MAPS}?watch=1&continue=x`);
  expect(json.message).toContain("resourceVersionMatch is forbidden when continue is provided");
});

test("the index lists all paths", async () => {
  const { paths } = (await api.get("/")).json;
  expect(paths).toEqual(
    expect.arrayContaining(["/api/v1", "/apis/apps/v1", "/apis/example.com/v2", "/readyz/ping", "/version"]),
  );
});

test("long texts in YAML are folded at a space, as Go folds them", async () => {
  const path = `${MAPS}?sendInitialEvents=true`;
  const { text } = await api.get(path, { headers: { accept: "application/yaml" } });
  expect(text).toContain(
    "message: 'ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents\n  is forbidden for list'\n",
  );
});

describe("a body of another kind", () => {
  const convert = (from: string, to: string): string => `converting (${from}) to (${to}): unknown conversion`;
  const unknown = (kind: string, version: string, scheme: string): string =>
    `no kind "${kind}" is registered for version "${version}" in scheme "${scheme}"`;
  const definitions = "k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55";
  const builtIn = "pkg/api/legacyscheme/scheme.go:30";

  test.each([
    { path: DEFINITIONS, kind: "Other", apiVersion: "v1", text: unknown("Other", "v1", definitions) },
    {
      path: DEFINITIONS,
      kind: "Status",
      apiVersion: "v1",
      text: convert("v1.Status", "apiextensions.CustomResourceDefinition"),
    },
    {
      path: DEFINITIONS,
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v2",
      text: unknown("CustomResourceDefinition", "apiextensions.k8s.io/v2", definitions),
    },
    { path: MAPS, kind: "Secret", apiVersion: "v1", text: convert("v1.Secret", "core.ConfigMap") },
    { path: MAPS, kind: "Other", apiVersion: "meta.k8s.io/v1", text: unknown("Other", "meta.k8s.io/v1", builtIn) },
  ])(
    "$kind of $apiVersion to $path is refused with the message for its kind",
    async ({ path, kind, apiVersion, text }) => {
      const { code, json } = await api.post(path, { kind, apiVersion, metadata: { name: "x" } });
      expect([code, json.message]).toEqual([400, expect.stringContaining(text)]);
    },
  );

  test("a patch cannot change the kind of an object", async () => {
    await api.post(MAPS, { metadata: { name: "patched" } });
    const { code, json } = await api.patch(`${MAPS}/patched`, { kind: "Secret" });
    expect([code, json.message]).toEqual([422, expect.stringContaining(convert("v1.Secret", "core.ConfigMap"))]);
    for (const version of ["v2", "v1beta1"]) {
      const apiVersion = `apiextensions.k8s.io/${version}`;
      expect((await api.patch(`${DEFINITIONS}/widgets.example.com`, { apiVersion })).code).toBe(422);
    }
  });
});

test("the server owns the status of CRDs", async () => {
  const { metadata } = (await api.get(`${DEFINITIONS}/widgets.example.com`)).json;
  const status = metadata.managedFields.find(({ subresource }: Json) => subresource === "status");
  expect(status).toMatchObject({ manager: "kube-apiserver", operation: "Update" });
  expect(Object.keys(status.fieldsV1)).toEqual(["f:status"]);
});

test("a deletion may have its preconditions in the query", async () => {
  await api.post(MAPS, { metadata: { name: "kept" } });
  for (const query of ["uid=x", "resourceVersion=1"]) {
    expect((await api.delete(`${MAPS}/kept?${query}`)).code).toBe(409);
  }
});

test("metadata of nothing is null", async () => {
  const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  const { json } = await api.get("/api/v1/pods", { headers: { accept } });
  expect(json.items).toBeNull();
});
