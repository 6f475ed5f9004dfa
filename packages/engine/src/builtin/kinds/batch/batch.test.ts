import { expect, test } from "vitest";
import { create, testKinds } from "../kind.testing.ts";
import { podSpec } from "../pod-template.testing.ts";

const job = { template: { spec: { ...podSpec, restartPolicy: "Never" } } };

testKinds({
  "batch/v1/Job": {
    valid: { spec: job },
    wrong: { spec: { template: { spec: podSpec } } },
    errors: ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  },
  "batch/v1/CronJob": {
    valid: { spec: { schedule: "* * * * *", jobTemplate: { spec: job } } },
    wrong: { spec: { schedule: "daily", jobTemplate: { spec: job } } },
    errors: ['spec.schedule: Invalid value: "daily": expected exactly 5 fields, found 1: [daily]'],
  },
});

test("a job gets labels and a selector made from its uid", () => {
  const matchLabels = { "batch.kubernetes.io/controller-uid": "u" };
  expect(create("batch/v1/Job", { spec: job }).object).toMatchObject({
    spec: { selector: { matchLabels }, template: { metadata: { labels: { ...matchLabels, "job-name": "a" } } } },
  });
});

test("a job without labels shares those of its template, with what is added to them", () => {
  const labeled = { ...job, template: { ...job.template, metadata: { labels: { app: "a" } } } };
  expect(create("batch/v1/Job", { spec: labeled }).object).toMatchObject({
    metadata: { labels: { app: "a", "job-name": "a" } },
  });
  const own = create("batch/v1/Job", { metadata: { labels: { app: "a" } }, spec: labeled }).object;
  expect(own["metadata"]).toMatchObject({ labels: { app: "a" } });
  expect(JSON.stringify(own["metadata"])).not.toContain("job-name");
});
