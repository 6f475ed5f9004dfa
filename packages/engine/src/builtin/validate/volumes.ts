/** Volumes of pods: one source each, and what the common sources demand. Follows validateVolumeSource of core/validation. */
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { parseQuantity, signOf } from "../../value/quantity.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../object.ts";
import { labelName, requiredText } from "./checks.ts";
import * as messages from "./messages.ts";
import { noBacksteps, relativePath } from "./paths.ts";

/** In the order in which upstream looks for sources. */
const REQUIRED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  emptyDir: [],
  hostPath: ["path"],
  gitRepo: ["repository"],
  gcePersistentDisk: ["pdName"],
  awsElasticBlockStore: ["volumeID"],
  secret: ["secretName"],
  nfs: ["server", "path"],
  iscsi: ["targetPortal", "iqn"],
  glusterfs: ["endpoints", "path"],
  flocker: [],
  persistentVolumeClaim: ["claimName"],
  rbd: ["image"],
  cinder: ["volumeID"],
  cephfs: ["monitors"],
  quobyte: ["registry", "volume"],
  downwardAPI: [],
  fc: [],
  flexVolume: ["driver"],
  configMap: ["name"],
  azureFile: ["secretName", "shareName"],
  vsphereVolume: ["volumePath"],
  photonPersistentDisk: ["pdID"],
  portworxVolume: ["volumeID"],
  azureDisk: ["diskName", "diskURI"],
  storageos: ["volumeName"],
  projected: [],
  scaleIO: ["gateway", "system", "volumeName"],
  csi: ["driver"],
  ephemeral: [],
  image: ["reference"],
};

export interface Volumes {
  readonly errors: FieldError[];
  /** Names of volumes that are in order, with the kind of their source. */
  readonly names: ReadonlyMap<string, string>;
}

export interface VolumeOptions {
  /** Upstream lets a template leave out the image of a volume. */
  readonly isTemplate: boolean;
}

export function validateVolumes(volumes: readonly JsonObject[], path: FieldPath, options: VolumeOptions): Volumes {
  const names = new Map<string, string>();
  const errors = volumes.flatMap((volume, index) => {
    const at = path.index(index);
    const name = textOf(volume, "name");
    const found = validateVolumeSource(volume, at, options);
    found.push(...(name === "" ? [required(at.child("name"))] : labelName(name, at.child("name"))));
    if (names.has(name)) found.push(duplicate(at.child("name"), name));
    if (found.length === 0) names.set(name, sourcesOf(volume)[0] ?? "");
    return found;
  });
  return { errors, names };
}

function sourcesOf(volume: JsonObject): string[] {
  return Object.keys(REQUIRED_MEMBERS).filter((kind) => has(volume, kind));
}

function validateVolumeSource(volume: JsonObject, path: FieldPath, options: VolumeOptions): FieldError[] {
  return sourcesOf(volume).flatMap((kind, index) => {
    const at = path.child(kind);
    if (index > 0) return [forbidden(at, messages.manyVolumeTypes())];
    const source = objectOf(volume, kind) ?? {};
    const isOptional = kind === "image" && options.isTemplate;
    const missing = (isOptional ? [] : (REQUIRED_MEMBERS[kind] ?? [])).flatMap((member) =>
      Array.isArray(source[member]) ? [] : requiredText(source, member, at),
    );
    return [...missing, ...(SOURCES[kind]?.(source, at) ?? [])];
  });
}

type SourceCheck = (source: JsonObject, path: FieldPath) => FieldError[];

const HOST_PATH_TYPES = [
  ...["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"],
];

