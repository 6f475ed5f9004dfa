/** Documents with version and kind that are configuration files of programs. No API server has these kinds. */

/** Whole groups, with all their versions. */
const GROUPS: ReadonlySet<string> = new Set([
  "apiserver.config.k8s.io",
  "apiserver.k8s.io",
  "audit.k8s.io",
  "builtin",
  "client.authentication.k8s.io",
  "component.kustomize.io",
  "config.k8s.io",
  "controller-runtime.sigs.k8s.io",
  "ctlptl.dev",
  "credentialprovider.kubelet.k8s.io",
  "imagepolicy.k8s.io",
  "k3d.io",
  "kind.x-k8s.io",
  "krew.googlecontainertools.github.com",
  "kubeadm.k8s.io",
  "kubecontrollermanager.config.k8s.io",
  "kubelet.config.k8s.io",
  "kubeproxy.config.k8s.io",
  "kubescheduler.config.k8s.io",
  "kuttl.dev",
  "kustomize.config.k8s.io",
  "eksctl.io",
  "pod-security.admission.config.k8s.io",
  "portcullis.dev",
  "report.portcullis.dev",
  "resourcequota.admission.k8s.io",
  "skaffold",
  "test.gatekeeper.sh",
  "test.portcullis.dev",
  "testgrid.k8s.io",
  "webhookadmission.config.k8s.io",
]);

/** Groups whose CRDs only describe files of a program; objects of them are seldom meant for a cluster. */
const GROUPS_OF_FILES: ReadonlySet<string> = new Set(["chainsaw.kyverno.io", "cli.kyverno.io"]);

/** Kinds in groups that also have objects, or that have no group. */
const KINDS: ReadonlySet<string> = new Set([
  "abac.authorization.kubernetes.io Policy",
  "apiserver.k8s.io EncryptionConfiguration",
  "backstage.io Component",
  "cli.kyverno.io Test",
  "clusterctl.cluster.x-k8s.io Metadata",
  "install.istio.io IstioOperator",
  "kapp.k14s.io Config",
  "v1 Config",
  "v1 EncryptionConfig",
  "v1 Policy",
]);

/** Kinds that end in `Config` or `Configuration` of any group may be objects, so only known ones are listed. */
export function isClientKind(apiVersion: string, kind: string): boolean {
  const slash = apiVersion.lastIndexOf("/");
  const group = groupOf(apiVersion);
  // The core group has versions such as v1; other programs have versions such as 0.1.0.
  if (slash < 0 && !/^v\d/.test(apiVersion)) return true;
  return (slash >= 0 && GROUPS.has(group)) || KINDS.has(`${group} ${kind}`);
}

/** The same for a document in a file that the user did not name. */
export function isFoundClientKind(apiVersion: string, kind: string): boolean {
  return GROUPS_OF_FILES.has(groupOf(apiVersion)) || isClientKind(apiVersion, kind);
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.lastIndexOf("/");
  return slash < 0 ? apiVersion : apiVersion.slice(0, slash);
}
