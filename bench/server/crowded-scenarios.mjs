/** Small requests in namespaces with as much as a tenant may create: limit ranges, quotas, webhooks, objects. */
import { inParallel } from "./workload.mjs";

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const range = (count) => Array.from({ length: count }, (_, i) => i);
const repeated = (count, send) => Promise.all(range(count).map(send));
const namespaceOf = (name) => `/api/v1/namespaces/${name}`;

async function create(api, target, body) {
  const { code } = await api.post(target, body);
  if (code !== 201 && code !== 409) throw new Error(`${target}: ${code}`);
}

async function makeNamespace(api, name) {
  await create(api, "/api/v1/namespaces", { metadata: { name } });
  await create(api, `${namespaceOf(name)}/serviceaccounts`, { metadata: { name: "default" } });
}

const podOf = (containers) => ({
  metadata: { generateName: "p" },
  spec: { containers: range(containers).map((i) => ({ name: `c${i}`, image: "i" })) },
});

async function makeLimits(api) {
  await makeNamespace(api, "limits");
  const amounts = Object.fromEntries(range(20).map((i) => [`example.com/r${i}`, "1"]));
  const limit = { type: "Container", default: { cpu: "1", ...amounts }, max: { cpu: "2", ...amounts } };
  await inParallel(60, 8, (i) =>
    create(api, `${namespaceOf("limits")}/limitranges`, { metadata: { name: `l${i}` }, spec: { limits: [limit] } }),
  );
}

async function makeQuotas(api) {
  await makeNamespace(api, "quotas");
  const hard = { pods: "100000", "count/configmaps": "100000", "requests.cpu": "100000" };
  await inParallel(1_000, 8, (i) =>
    create(api, `${namespaceOf("quotas")}/resourcequotas`, { metadata: { name: `q${i}` }, spec: { hard } }),
  );
  await api.app.settled();
}

/** In five configurations: one holds about 4,000. */
async function makeWebhooks(api) {
  const webhook = (i) => ({
    name: `w${i}.example.com`,
    clientConfig: { url: "https://127.0.0.1:1/" },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    failurePolicy: "Ignore",
    namespaceSelector: { matchLabels: { tenant: `t${i}` } },
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }],
  });
  for (const kind of ["validating", "mutating"]) {
    for (const part of range(5)) {
      const webhooks = range(2_000).map((i) => webhook(part * 2_000 + i));
      await create(api, `${ADMISSION}/${kind}webhookconfigurations`, { metadata: { name: `w${part}` }, webhooks });
    }
  }
  await api.app.settled();
}

async function removeWebhooks(client) {
  for (const kind of ["validating", "mutating"])
    await client.send("DELETE", `${ADMISSION}/${kind}webhookconfigurations`);
}

const DELETED = 50_000;

async function makeDeleted(api) {
  await makeNamespace(api, "deleted");
  await inParallel(DELETED, 32, (i) =>
    create(api, `${namespaceOf("deleted")}/configmaps`, { metadata: { name: `d${i}` } }),
  );
}

/** As long as the head of a request may be. */
const longSelector = () => {
  let text = "";
  for (let i = 0; text.length < 500_000; i++) text += `${i === 0 ? "" : ","}tier!=v${i}`;
  return encodeURIComponent(text);
};

/** Changes that watches with long selectors have to look at. */
async function watchedWrites(client, count, query, accept) {
  const target = `${namespaceOf("default")}/configmaps`;
  const watches = await Promise.all(
    range(count).map(() => client.watch(`${target}?watch=1&${query}`, () => {}, accept)),
  );
  const results = await repeated(100, (i) =>
    client.send("POST", target, { metadata: { generateName: "w", labels: { tier: `t${i}` } } }),
  );
  for (const watch of watches) watch.close();
  return codesOf(results);
}

async function makeContents(api) {
  await makeNamespace(api, "contents");
  const target = `${namespaceOf("contents")}/configmaps`;
  await inParallel(20_000, 32, (i) => create(api, target, { metadata: { name: `c${i}` } }));
}

