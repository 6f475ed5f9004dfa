/** Plain checks of containers. */
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { at, type Check, fields, integer, isFlag, isText, list, oneField, oneOf, text } from "./check.ts";
import {
  bytes,
  isConfigKey,
  isLabel,
  isObjectName,
  isPort,
  isPortName,
  isPortNumber,
  isVariable,
  millicores,
} from "./texts.ts";

const isKeyRef = fields({ name: isObjectName, key: text(isConfigKey), optional: isFlag }, { needs: ["name", "key"] });

const isFieldRef = fields(
  {
    apiVersion: oneOf("v1"),
    fieldPath: oneOf(
      "metadata.name",
      "metadata.namespace",
      "metadata.uid",
      "spec.nodeName",
      "spec.serviceAccountName",
      "status.hostIP",
      "status.podIP",
    ),
  },
  { needs: ["fieldPath"] },
);

const isVariableSource = oneField({ fieldRef: isFieldRef, secretKeyRef: isKeyRef, configMapKeyRef: isKeyRef });

const isEnv = list(
  fields(
    { name: isVariable, value: isText, valueFrom: isVariableSource },
    { needs: ["name"], and: ({ value, valueFrom }) => value === undefined || valueFrom === undefined },
  ),
  { key: "name" },
);

const isEnvSource = fields({ name: isObjectName, optional: isFlag }, { needs: ["name"] });

const isContainerPort = fields(
  { name: isPortName, containerPort: isPortNumber, protocol: oneOf("TCP", "UDP", "SCTP") },
  { needs: ["containerPort"] },
);

const isTexts = list(isText);

const isAction = {
  exec: fields({ command: list(isText, { min: 1 }) }, { needs: ["command"] }),
  httpGet: fields(
    { path: text((path) => path !== ""), port: isPort, scheme: oneOf("HTTP", "HTTPS") },
    { needs: ["path", "port"] },
  ),
  tcpSocket: fields({ port: isPort }, { needs: ["port"] }),
};

const ACTIONS = Object.keys(isAction);

/** Only a readiness probe may have to succeed several times. */
function probe(mostSuccesses: number): Check {
  return fields(
    {
      ...isAction,
      initialDelaySeconds: integer(0),
      periodSeconds: integer(1),
      timeoutSeconds: integer(1),
      failureThreshold: integer(1),
      successThreshold: integer(1, mostSuccesses),
    },
    { and: (value) => ACTIONS.filter((name) => value[name] !== undefined).length === 1 },
  );
}

const AMOUNTS: Readonly<Record<string, (value: JsonValue | undefined) => number | undefined>> = {
  cpu: millicores,
  memory: bytes,
  "ephemeral-storage": bytes,
};

const isCores: Check = (value) => millicores(value) !== undefined;
const isBytes: Check = (value) => bytes(value) !== undefined;
const isAmounts = fields({ cpu: isCores, memory: isBytes, "ephemeral-storage": isBytes });

const isResources = fields({ limits: isAmounts, requests: isAmounts }, { and: areWithinLimits });

function areWithinLimits({ limits, requests }: JsonObject): boolean {
  if (!isObject(limits) || !isObject(requests)) return true;
  for (const name in requests) {
    const most = AMOUNTS[name]?.(limits[name]);
    if (most !== undefined && (AMOUNTS[name]?.(requests[name]) ?? most) > most) return false;
  }
  return true;
}

const isMount = fields(
  {
    name: text(isLabel),
    mountPath: text((path) => /^\/[-A-Za-z0-9_./]*$/.test(path)),
    readOnly: isFlag,
    subPath: text((path) => /^[A-Za-z0-9][-A-Za-z0-9_]*(?:\.[A-Za-z0-9]+)*$/.test(path)),
  },
  { needs: ["name", "mountPath"] },
);

export const isSeccompProfile = fields({ type: oneOf("RuntimeDefault", "Unconfined") }, { needs: ["type"] });

/** Users and groups. */
export const isId = integer(0);

const isContainerSecurity = fields({
  allowPrivilegeEscalation: isFlag,
  capabilities: fields({ drop: list(isText) }),
  readOnlyRootFilesystem: isFlag,
  runAsGroup: isId,
  runAsNonRoot: isFlag,
  runAsUser: isId,
  seccompProfile: isSeccompProfile,
});

const CONTAINER: Readonly<Record<string, Check>> = {
  name: text(isLabel),
  image: text((image) => image !== "" && !/\s/.test(image)),
  imagePullPolicy: oneOf("Always", "IfNotPresent", "Never"),
  command: isTexts,
  args: isTexts,
  workingDir: isText,
  env: isEnv,
  envFrom: list(oneField({ configMapRef: isEnvSource, secretRef: isEnvSource })),
  ports: list(isContainerPort),
  resources: isResources,
  volumeMounts: list(isMount, { key: "mountPath" }),
  securityContext: isContainerSecurity,
  stdin: isFlag,
  tty: isFlag,
  terminationMessagePath: text((path) => path !== ""),
  terminationMessagePolicy: oneOf("File", "FallbackToLogsOnError"),
};

const NEEDS = { needs: ["name", "image"] };

export const isInitContainer = fields(CONTAINER, NEEDS);

export const isContainer = fields(
  { ...CONTAINER, livenessProbe: probe(1), startupProbe: probe(1), readinessProbe: probe(10) },
  NEEDS,
);

/** Whether no port, name of a port or container is there twice, and each mounted volume is among the names. */
export function fitTogether(containers: readonly JsonValue[], volumes: ReadonlySet<JsonValue>): boolean {
  const seen = new Set<string>();
  for (const container of containers) {
    if (!isNew(seen, `container ${at(container, "name")}`)) return false;
    for (const port of listAt(container, "ports")) {
      const { name, containerPort, protocol = "TCP" } = port;
      if (!isNew(seen, `${protocol} ${containerPort}`)) return false;
      if (name !== undefined && !isNew(seen, `name ${name}`)) return false;
    }
    for (const { name } of listAt(container, "volumeMounts")) if (!volumes.has(name ?? null)) return false;
  }
  return true;
}

function listAt(object: JsonValue, name: string): readonly JsonObject[] {
  const value = at(object, name);
  return isArray(value) ? (value as readonly JsonObject[]) : [];
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

export const isMode = integer(0, 0o777);
