/** Plain checks of the pods that workloads make. */
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { at, type Check, fields, integer, isFlag, itemsOf, list, map, oneField, oneOf, text } from "./check.ts";
import { fitTogether, isContainer, isId, isInitContainer, isMode, isSeccompProfile } from "./containers.ts";
import { isTemplateMeta } from "./metadata.ts";
import { isBytes, isConfigKey, isLabel, isLabelValue, isObjectName, isOwnKey } from "./texts.ts";

const isKeyPaths = list(
  fields(
    { key: text(isConfigKey), path: text((path) => /^[A-Za-z0-9_][-A-Za-z0-9_]*(?:\.[A-Za-z0-9]+)*$/.test(path)) },
    { needs: ["key", "path"] },
  ),
  { key: "path" },
);

const isVolume = oneField(
  {
    configMap: fields(
      { name: isObjectName, defaultMode: isMode, optional: isFlag, items: isKeyPaths },
      { needs: ["name"] },
    ),
    secret: fields(
      { secretName: isObjectName, defaultMode: isMode, optional: isFlag, items: isKeyPaths },
      { needs: ["secretName"] },
    ),
    emptyDir: fields({ medium: oneOf("", "Memory"), sizeLimit: isBytes }),
    persistentVolumeClaim: fields({ claimName: isObjectName, readOnly: isFlag }, { needs: ["claimName"] }),
  },
  { name: text(isLabel) },
);

const isToleration = fields(
  {
    key: text(isOwnKey),
    operator: oneOf("Exists", "Equal"),
    value: text(isLabelValue),
    effect: oneOf("NoSchedule", "PreferNoSchedule", "NoExecute"),
  },
  { needs: ["key"], and: ({ operator, value }) => operator !== "Exists" || value === undefined },
);

const NODE_LABELS: readonly string[] = ["kubernetes.io/os", "kubernetes.io/arch", "topology.kubernetes.io/zone"];

const isPodSecurity = fields({
  fsGroup: isId,
  fsGroupChangePolicy: oneOf("Always", "OnRootMismatch"),
  runAsGroup: isId,
  runAsNonRoot: isFlag,
  runAsUser: isId,
  seccompProfile: isSeccompProfile,
  supplementalGroups: list(isId),
});

const SPEC: Readonly<Record<string, Check>> = {
  automountServiceAccountToken: isFlag,
  containers: list(isContainer, { min: 1 }),
  dnsPolicy: oneOf("ClusterFirst", "Default"),
  imagePullSecrets: list(fields({ name: isObjectName }, { needs: ["name"] }), { key: "name" }),
  initContainers: list(isInitContainer),
  nodeSelector: map((key) => isOwnKey(key) || NODE_LABELS.includes(key), text(isLabelValue)),
  schedulerName: oneOf("default-scheduler"),
  securityContext: isPodSecurity,
  serviceAccountName: isObjectName,
  terminationGracePeriodSeconds: integer(1),
  tolerations: list(isToleration),
  volumes: list(isVolume, { key: "name" }),
};

/** A template of pods. Volumes may also come from claims. */
export function isTemplate(value: JsonValue, isSpec: Check, claims: readonly JsonValue[] = []): boolean {
  if (!isObject(value)) return false;
  for (const name in value) if (name !== "metadata" && name !== "spec") return false;
  const { metadata, spec } = value;
  if (metadata === undefined || spec === undefined) return false;
  return isTemplateMeta(metadata) && isSpec(spec) && areWhole(spec as JsonObject, claims);
}

/** Pods that always run. */
export const isServiceSpec = fields({ ...SPEC, restartPolicy: oneOf("Always") }, { needs: ["containers"] });

/** Pods that end. */
export const isJobSpec = fields(
  { ...SPEC, restartPolicy: oneOf("OnFailure", "Never") },
  { needs: ["containers", "restartPolicy"] },
);

function areWhole(spec: JsonObject, claims: readonly JsonValue[]): boolean {
  const names = itemsOf(spec["volumes"]).map((each) => at(each, "name"));
  const volumes = new Set([...names, ...claims.map((each) => at(each, "metadata", "name"))]);
  if (volumes.size !== names.length + claims.length) return false;
  return fitTogether([...itemsOf(spec["initContainers"]), ...itemsOf(spec["containers"])], volumes);
}