async function makeOwned(api) {
  await makeNamespace(api, "owned");
  const maps = `${namespaceOf("owned")}/configmaps`;
  const made = await api.post(maps, { metadata: { name: "owner" } });
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: made.json.metadata.uid }];
  await inParallel(20_000, 32, (i) => create(api, maps, { metadata: { name: `o${i}`, ownerReferences } }));
}

/** Deletes it, and waits until what depends on it is gone. */
async function deleteAndWait(client, target, left) {
  const { code } = await client.send("DELETE", target);
  const end = performance.now() + 120_000;
  while (performance.now() < end && !(await left(client))) await new Promise((resolve) => setTimeout(resolve, 500));
  return code;
}

const isEmpty = async (client, target) => JSON.parse(await client.must("GET", `${target}?limit=1`)).items.length === 0;

const codesOf = (results) => [...new Set(results.map(({ code }) => code))].join(" ");

export const crowdedScenarios = [
  {
    name: "a pod with 100 containers under 60 limit ranges",
    needs: makeLimits,
    run: async (client) => (await client.send("POST", `${namespaceOf("limits")}/pods?dryRun=All`, podOf(100))).code,
  },
  {
    name: "32 pods with 100 containers under 60 limit ranges at once",
    needs: makeLimits,
    run: async (client) =>
      codesOf(await repeated(32, () => client.send("POST", `${namespaceOf("limits")}/pods?dryRun=All`, podOf(100)))),
  },
  {
    name: "a config map in a namespace with 1,000 quotas",
    needs: makeQuotas,
    run: async (client) =>
      (await client.send("POST", `${namespaceOf("quotas")}/configmaps`, { metadata: { generateName: "m" } })).code,
  },
  {
    name: "a pod in a namespace with 1,000 quotas",
    needs: makeQuotas,
    run: async (client) => {
      const pod = podOf(1);
      pod.spec.containers[0].resources = { requests: { cpu: "1" } };
      return (await client.send("POST", `${namespaceOf("quotas")}/pods`, pod)).code;
    },
  },
  {
    name: "32 config maps at once beside 20,000 webhooks of other namespaces",
    isOnce: true,
    needs: makeWebhooks,
    run: async (client) => {
      const target = `${namespaceOf("default")}/configmaps`;
      const send = () => client.send("POST", target, { metadata: { generateName: "beside" } });
      const codes = codesOf(await repeated(32, send));
      await removeWebhooks(client);
      return codes;
    },
  },
  {
    name: `deletion of a collection of ${DELETED} objects`,
    isOnce: true,
    needs: makeDeleted,
    run: async (client) => (await client.send("DELETE", `${namespaceOf("deleted")}/configmaps`)).code,
  },
  {
    name: "100 writes seen by 64 watches with selectors of 500 kB",
    run: (client) => watchedWrites(client, 64, `resourceVersion=1&labelSelector=${longSelector()}`),
  },
  {
    name: "100 writes seen by 1,000 watches as tables",
    run: (client) => watchedWrites(client, 1_000, "", "application/json;as=Table;g=meta.k8s.io;v=v1"),
  },
  {
    name: "deletion of a namespace with 20,000 objects",
    isOnce: true,
    needs: makeContents,
    run: (client) =>
      deleteAndWait(
        client,
        namespaceOf("contents"),
        async () => (await client.send("GET", namespaceOf("contents"))).code === 404,
      ),
  },
  {
    name: "deletion of the owner of 20,000 objects",
    isOnce: true,
    needs: makeOwned,
    run: (client) =>
      deleteAndWait(client, `${namespaceOf("owned")}/configmaps/owner`, () =>
        isEmpty(client, `${namespaceOf("owned")}/configmaps`),
      ),
  },
  {
    name: "5,000 small writes of one client at once",
    run: async (client) => {
      const target = `${namespaceOf("default")}/configmaps?dryRun=All`;
      return codesOf(await repeated(5_000, () => client.send("POST", target, { metadata: { generateName: "s" } })));
    },
  },
];
