/**
 * Read requests and malformed requests: any method on any path with any parameters and any Accept header, chosen so
 * that most of them are nearly valid.
 */

const ACCEPT = [
  undefined,
  "application/json",
  "application/yaml",
  "*/*",
  "application/*",
  "text/plain",
  "text/html,application/xhtml+xml",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json",
  "application/json;as=Table;v=v2;g=meta.k8s.io",
  "application/json;as=Nothing;v=v1;g=meta.k8s.io",
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
  "application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList",
  "application/json;q=0.1,application/yaml",
  "application/json;stream=watch",
  "application/json;stream=other",
  "application/xml",
  "application/json;pretty=1",
  ";;;",
  "application/vnd.kubernetes.protobuf,application/json",
];

const NAMES = [
  "a",
  "b",
  "c",
  "none",
  "UPPER",
  "a.b",
  "a%2Fb",
  "%20",
  "..",
  "a b".replace(" ", "%20"),
  "-x",
  "x".repeat(254),
];
const NAMESPACES = ["{{ns}}", "none", "kube-system", "UPPER", "%2e%2e", ""];
const KINDS = [
  "/apis/{{g}}/v1|widgets",
  "/apis/{{g}}/v2|widgets",
  "/apis/{{g}}/v1|gadgets",
  "/apis/{{g}}/v9|widgets",
  "/apis/{{g}}/v1|nothings",
  "/api/v1|configmaps",
  "/api/v1|pods",
  "/api/v1|namespaces",
  "/api/v1|services",
  "/api/v1|secrets",
  "/api/v1|nothings",
  "/api/v2|configmaps",
  "/apis/apps/v1|deployments",
  "/apis/apps/v1beta1|deployments",
  "/apis/rbac.authorization.k8s.io/v1|clusterroles",
  "/apis/apiextensions.k8s.io/v1|customresourcedefinitions",
  "/apis/none.example.com/v1|things",
];
const SUBRESOURCES = ["status", "scale", "nothing", "finalize", "token", "status/more", ""];
const PLAIN_PATHS = [
  "/api",
  "/api/",
  "/api/v1",
  "/api/v1/",
  "/api/v2",
  "/apis/{{g}}",
  "/apis/{{g}}/",
  "/apis/{{g}}/v1",
  "/apis/{{g}}/v9",
  "/apis/apps",
  "/apis/apps/v1",
  "/apis/apps/v9",
  "/apis/none.example.com",
  "/healthz",
  "/livez",
  "/readyz",
  "/healthz/ping",
  "/livez/ping",
  "/readyz/ping",
  "/readyz/nothing",
  "/livez/etcd",
  "/metrics/nothing",
  "/nothing",
  "/openapi",
  "/openapi/v4",
  "/openapi/v3/nothing",
  "/swagger.json",
  "/ui",
  "/logs",
  "/.well-known/nothing",
  "//api/v1",
  "/api//v1",
  "/api/v1/namespaces/{{ns}}/configmaps//a",
  "/%61pi/v1",
  "/api/v1?x=y",
  "/readyz?exclude=ping",
  "/livez?exclude=nothing",
];
const QUERIES = {
  limit: ["0", "1", "2", "500", "-1", "x", "99999999999999999999", "1.5", " 1"],
  continue: [
    "",
    "x",
    "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXHUwMDAwIn0",
    "e30",
    "bm90IGpzb24",
    "eyJ2IjoidjIifQ",
    "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiLi4vYSJ9",
  ],
  resourceVersion: ["", "0", "1", "-1", "x", "18446744073709551616", "99999999999", "1.0"],
  resourceVersionMatch: ["", "Exact", "NotOlderThan", "Other", "exact"],
  labelSelector: [
    "",
    "app=a",
    "app==a",
    "app!=a",
    "app in (a,b)",
    "app notin (a)",
    "app",
    "!app",
    "app=a,tier",
    "app in ()",
    "app in (",
    "=a",
    "app=a=b",
    "app,,b",
    "app>1",
    "app>x",
    "UPPER/app=a",
    "a/b/c=d",
    `app=${"x".repeat(64)}`,
    "app in (a b)",
    "app notin",
    ",",
    "app=a,",
    "  app  =  a  ",
    "x=-1",
    "!",
  ],
  fieldSelector: [
    "",
    "metadata.name=a",
    "metadata.name==a",
    "metadata.name!=a",
    "metadata.namespace={{ns}}",
    "metadata.namespace=none",
    "spec.color=red",
    "spec.size=1",
    "metadata.uid=x",
    "metadata.name",
    "=",
    "metadata.name=a,metadata.name=b",
    "metadata.name=a,spec.color!=red",
    "type=Opaque",
    "status.phase=Running",
    "spec.type=ClusterIP",
    "metadata.name=A%20B",
    "a=b\\,c",
    "metadata.name in (a)",
    "metadata.name=a,",
    ",",
    "metadata.name=\\",
  ],
  pretty: ["true", "false", "1", "0", "x", ""],
  includeObject: ["None", "Metadata", "Object", "Other", ""],
  exact: ["true"],
  export: ["true"],
  dryRun: ["All", "", "Other", "all", "None"],
  fieldManager: ["m", "", "x".repeat(129), "a\u0001b", "ä"],
  fieldValidation: ["Strict", "Warn", "Ignore", "Other", "", "strict"],
  gracePeriodSeconds: ["0", "1", "-1", "x", "30"],
  propagationPolicy: ["Background", "Foreground", "Orphan", "Other", ""],
  orphanDependents: ["true", "false", "x"],
  timeout: ["1s", "0", "x", "-1s", "35s", "1"],
  timeoutSeconds: ["0", "1", "-1", "x"],
  allowWatchBookmarks: ["true", "x"],
  sendInitialEvents: ["true", "false", "x"],
  watch: ["false", "0", "x1"],
  force: ["true", "false", "x"],
  nothing: ["x"],
};
const METHODS = [
  "GET",
  "GET",
  "GET",
  "GET",
  "GET",
  "GET",
  "HEAD",
  "OPTIONS",
  "DELETE",
  "POST",
  "PUT",
  "PATCH",
  "TRACE",
  "FOO",
];
const TYPES = [
  "application/json",
  undefined,
  "application/yaml",
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "text/plain",
  "application/vnd.kubernetes.protobuf",
  "application/json; charset=utf-8",
  "application/xml",
  "garbage",
];
const BODIES = [
  undefined,
  "",
  "{}",
  "[]",
  "null",
  "{",
  '{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"x"}}',
  '{"propagationPolicy":"Other"}',
  '{"gracePeriodSeconds":-1}',
  '{"kind":"Other","apiVersion":"v1"}',
  '{"metadata":{"labels":{"app":"z"}}}',
  '[{"op":"test","path":"/metadata/name","value":"zz"}]',
  '{"unknown":1}',
  '{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1","dryRun":["All"]}',
  '{"preconditions":{"resourceVersion":"1"}}',
  '{"apiVersion":"{{g}}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":"x"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a b":"c"}}',
];

