/** What is odd, old or without effect in a pod or a template of pods. Follows pkg/api/pod/warnings.go. */

import { type FieldPath, nilPath } from "../../field/path.ts";
import { deepEqual } from "../../value/equal.ts";
import { hasKey, type JsonObject, sortedKeys } from "../../value/json.ts";
import { formatQuantity } from "../../value/quantity.ts";
import { since } from "../../value/server-version.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { repeatedPlaces } from "../repeats.ts";
import { APP_ARMOR_ANNOTATION, appArmorProfileOf } from "../strategies/app-armor.ts";
import { ipWarnings } from "../validate/addresses.ts";
import { placedContainers } from "../validate/pod/spec.ts";
import type { PlacedContainer } from "../validate/pod/windows.ts";
import { milliValue, quantityOf } from "../validate/quantities.ts";
import * as messages from "./messages.ts";
import { nodeTermWarnings, oldLabelOf } from "./nodes.ts";
import { portWarnings } from "./ports.ts";
import { claimSpecWarnings } from "./storage.ts";
import { overlapWarnings } from "./volumes.ts";

const { about } = messages;

/** `path` is that of the template; nil for a pod. */
export function podWarnings(pod: JsonObject, path: FieldPath = nilPath): string[] {
  const spec = objectOf(pod, "spec") ?? {};
  const at = path.child("spec");
  const containers = placedContainers(spec, at);
  const annotations = objectOf(metaOf(pod), "annotations");
  const grace = numberOf(spec, "terminationGracePeriodSeconds");
  return [
    ...nodeWarnings(spec, at),
    ...spreadWarnings(spec, at),
    ...(annotations === undefined ? [] : annotationWarnings(annotations, path.child("metadata", "annotations"))),
    ...volumeWarnings(spec, at),
    ...(since("1.32") ? overlapWarnings(objectsOf(spec, "volumes")) : []),
    ...listWarnings(spec, at),
    ...fractions(objectOf(spec, "overhead"), at.child("overhead")),
    ...containers.flatMap(([container, place]) => containerWarnings(container, place)),
    ...(annotations === undefined ? [] : profileWarnings(annotations, spec, containers, path)),
    ...portWarnings(containers),
    ...(grace < 0 ? [about(at.child("terminationGracePeriodSeconds"), messages.negativeGrace())] : []),
    ...affinityWarnings(spec, at),
    ...addressWarnings(spec, at),
  ];
}

const NODE_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const NODE_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

function nodeWarnings(spec: JsonObject, path: FieldPath): string[] {
  const affinity = objectOf(objectOf(spec, "affinity"), "nodeAffinity");
  const at = path.child("affinity", "nodeAffinity");
  return [
    ...sortedKeys(objectOf(spec, "nodeSelector") ?? {}).flatMap((key) => {
      const advice = oldLabelOf(key);
      return advice === undefined ? [] : [about(path.child("nodeSelector").key(key), advice)];
    }),
    ...objectsOf(objectOf(affinity, NODE_REQUIRED), "nodeSelectorTerms").flatMap((term, index) =>
      nodeTermWarnings(term, at.child(NODE_REQUIRED, "nodeSelectorTerms").index(index), false),
    ),
    ...objectsOf(affinity, NODE_PREFERRED).flatMap((term, index) =>
      nodeTermWarnings(
        objectOf(term, "preference") ?? {},
        at.child(NODE_PREFERRED).index(index).child("preference"),
        true,
      ),
    ),
  ];
}

function spreadWarnings(spec: JsonObject, path: FieldPath): string[] {
  return objectsOf(spec, "topologySpreadConstraints").flatMap((constraint, index) => {
    const at = path.child("topologySpreadConstraints").index(index);
    const key = textOf(constraint, "topologyKey");
    const advice = oldLabelOf(key);
    return [
      ...(advice === undefined ? [] : [about(at.child("topologyKey"), messages.oldKey(key, advice))]),
      ...(has(constraint, "labelSelector") ? [] : [about(at.child("labelSelector"), messages.nullSelector())]),
    ];
  });
}

