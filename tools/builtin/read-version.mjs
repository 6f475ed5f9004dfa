/** What one version of Kubernetes serves by default, and the Go types of it. */

/** Kinds that are not resources but are sent or answered. */
const EXTRA_KINDS = [
  "/v1/DeleteOptions",
  "/v1/List",
  "/v1/Status",
  "/v1/WatchEvent",
  "meta.k8s.io/v1/PartialObjectMetadata",
  "meta.k8s.io/v1/PartialObjectMetadataList",
];

const OWN_GROUPS = /(^[a-z]*$)|\.k8s\.io$/;
/** Beta versions that were served before betas were off by default. */
const OLD_BETAS = /^flowcontrol\.apiserver\.k8s\.io\/v1beta3$/;

/** `show` reads a file of a tag, `dumpTypes` the structs of the Go modules. */
export function readVersion({ minor, tag, modules }, { show, dumpTypes }) {
  const resources = readResources(tag, show);
  const schemas = readSchemas(tag, show);
  const dump = dumpTypes(modules, kindsOf(resources));
  const types = Object.fromEntries(Object.keys(dump.types).map((key) => [key, typeLines(key, dump.types, schemas)]));
  return { minor, tag, modules, resources: resources.map(resourceText), kinds: dump.kinds, types };
}

function readResources(tag, show) {
  const lists = ["aggregated_v2.json", "aggregated_v2beta1.json"].map((name) => show(tag, `api/discovery/${name}`));
  const all = JSON.parse(lists.find((text) => text !== undefined)).items;
  const core = coreGroup(tag, show);
  return [core, ...all].flatMap((group) => {
    const name = group.metadata.name ?? "";
    if (!OWN_GROUPS.test(name)) return [];
    return group.versions
      .filter(({ version }) => /^v\d+$/.test(version) || OLD_BETAS.test(`${name}/${version}`))
      .flatMap(({ version, resources }) => resources.map((each) => toResource(each, name, version)));
  });
}

/** The aggregated document of the core group is not in the tag; its list of resources is. */
function coreGroup(tag, show) {
  const { resources } = JSON.parse(show(tag, "api/discovery/api__v1.json"));
  const parents = resources.filter(({ name }) => !name.includes("/"));
  return {
    metadata: {},
    versions: [{ version: "v1", resources: parents.map((parent) => aggregated(parent, resources)) }],
  };
}

function aggregated(parent, resources) {
  const subresources = resources.filter(({ name }) => name.startsWith(`${parent.name}/`));
  return {
    resource: parent.name,
    singularResource: parent.singularName,
    responseKind: { group: "", version: "v1", kind: parent.kind },
    scope: parent.namespaced ? "Namespaced" : "Cluster",
    shortNames: parent.shortNames,
    categories: parent.categories,
    verbs: parent.verbs,
    subresources:
      subresources.length === 0
        ? undefined
        : subresources.map(({ name, kind, group = "", version = "v1", verbs }) => ({
            subresource: name.slice(parent.name.length + 1),
            responseKind: { group, version, kind },
            verbs,
          })),
  };
}

function toResource(each, group, version) {
  const { kind } = each.responseKind;
  const { resource: plural, singularResource: singular, scope, shortNames, categories, verbs } = each;
  return {
    group,
    version,
    kind,
    plural,
    singular,
    namespaced: scope === "Namespaced",
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    verbs: verbs.join(" "),
    subresources: (each.subresources ?? []).map((sub) => [
      sub.subresource,
      [sub.responseKind.group || group, sub.responseKind.version || version, sub.responseKind.kind].join("/"),
      sub.verbs.join(" "),
    ]),
  };
}

function resourceText({ group, version, kind, plural, singular, namespaced, ...resource }) {
  const { shortNames, categories, verbs, subresources } = resource;
  const names = [group, version, kind, plural, singular, namespaced ? "N" : "C"];
  const first = [...names, shortNames.join(","), categories.join(","), verbs].join("|");
  return { first, subresources: subresources.map((sub) => sub.join("|")) };
}

function kindsOf(resources) {
  const kinds = new Set(EXTRA_KINDS);
  for (const { group, version, kind, verbs, subresources } of resources) {
    kinds.add(`${group}/${version}/${kind}`);
    if (verbs.split(" ").includes("list")) kinds.add(`${group}/${version}/${kind}List`);
    for (const [, sub] of subresources) kinds.add(sub);
  }
  return [...kinds].sort();
}

function readSchemas(tag, show) {
  const all = {};
  const paths = JSON.parse(show(tag, "api/discovery/apis.json")).groups.flatMap(({ versions }) =>
    versions.map(({ groupVersion }) => `apis__${groupVersion.replace("/", "__")}`),
  );
  for (const name of ["api__v1", ...paths]) {
    const text = show(tag, `api/openapi-spec/v3/${name}_openapi.json`);
    if (text !== undefined) Object.assign(all, JSON.parse(text).components?.schemas);
  }
  return all;
}

/** The Go name, how the whole is applied, and the fields. */
function typeLines(key, types, schemas) {
  const { go, fields } = types[key];
  const schema = schemas[schemaName(key)] ?? inliningSchema(key, types, schemas);
  return { go, apply: mapCode(schema ?? {}), fields: fields.map((field) => fieldText(field, schema)) };
}

/** The schema of a struct that is only ever inlined: that of the struct it is inlined into. */
function inliningSchema(key, types, schemas) {
  const outer = Object.keys(types)
    .sort()
    .find((name) => types[name].fields.some(({ inline, type }) => inline && type === `@${key}`));
  return outer === undefined ? undefined : schemas[schemaName(outer)];
}

/** k8s.io/api/apps/v1.Deployment is io.k8s.api.apps.v1.Deployment. */
function schemaName(key) {
  const [host, ...rest] = key.split("/");
  return [...host.split(".").reverse(), ...rest].join(".");
}

function fieldText(field, schema) {
  const property = schema?.properties?.[field.json] ?? {};
  const flags = [
    field.omitempty ? "e" : "",
    field.omitzero ? "z" : "",
    field.inline ? "n" : "",
    schema?.required?.includes(field.json) ? "r" : "",
  ].join("");
  const proto = /,(\d+),/.exec(field.proto ?? "")?.[1] ?? "";
  const strategies = [field.patchStrategy ?? "", field.patchMergeKey ?? ""];
  const apply = listCode(property) + mapCode(property);
  const value = property.default === undefined ? "" : JSON.stringify(property.default);
  return { name: field.json, type: field.type, rest: [flags, proto, ...strategies, apply, value] };
}

function listCode(schema) {
  const type = schema["x-kubernetes-list-type"];
  if (type === "map") return `m${schema["x-kubernetes-list-map-keys"].join(",")}`;
  return { atomic: "a", set: "s" }[type] ?? "";
}

function mapCode(schema) {
  return { atomic: "A", granular: "G" }[schema["x-kubernetes-map-type"]] ?? "";
}
