/** Quantities, old objects, metadata and what kinds guarantee. Settled by reasoning; see `proof-pair.ts` for the short form. */
import { rule } from "./proof-pair.ts";
import type { ServerRow } from "./proof-rows.ts";

const on = (resource: string, ...operations: string[]) => ({ rules: [rule(resource, operations)] });
const IG = { fp: "Ignore" };
const F = "false",
  T = "true";
const Q = "quantity(object.spec.budget)";
const w = (c: string) => ({ e: `!has(object.spec.budget) || ${c}` });
const wi = (c: string) => ({ ...IG, e: c });
const CPU = "object.spec.containers.all(c, !has(c.resources.limits) || !('cpu' in c.resources.limits) || ";
const MEM = "object.spec.containers.all(c, !has(c.resources.limits) || !('memory' in c.resources.limits) || ";
const cpu = (c: string) => ({ e: `${CPU}${c.replaceAll("@", "c.resources.limits.cpu")})` });
const mem = (c: string) => ({ e: `${MEM}${c.replaceAll("@", "c.resources.limits.memory")})` });
const port = (c: string) => ({ e: `!has(object.spec.port) || ${c.replaceAll("@", "object.spec.port")}` });
const up = (c: string, r = "widgets") => ({ e: c, ...on(r, "UPDATE") });

