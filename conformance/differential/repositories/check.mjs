/**
 * Runs `check` over public repositories as they are, and sorts the findings for review: an error must be a mistake that
 * the API server would refuse. Nothing is committed; repositories are cloned into a temporary folder, or taken from
 * folders that are already there.
 *
 *   node conformance/differential/repositories/check.mjs                 clone all of them
 *   node conformance/differential/repositories/check.mjs FOLDER…         check these folders
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../packages/cli/dist/bundle/portcullis.js", import.meta.url));

/** A repository, and the folder of it that has manifests. */
const REPOSITORIES = [
  ["kubernetes/examples", ""],
  ["istio/istio", "samples"],
  ["argoproj/argo-cd", ""],
  ["cert-manager/cert-manager", ""],
  ["kubernetes-sigs/cluster-api", ""],
  ["kubernetes/ingress-nginx", ""],
  ["prometheus-operator/prometheus-operator", ""],
  ["fluxcd/flux2", ""],
  ["argoproj/argo-rollouts", ""],
  ["cloudnative-pg/cloudnative-pg", ""],
  ["crossplane/crossplane", ""],
  ["external-secrets/external-secrets", ""],
  ["kedacore/keda", ""],
  ["knative/serving", ""],
  ["kubernetes-sigs/gateway-api", ""],
  ["kubernetes-sigs/kueue", ""],
  ["kubevirt/kubevirt", ""],
  ["kyverno/kyverno", ""],
  ["longhorn/longhorn", ""],
  ["open-policy-agent/gatekeeper", ""],
  ["rook/rook", ""],
  ["strimzi/strimzi-kafka-operator", ""],
  ["tektoncd/pipeline", ""],
  ["vmware-tanzu/velero", ""],
  ["argoproj/argo-workflows", ""],
  ["cilium/cilium", ""],
  ["elastic/cloud-on-k8s", ""],
  ["grafana/tempo-operator", ""],
  ["karmada-io/karmada", ""],
  ["kubeflow/manifests", ""],
  ["kubernetes-sigs/external-dns", ""],
  ["kubernetes-sigs/karpenter", ""],
  ["linkerd/linkerd2", ""],
  ["metallb/metallb", ""],
  ["open-telemetry/opentelemetry-operator", ""],
  ["projectcalico/calico", ""],
  ["volcano-sh/volcano", ""],
  ["zalando/postgres-operator", ""],
  ["argoproj/argo-events", ""],
  ["kubernetes/autoscaler", ""],
  ["minio/operator", ""],
  ["projectcontour/contour", ""],
  ["prometheus-operator/kube-prometheus", ""],
  ["ray-project/kuberay", ""],
  ["actions/actions-runner-controller", ""],
  ["antrea-io/antrea", ""],
  ["cloudnative-pg/charts", ""],
  ["dapr/dapr", ""],
  ["grafana/mimir", ""],
  ["kubernetes-sigs/kind", ""],
  ["kubernetes-sigs/kustomize", ""],
  ["kubernetes/website", ""],
  ["onedr0p/home-ops", ""],
  ["spotahome/redis-operator", ""],
];

const folders = process.argv.slice(2);
if (folders.length > 0) for (const folder of folders) review(folder, folder);
else cloneAndReview();

function cloneAndReview() {
  const scratch = mkdtempSync(path.join(tmpdir(), "repositories-"));
  try {
    for (const [name, below] of REPOSITORIES) {
      const clone = path.join(scratch, name.replace("/", "+"));
      const args = ["clone", "--quiet", "--depth", "1", `https://github.com/${name}.git`, clone];
      const { status, stderr } = spawnSync("git", args, { encoding: "utf8" });
      if (status === 0) review(name, path.join(clone, below));
      else console.log(`${name}: cannot be cloned: ${stderr.trim()}`);
      rmSync(clone, { recursive: true, force: true });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function review(name, folder) {
  const args = [program, "check", ".", "-o", "json", "--no-cache"];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status === null || status > 1) {
    console.log(`\n${name}: ended with ${status}: ${stderr}`);
    process.exitCode = 1;
    return;
  }
  const { findings, summary, skipped = [] } = JSON.parse(stdout);
  const { objects, errors, warnings, withoutSchema } = summary;
  console.log(`\n# ${name}`);
  console.log(`${objects} objects: ${errors} errors, ${warnings} warnings, ${withoutSchema} without schema`);
  console.log(`skipped: ${countBy(skipped, ({ reason }) => reason)}`);
  const serious = findings.filter(({ severity }) => severity === "error");
  serious.sort((left, right) => (left.rule < right.rule ? -1 : left.rule > right.rule ? 1 : 0));
  for (const { rule, file, range, message, hint } of serious) {
    console.log(
      `${rule}\t${file}:${range?.start.line ?? ""}\t${oneLine(message)}${hint ? `\t(${oneLine(hint)})` : ""}`,
    );
  }
}

function countBy(values, keyOf) {
  const counts = new Map();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
  return [...counts].map(([key, count]) => `${count} ${key}`).join(", ") || "nothing";
}

function oneLine(text) {
  return text.replaceAll(/\s+/g, " ").slice(0, 200);
}