function annotationWarnings(annotations: JsonObject, path: FieldPath): string[] {
  return Object.entries(messages.OLD_POD_ANNOTATIONS).flatMap(([key, advice]) =>
    hasKey(annotations, key) ? [about(path.key(key), advice)] : [],
  );
}

/** Volumes that are gone, the versions, and the name that upstream gives them here. */
const GONE: readonly (readonly [key: string, deprecated: string, since: string, shown: string])[] = [
  ["photonPersistentDisk", "v1.11", "v1.16", "photonPersistentDisk"],
  ["scaleIO", "v1.16", "v1.22", "scaleIO"],
  ["flocker", "v1.22", "v1.25", "flocker"],
  ["storageos", "v1.22", "v1.25", "storageOS"],
  ["quobyte", "v1.22", "v1.25", "quobyte"],
  ["glusterfs", "v1.25", "v1.26", "glusterfs"],
  ["cephfs", "v1.28", "v1.31", "cephfs"],
  ["rbd", "v1.28", "v1.31", "rbd"],
];

export function goneVolumes(source: JsonObject, path: FieldPath, without: readonly string[] = []): string[] {
  return GONE.filter(([key]) => has(source, key) && !without.includes(key)).map(([, deprecated, since, shown]) =>
    about(path.child(shown), messages.gone(deprecated, since)),
  );
}

function volumeWarnings(spec: JsonObject, path: FieldPath): string[] {
  return objectsOf(spec, "volumes").flatMap((volume, index) => {
    const at = path.child("volumes").index(index);
    const claim = objectOf(objectOf(objectOf(volume, "ephemeral"), "volumeClaimTemplate"), "spec");
    return [
      ...goneVolumes(volume, at),
      ...(has(volume, "gitRepo") ? [about(at.child("gitRepo"), messages.gitRepo())] : []),
      ...(claim === undefined ? [] : claimSpecWarnings(claim, at.child("ephemeral", "volumeClaimTemplate", "spec"))),
    ];
  });
}

function listWarnings(spec: JsonObject, path: FieldPath): string[] {
  const aliases = objectsOf(spec, "hostAliases").map((alias) => textOf(alias, "ip"));
  const secrets = objectsOf(spec, "imagePullSecrets").map((secret) => textOf(secret, "name"));
  const [atAliases, atSecrets] = [path.child("hostAliases"), path.child("imagePullSecrets")];
  return [
    ...repeats(aliases).map((index) =>
      about(atAliases.index(index).child("ip"), messages.repeated("ip", aliases[index] ?? "")),
    ),
    ...repeats(secrets).map((index) =>
      about(atSecrets.index(index).child("name"), messages.repeated("name", secrets[index] ?? "")),
    ),
    ...secrets.flatMap((name, index) =>
      name === "" ? [about(atSecrets.index(index).child("name"), messages.emptyName())] : [],
    ),
  ];
}

/** The places of what has been there before. */
function repeats(items: readonly string[]): number[] {
  return [...repeatedPlaces(items)];
}

function fractions(list: JsonObject | undefined, path: FieldPath): string[] {
  return ["memory", "ephemeral-storage"].flatMap((name) => {
    const amount = quantityOf(list, name);
    if (amount === undefined || milliValue(amount) % 1000n === 0n) return [];
    return [about(path.key(name), messages.fractional(formatQuantity(amount)))];
  });
}

function containerWarnings(container: JsonObject, path: FieldPath): string[] {
  const resources = objectOf(container, "resources");
  return [
    ...["memory", "ephemeral-storage"].flatMap((name) =>
      ["limits", "requests"].flatMap((key) => {
        const amount = objectOf(resources, key)?.[name];
        return amount === undefined ? [] : fractions({ [name]: amount }, path.child("resources", key));
      }),
    ),
    ...variableWarnings(container, path),
  ];
}

