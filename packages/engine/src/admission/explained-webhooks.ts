/** Admission webhooks that nobody calls: the outcome of a review says which of them would be asked. */
import type { KubernetesVersion } from "../kubecel/versions.ts";
import type { AdmissionPlugin, AdmissionRequest, ClusterView, WebhooksVerdict } from "../review/cluster-view.ts";
import { metaText } from "../value/metadata.ts";
import { explainWebhooks } from "../webhooks/explain.ts";
import { readWebhooks } from "../webhooks/webhook.ts";
import { WebhookSet } from "../webhooks/webhook-set.ts";
import { equivalentResources } from "./equivalents.ts";
import { Lookups } from "./lookups.ts";
import { attributesOf } from "./validating-policies.ts";

type WebhookType = WebhooksVerdict["type"];

/** Mutating webhooks see the object as policies before them changed it. */
export function explainedWebhooks(version: KubernetesVersion): Readonly<Record<WebhookType, AdmissionPlugin>> {
  return {
    mutating: {
      mutate: async (request, { isAgain }) => {
        if (!isAgain) await explain(request, "mutating", version);
        return request.object;
      },
    },
    validating: { validate: (request) => explain(request, "validating", version) },
  };
}

async function explain(request: AdmissionRequest, type: WebhookType, version: KubernetesVersion): Promise<void> {
  const { cluster, report } = request;
  const set = await webhooksOf(cluster, type);
  if (set.isEmpty) return;
  const lookups = new Lookups({ cluster });
  const equivalents = equivalentResources(cluster.kinds, lookups.convert);
  const explanations = await lookups.run((context) =>
    explainWebhooks(set, attributesOf(request, type), { ...context, equivalents, version }),
  );
  report({ plugin: "AdmissionWebhooks", verdict: { type, error: undefined, explanations }, request });
}

const PLURALS: Readonly<Record<WebhookType, string>> = {
  mutating: "mutatingwebhookconfigurations",
  validating: "validatingwebhookconfigurations",
};

const known = new WeakMap<ClusterView["kinds"], Map<WebhookType, WebhookSet>>();

/** The webhooks of the cluster's configurations, which never change. */
export async function webhooksOf(cluster: ClusterView, type: WebhookType): Promise<WebhookSet> {
  const sets = known.get(cluster.kinds) ?? new Map<WebhookType, WebhookSet>();
  known.set(cluster.kinds, sets);
  const set = sets.get(type) ?? (await readSet(cluster, type));
  sets.set(type, set);
  return set;
}

async function readSet(cluster: ClusterView, type: WebhookType): Promise<WebhookSet> {
  const kind = cluster.kinds.find("admissionregistration.k8s.io", "v1", PLURALS[type]);
  const objects = kind === undefined ? [] : await cluster.list(kind, "");
  return new WebhookSet(objects.map((object) => ({ name: metaText(object, "name"), webhooks: readWebhooks(object) })));
}
