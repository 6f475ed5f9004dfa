/** Plain checks of services and of what routes or limits their traffic. */
import type { JsonObject, JsonValue } from "../../value/json.ts";
import { areDistinct, at, type Check, fields, itemsOf, list, map, oneField, oneOf, text } from "./check.ts";
import { isSelector, namedMeta } from "./metadata.ts";
import {
  isLabel,
  isLabelValue,
  isObjectName,
  isPort,
  isPortName,
  isPortNumber,
  isQualifiedName,
  isServiceName,
  isSubdomain,
} from "./texts.ts";

const isServicePort = fields(
  {
    name: text(isLabel),
    port: isPortNumber,
    protocol: oneOf("TCP", "UDP", "SCTP"),
    targetPort: isPort,
  },
  { needs: ["port"] },
);

const isServiceSpec = fields(
  {
    ports: list(isServicePort, { min: 1 }),
    selector: map(isQualifiedName, text(isLabelValue)),
    sessionAffinity: oneOf("None"),
    type: oneOf("ClusterIP"),
  },
  { needs: ["ports"], and: havePlainPorts },
);

/** Several ports have names, and no two are equal. */
function havePlainPorts({ ports }: JsonObject): boolean {
  const all = itemsOf(ports);
  if (all.length === 1) return true;
  const keyOf = (port: JsonValue): string => `${at(port, "protocol") ?? "TCP"} ${at(port, "port")}`;
  return (
    all.every((port) => at(port, "name") !== null) &&
    areDistinct(all, (port) => at(port, "name")) &&
    areDistinct(all, keyOf)
  );
}

/** Segments that are neither empty nor relative. */
const PATH = /^\/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*\/?)?$/;

const isBackend = fields(
  {
    service: fields(
      { name: isServiceName, port: oneField({ name: isPortName, number: isPortNumber }) },
      { needs: ["name", "port"] },
    ),
  },
  { needs: ["service"] },
);

const isIngressPath = fields(
  {
    backend: isBackend,
    path: text((path) => PATH.test(path)),
    pathType: oneOf("Exact", "Prefix", "ImplementationSpecific"),
  },
  { needs: ["backend", "path", "pathType"] },
);

/** A name of letters, not an address. */
const isHost: Check = text((host) => isSubdomain(host) && /[a-z]$/.test(host));

const isIngressSpec = fields(
  {
    ingressClassName: isObjectName,
    rules: list(
      fields(
        { host: isHost, http: fields({ paths: list(isIngressPath, { min: 1 }) }, { needs: ["paths"] }) },
        { needs: ["http"] },
      ),
      { min: 1 },
    ),
    tls: list(fields({ hosts: list(isHost), secretName: isObjectName })),
  },
  { needs: ["rules"] },
);

const isPolicyPort = fields({ port: isPort, protocol: oneOf("TCP", "UDP", "SCTP") }, { needs: ["port"] });

const isBlock: Check = fields(
  { cidr: (value) => rangeOf(value) !== undefined, except: list((value) => rangeOf(value) !== undefined) },
  { needs: ["cidr"], and: areWithinBlock },
);

interface AddressRange {
  readonly start: number;
  readonly bits: number;
}

/** A network of IPv4 without bits beyond its prefix. */
function rangeOf(value: JsonValue | undefined): AddressRange | undefined {
  const match =
    typeof value === "string"
      ? /^(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})\/(0|[1-9][0-9]?)$/.exec(
          value,
        )
      : null;
  if (match === null) return undefined;
  const [a = 256, b = 256, c = 256, d = 256, bits = 33] = match.slice(1).map(Number);
  const start = ((a * 256 + b) * 256 + c) * 256 + d;
  return Math.max(a, b, c, d) <= 255 && bits <= 32 && start % 2 ** (32 - bits) === 0 ? { start, bits } : undefined;
}

function areWithinBlock({ cidr, except }: JsonObject): boolean {
  const whole = rangeOf(cidr);
  if (whole === undefined) return false;
  const end = whole.start + 2 ** (32 - whole.bits);
  return itemsOf(except).every((each) => {
    const part = rangeOf(each);
    return part !== undefined && part.bits > whole.bits && part.start >= whole.start && part.start < end;
  });
}

const isPeer = fields(
  { ipBlock: isBlock, namespaceSelector: isSelector, podSelector: isSelector },
  {
    and: ({ ipBlock, namespaceSelector, podSelector }) =>
      (ipBlock === undefined) !== (namespaceSelector === undefined && podSelector === undefined),
  },
);

const isPolicySpec = fields(
  {
    podSelector: isSelector,
    policyTypes: list(oneOf("Ingress", "Egress")),
    ingress: list(fields({ from: list(isPeer), ports: list(isPolicyPort) })),
    egress: list(fields({ to: list(isPeer), ports: list(isPolicyPort) })),
  },
  {
    needs: ["podSelector", "policyTypes"],
    and: ({ policyTypes }) => areDistinct(itemsOf(policyTypes), (type) => type),
  },
);

const metadata = namedMeta(isObjectName);

/** By `apiVersion kind`: the members besides those two. */
export const NETWORKING: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  "v1 Service": { metadata: namedMeta(isServiceName), spec: isServiceSpec },
  "networking.k8s.io/v1 Ingress": { metadata, spec: isIngressSpec },
  "networking.k8s.io/v1 NetworkPolicy": { metadata, spec: isPolicySpec },
};