// biome-ignore format: a table
export const KIND_ROWS: readonly ServerRow[] = [
  ["quantity less or equal", "widgets", w(`${Q}.compareTo(quantity('1')) <= 0`), w(`!${Q}.isGreaterThan(quantity('1'))`), "none", "none"],
  ["quantity equal", "widgets", w(`${Q} == quantity('1')`), w(`${Q}.compareTo(quantity('1000m')) == 0`), "none", "none"],
  ["quantity text equal", "widgets", w(`${Q} == quantity('1')`), w(`object.spec.budget == '1'`), "some", "none"],
  ["quantity flipped", "widgets", wi(`quantity('1').isGreaterThan(${Q})`), wi(`${Q}.isLessThan(quantity('1'))`), "none", "none"],
  ["quantity bounds", "widgets", wi(`${Q}.isLessThan(quantity('100m'))`), wi(`${Q}.isLessThan(quantity('0.2'))`), "none", "some"],
  ["quantity 1Ki", "widgets", wi(`${Q}.isLessThan(quantity('1Ki'))`), wi(`${Q}.isLessThan(quantity('1024'))`), "none", "none"],
  ["cpu texts", "pods", cpu("@ in ['1', '2']"), cpu("@ in ['1', '2', '2000m']"), "none", "none"],
  ["memory texts", "pods", mem("@ != '1024Mi'"), mem("@ != '1Gi'"), "some", "none"],
  ["memory that is not canonical", "pods", mem("@ != '1024Mi'"), mem("true"), "none", "none"],
  ["memory in decimal", "pods", mem("@ != '1000M'"), mem("true"), "none", "none"],
  // int or string
  ["port by type", "widgets", port("type(@) == int && @ == 80"), port("@ == 80"), "none", "some"],
  ["port by type string", "widgets", port("type(@) == string || @ < 1024"), port("@ < 1024 || type(@) == string"), "none", "none"],
  ["port is not a text", "widgets", port("type(@) != string"), port("type(@) == int || type(@) == double"), "none", "none"],
  ["port and http", "widgets", port("@ != 'http'"), port("!(type(@) == string && @ == 'http')"), "none", "none"],
  ["target port of a service", "services", { e: "!has(object.spec.ports) || object.spec.ports.all(p, type(p.targetPort) == int || type(p.targetPort) == string)" }, { e: T }, "none", "none"],
  ["target port is an int", "services", { e: "!has(object.spec.ports) || object.spec.ports.all(p, type(p.targetPort) == int)" }, { e: "!has(object.spec.ports) || object.spec.ports.all(p, type(p.targetPort) != string)" }, "none", "none"],
  // old object
  ["an immutable field", "widgets", up("object.spec.tier == oldObject.spec.tier"), up("!(object.spec.tier != oldObject.spec.tier)"), "none", "none"],
  ["an immutable field in a condition", "widgets", up("object.spec.tier == oldObject.spec.tier"), { e: F, mc: ["object.spec.tier != oldObject.spec.tier"], ...on("widgets", "UPDATE") }, "none", "none"],
  ["immutable once set", "widgets", up("!has(oldObject.spec.title) || (has(object.spec.title) && object.spec.title == oldObject.spec.title)"), up("oldObject.spec.?title.hasValue() ? object.spec.?title == oldObject.spec.?title : true"), "none", "none"],
  ["growing", "widgets", up("object.spec.replicas >= oldObject.spec.replicas"), up("!(object.spec.replicas < oldObject.spec.replicas)"), "none", "none"],
  ["names do not change", "configmaps", up("object.metadata.name == oldObject.metadata.name && object.metadata.namespace == oldObject.metadata.namespace", "configmaps"), up(T, "configmaps"), "none", "none"],
  ["the uid does not change", "configmaps", up("object.metadata.uid == oldObject.metadata.uid", "configmaps"), up(T, "configmaps"), "none", "none"],
  ["creation time does not change", "configmaps", up("object.metadata.creationTimestamp == oldObject.metadata.creationTimestamp", "configmaps"), up(T, "configmaps"), "none", "none"],
  ["labels may change", "configmaps", up("object.metadata.labels == oldObject.metadata.labels", "configmaps"), up(T, "configmaps"), "none", "some"],
  ["the image of a pod may change", "pods", up("object.spec.containers[0].image == oldObject.spec.containers[0].image", "pods"), up(T, "pods"), "none", "some"],
  ["the type of a secret", "secrets", up("object.type == oldObject.type", "secrets"), up(T, "secrets"), "none", "none"],
  ["an update that changes nothing", "configmaps", up("object == oldObject", "configmaps"), up(F, "configmaps"), "some", "none"],
  ["status writes keep the spec", "widgets", { e: "object.spec == oldObject.spec", rules: [rule("widgets/status", ["UPDATE"])] }, { e: T, rules: [rule("widgets/status", ["UPDATE"])] }, "none", "none"],
  ["writes keep the status", "widgets", { e: "object.?status == oldObject.?status", ...on("widgets", "UPDATE") }, { e: T, ...on("widgets", "UPDATE") }, "none", "none"],
  ["a new object has no status", "widgets", { e: "!has(object.status)", ...on("widgets", "CREATE") }, { e: T, ...on("widgets", "CREATE") }, "none", "none"],
  ["a deletion timestamp on update", "configmaps", { e: "!has(object.metadata.deletionTimestamp)", ...on("configmaps", "UPDATE") }, { e: T, ...on("configmaps", "UPDATE") }, "none", "some"],
  // gaps
  ["ephemeral containers", "pods", { e: "object.spec.containers.all(c, !c.?securityContext.?privileged.orValue(false))", rules: [rule("pods"), rule("pods/ephemeralcontainers", ["UPDATE"])] }, { e: "(object.spec.containers + object.spec.?ephemeralContainers.orValue([])).all(c, !c.?securityContext.?privileged.orValue(false))", rules: [rule("pods"), rule("pods/ephemeralcontainers", ["UPDATE"])] }, "some", "none"],
  ["creates only against both", "pods", { e: "!has(object.spec.hostNetwork)", ...on("pods", "CREATE") }, { e: "!has(object.spec.hostNetwork)" }, "some", "none"],
  ["immutable on update: no gap", "deployments", { e: "object.spec.selector.matchLabels.app == 'x'", ...on("deployments", "CREATE") }, { e: "object.spec.selector.matchLabels.app == 'x'" }, "some", "none"],
  ["templates in deployments too", "pods", { e: "!has(object.spec.hostNetwork)" }, { e: "object.kind == 'Pod' ? !has(object.spec.hostNetwork) : !has(object.spec.template.spec.hostNetwork)", rules: [rule("pods"), rule("deployments")] }, "some", "none"],
  ["delete guarded", "configmaps", { e: "object == null || has(object.data)", ...on("configmaps", "CREATE", "UPDATE", "DELETE") }, { e: "request.operation == 'DELETE' || has(object.data)", ...on("configmaps", "CREATE", "UPDATE", "DELETE") }, "none", "none"],
  ["delete unguarded", "configmaps", { e: "has(object.data)", ...on("configmaps", "CREATE", "UPDATE", "DELETE") }, { e: "has(object.data)" }, "none", "some"],
  ["has of null", "configmaps", { e: "has(object.metadata)", ...on("configmaps", "DELETE") }, { e: F, ...on("configmaps", "DELETE") }, "none", "none"],
  ["optional of null", "configmaps", { e: "object.?metadata.?name.orValue('') != 'x'", ...on("configmaps", "DELETE") }, { e: T, ...on("configmaps", "DELETE") }, "none", "none"],
  // null
  ["a nullable field", "widgets", { e: "!has(object.spec.nested.note) || object.spec.nested.note != null" }, { e: T }, "none", "some"],
  ["a nullable field as a text", "widgets", { e: "!has(object.spec.nested.note) || type(object.spec.nested.note) == string" }, { e: "!has(object.spec.nested.note) || object.spec.nested.note != null" }, "none", "none"],
  ["nested is defaulted", "widgets", { e: "has(object.spec.nested) && has(object.spec.nested.enabled)" }, { e: T }, "none", "none"],
  ["null in unknown fields", "widgets", { e: "!has(object.spec.extra) || !has(object.spec.extra.a) || object.spec.extra.a != null" }, { e: T }, "none", "some"],
  ["spec is never null", "widgets", { e: "object.spec != null" }, { e: T }, "none", "none"],
  ["an unknown field is pruned", "widgets", { e: "!has(object.spec.unknown)" }, { e: T }, "none", "none"],
  ["an unknown field of extra", "widgets", { e: "!has(object.spec.extra) || !has(object.spec.extra.unknown)" }, { e: T }, "none", "some"],
  ["a map with empty values", "widgets", { e: "!has(object.spec.limits) || object.spec.limits.all(k, object.spec.limits[k] != '')" }, { e: T }, "none", "some"],
  ["status of a widget is dropped", "widgets", { e: "!has(object.status) || object.status.ready < 5", ...on("widgets", "CREATE") }, { e: T, ...on("widgets", "CREATE") }, "none", "none"],
];