/** A variable may be defined again from itself. */
function variableWarnings(container: JsonObject, path: FieldPath): string[] {
  const seen = new Set<string>();
  return objectsOf(container, "env").flatMap((env, index) => {
    const [name, value] = [textOf(env, "name"), textOf(env, "value")];
    const reference = `$(${name})`;
    const isNew = !seen.has(name);
    seen.add(name);
    const isBuilt = !has(env, "valueFrom") && value !== reference && value.includes(reference);
    return isNew || isBuilt ? [] : [about(path.child("env").index(index), messages.hiddenVariable(name))];
  });
}

const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

/** Annotations of profiles that no field confirms. */
function profileWarnings(
  annotations: JsonObject,
  spec: JsonObject,
  containers: readonly PlacedContainer[],
  path: FieldPath,
): string[] {
  const at = path.child("metadata", "annotations");
  const ofPod = objectOf(spec, "securityContext");
  const ownProfile = objectOf(ofPod, "appArmorProfile");
  // Annotations of pods have become fields by now, with a warning.
  const isUnconfirmed = (key: string): boolean =>
    path !== nilPath &&
    (ownProfile === undefined || !deepEqual(ownProfile, appArmorProfileOf(textOf(annotations, key)) ?? null));
  const isOld = (key: string, owner: JsonObject | undefined, member: string): boolean =>
    hasKey(annotations, key) && !has(owner, member);
  return [
    ...(isOld(SECCOMP_POD, ofPod, "seccompProfile") ? [about(at.key(SECCOMP_POD), messages.oldSeccomp())] : []),
    ...containers.flatMap(([container]) => {
      const own = objectOf(container, "securityContext");
      const name = textOf(container, "name");
      const [seccomp, armor] = [`${SECCOMP_CONTAINER}${name}`, `${APP_ARMOR_ANNOTATION}${name}`];
      return [
        ...(isOld(seccomp, own, "seccompProfile") ? [about(at.key(seccomp), messages.oldSeccomp())] : []),
        ...(isOld(armor, own, "appArmorProfile") && isUnconfirmed(armor)
          ? [about(at.key(armor), messages.oldAppArmor())]
          : []),
      ];
    }),
  ];
}

function affinityWarnings(spec: JsonObject, path: FieldPath): string[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((kind) => {
    const affinity = objectOf(objectOf(spec, "affinity"), kind);
    const at = path.child("affinity", kind);
    return [
      ...objectsOf(affinity, NODE_REQUIRED).flatMap((term, index) =>
        has(term, "labelSelector")
          ? []
          : [about(at.child(NODE_REQUIRED).index(index).child("labelSelector"), messages.nullSelector())],
      ),
      ...objectsOf(affinity, NODE_PREFERRED).flatMap((term, index) =>
        has(objectOf(term, "podAffinityTerm"), "labelSelector")
          ? []
          : [
              about(
                at.child(NODE_PREFERRED).index(index).child("podAffinityTerm", "labelSelector"),
                messages.nullSelector(),
              ),
            ],
      ),
    ];
  });
}

function addressWarnings(spec: JsonObject, path: FieldPath): string[] {
  const config = objectOf(spec, "dnsConfig");
  return [
    ...textsOf(config, "nameservers").flatMap((ip, index) =>
      ipWarnings(ip, path.child("dnsConfig", "nameservers").index(index)),
    ),
    ...objectsOf(spec, "hostAliases").flatMap((alias, index) =>
      ipWarnings(textOf(alias, "ip"), path.child("hostAliases").index(index).child("ip")),
    ),
  ];
}

export function podStatusWarnings(pod: JsonObject): string[] {
  const status = objectOf(pod, "status");
  return ["podIPs", "hostIPs"].flatMap((key) =>
    objectsOf(status, key).flatMap((each, index) =>
      ipWarnings(textOf(each, "ip"), nilPath.child("status", key).index(index).child("ip")),
    ),
  );
}