const SOURCES: Readonly<Record<string, SourceCheck>> = {
  emptyDir: (source, path) => {
    const limit = parseQuantity(textOf(source, "sizeLimit")).value;
    const isNegative = limit !== undefined && signOf(limit) < 0;
    return isNegative ? [forbidden(path.child("sizeLimit"), messages.badSizeLimit())] : [];
  },
  hostPath: (source, path) => {
    const [hostPath, type] = [textOf(source, "path"), textOf(source, "type")];
    return [
      ...noBacksteps(hostPath, path.child("path")),
      ...(HOST_PATH_TYPES.includes(type) ? [] : [notSupported(path.child("type"), type, HOST_PATH_TYPES)]),
    ];
  },
  nfs: (source, path) => {
    const nfsPath = textOf(source, "path");
    return nfsPath === "" || nfsPath.startsWith("/")
      ? []
      : [invalid(path.child("path"), nfsPath, messages.absolutePath())];
  },
  secret: keyedFiles,
  configMap: keyedFiles,
  downwardAPI: (source, path) => [
    ...fileMode(source, "defaultMode", path),
    ...objectsOf(source, "items").flatMap((item) => validateDownwardFile(item, path)),
  ],
  ephemeral: (source, path) =>
    has(source, "volumeClaimTemplate") ? [] : [required(path.child("volumeClaimTemplate"))],
  projected: (source, path) => [
    ...fileMode(source, "defaultMode", path),
    ...objectsOf(source, "sources").flatMap((each, index) => [
      ...validateProjection(each, path.child("sources").index(index)),
      // Said about the volume as a whole.
      ...requiredText(objectOf(each, "serviceAccountToken") ?? { path: "-" }, "path", path),
    ]),
  ],
};

function keyedFiles(source: JsonObject, path: FieldPath): FieldError[] {
  return [...fileMode(source, "defaultMode", path), ...validateItems(source, path)];
}

function validateItems(source: JsonObject, path: FieldPath): FieldError[] {
  return objectsOf(source, "items").flatMap((item, index) => {
    const at = path.child("items").index(index);
    const target = textOf(item, "path");
    return [
      ...requiredText(item, "key", at),
      ...requiredText(item, "path", at),
      ...(target === "" ? [] : relativePath(target, at.child("path"))),
      ...fileMode(item, "mode", at),
    ];
  });
}

const MAX_MODE = 0o777;

function fileMode(source: JsonObject, key: string, path: FieldPath): FieldError[] {
  const mode = numberOf(source, key);
  return mode >= 0 && mode <= MAX_MODE ? [] : [invalid(path.child(key), mode, messages.badFileMode())];
}

const DOWNWARD_FIELDS = [
  ...["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"],
];

/** Upstream's paths leave out the place in the list. */
function validateDownwardFile(item: JsonObject, path: FieldPath): FieldError[] {
  const target = textOf(item, "path");
  const fieldPath = textOf(objectOf(item, "fieldRef"), "fieldPath");
  const isKnown = DOWNWARD_FIELDS.includes(fieldPath) || /^metadata\.(annotations|labels)\['.*'\]$/.test(fieldPath);
  return [
    ...(target === "" ? [required(path.child("path"))] : relativePath(target, path.child("path"))),
    ...(has(item, "fieldRef") && !isKnown
      ? [notSupported(path.child("fieldRef", "fieldPath"), fieldPath, DOWNWARD_FIELDS)]
      : []),
    ...fileMode(item, "mode", path),
  ];
}

const MIN_TOKEN_SECONDS = 600;

function validateProjection(source: JsonObject, path: FieldPath): FieldError[] {
  const token = objectOf(source, "serviceAccountToken");
  const at = path.child("serviceAccountToken");
  const seconds = numberOf(token, "expirationSeconds");
  const [secret, configMap] = [objectOf(source, "secret"), objectOf(source, "configMap")];
  return [
    ...(secret === undefined
      ? []
      : [...requiredText(secret, "name", path.child("secret")), ...validateItems(secret, path.child("secret"))]),
    ...(configMap === undefined
      ? []
      : [
          ...requiredText(configMap, "name", path.child("configMap")),
          ...validateItems(configMap, path.child("configMap")),
        ]),
    ...(token !== undefined && seconds < MIN_TOKEN_SECONDS
      ? [invalid(at.child("expirationSeconds"), seconds, messages.tokenTooShort())]
      : []),
  ];
}