/** Requests that could change something are sent with dryRun=All, so that all requests see the same objects. */
export function drawRequest(random) {
  const { below, bool, pick } = random;
  const method = pick(METHODS);
  const path = bool(0.2) ? pick(PLAIN_PATHS) : resourcePath(random);
  const query = [];
  const isWrite = !["GET", "HEAD", "OPTIONS"].includes(method);
  for (let count = below(4); count > 0; count--) {
    const name = pick(Object.keys(QUERIES));
    if (!(isWrite && name === "dryRun")) query.push([name, pick(QUERIES[name])]);
  }
  if (isWrite) query.push(["dryRun", "All"]);
  const isListLike = method === "GET";
  const body = isListLike ? undefined : pick(BODIES);
  const accept = bool(0.5) ? undefined : pick(ACCEPT);
  const type = body === undefined ? undefined : pick(TYPES);
  return { method, path, query, body, accept, type };
}

function resourcePath({ bool, pick }) {
  const [base, plural] = pick(KINDS).split("|");
  const isNamespaced = !["clusterroles", "customresourcedefinitions", "namespaces", "gadgets"].includes(plural);
  const within = bool(isNamespaced ? 0.75 : 0.1) ? `/namespaces/${bool(0.7) ? "{{ns}}" : pick(NAMESPACES)}` : "";
  const watch = bool(0.03) ? "/watch" : "";
  let path = `${base}${watch}${within}/${plural}`;
  if (bool(0.5)) path += `/${bool(0.7) ? pick(["a", "b", "c"]) : pick(NAMES)}`;
  if (bool(0.25)) path += `/${pick(SUBRESOURCES)}`;
  if (bool(0.05)) path += "/";
  return path;
}
