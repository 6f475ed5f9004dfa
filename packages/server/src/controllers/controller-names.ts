/**
 * The controllers that can be turned on and off, with the names and the syntax of kube-controller-manager's
 * `--controllers`. Follows controller-manager options/generic.go.
 */

/** By name, with the names of older releases. */
const OURS = {
  "garbage-collector-controller": ["garbagecollector"],
  "namespace-controller": ["namespace"],
  "resourcequota-controller": ["resourcequota"],
  "root-ca-certificate-publisher-controller": ["root-ca-cert-publisher"],
  "serviceaccount-controller": ["serviceaccount"],
  "serviceaccount-token-controller": ["serviceaccount-token"],
  "validatingadmissionpolicy-status-controller": [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A controller of this server. For example `garbage-collector-controller`. */
export type ControllerName = keyof typeof OURS;

/** All controllers of this server, by name. For example `CONTROLLER_NAMES.includes("namespace-controller")`. */
export const CONTROLLER_NAMES = Object.keys(OURS) as readonly ControllerName[];

/** Controllers of kube-controller-manager that this server does not have. */
const OTHERS: ReadonlySet<string> = new Set(
  `
  endpoints-controller endpointslice-controller endpointslice-mirroring-controller
  replicationcontroller-controller pod-garbage-collector-controller daemonset-controller job-controller
  deployment-controller replicaset-controller horizontal-pod-autoscaler-controller disruption-controller
  statefulset-controller cronjob-controller certificatesigningrequest-signing-controller
  certificatesigningrequest-approving-controller certificatesigningrequest-cleaner-controller
  podcertificaterequest-cleaner-controller ttl-controller bootstrap-signer-controller token-cleaner-controller
  node-ipam-controller node-lifecycle-controller taint-eviction-controller device-taint-eviction-controller
  persistentvolume-binder-controller persistentvolume-attach-detach-controller persistentvolume-expander-controller
  clusterrole-aggregation-controller persistentvolumeclaim-protection-controller
  persistentvolume-protection-controller podgroup-protection-controller ttl-after-finished-controller
  kube-apiserver-serving-clustertrustbundle-publisher-controller ephemeral-volume-controller
  storageversion-garbage-collector-controller resourceclaim-controller resourcepoolstatusrequest-controller
  legacy-serviceaccount-token-cleaner-controller volumeattributesclass-protection-controller service-cidr-controller
  storage-version-migrator-controller selinux-warning-controller`
    .trim()
    .split(/\s+/),
);

/**
 * The controllers that a list such as `*,-namespace-controller` turns on: `*` is all of them, `name` one, `-name` turns
 * one off. The first item that names a controller counts. Throws an Error for names that are not known.
 */
export function enabledControllers(items: readonly string[]): ReadonlySet<ControllerName> {
  for (const item of items) checkItem(item);
  return new Set(CONTROLLER_NAMES.filter((name) => isEnabled(name, items)));
}

function isEnabled(name: ControllerName, items: readonly string[]): boolean {
  const first = items.find((item) => item !== "*" && nameOf(item) === name);
  return first === undefined ? items.includes("*") : !first.startsWith("-");
}

function checkItem(item: string): void {
  const name = nameOf(item);
  if (item === "*" || name in OURS) return;
  if (!OTHERS.has(name)) throw new Error(`"${item.replace(/^-/, "")}" is not in the list of known controllers`);
  if (!item.startsWith("-")) throw new Error(`the controller "${name}" is not supported`);
}

/** Without the sign, and with today's name. */
function nameOf(item: string): string {
  const name = item.replace(/^-/, "");
  const found = Object.entries(OURS).find(([, aliases]) => (aliases as readonly string[]).includes(name));
  return found?.[0] ?? name;
}
