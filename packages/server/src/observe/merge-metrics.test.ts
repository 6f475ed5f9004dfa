import { expect, test } from "vitest";
import { mergeMetrics } from "./merge-metrics.ts";
import { ServerMetrics } from "./server-metrics.ts";

const LABELS = { verb: "GET", resource: "pods", dry_run: "", scope: "resource" };
const size = 2_000;

test("values of the same series are added up, and each family has one head", () => {
  const [one, two] = [new ServerMetrics(() => 0), new ServerMetrics(() => 0)];
  const files = { openFiles: 3, maxFiles: 100, addresses: 1_000, maxAddresses: 2 ** 64, received: 70, sent: 80 };
  one.addProcess(() => ({ cpu: 1.5, memory: 10, start: 100, files }));
  two.addProcess(() => ({ cpu: 2, memory: 20, start: 101, files: { ...files, received: 71 } }));
  one.request(LABELS, 200, { seconds: 0.3, size });
  two.request(LABELS, 200, { seconds: 0.3, size });
  two.request({ ...LABELS, verb: "LIST" }, 504, { seconds: 2, size });
  two.inflight(true, 1);
  one.health.checked("ping", "readyz", true);
  one.health.checked("etcd", "readyz", true);
  two.health.checked("etcd", "readyz", false);
  const text = mergeMetrics([one.text(), two.text()]);
  expect(text).toContain(
    'apiserver_request_total{code="200",dry_run="",resource="pods",scope="resource",verb="GET"} 2',
  );
  expect(text).toContain(
    'apiserver_request_sli_duration_seconds_bucket{resource="pods",scope="resource",verb="GET",le="0.4"} 2',
  );
  expect(text).toContain('apiserver_response_sizes_sum{resource="pods",scope="resource",verb="GET"} 4000');
  expect(text).toContain(
    'apiserver_request_terminations_total{code="504",resource="pods",scope="resource",verb="LIST"} 1',
  );
  expect(text).toContain('apiserver_current_inflight_requests{request_kind="mutating"} 1');
  expect(text).toContain("process_cpu_seconds_total 3.5\n");
  expect(text).toContain("process_start_time_seconds 101\n");
  expect(text).toContain("process_open_fds 6\n");
  expect(text).toContain("process_network_receive_bytes_total 71\n");
  expect(text).toContain("process_network_transmit_bytes_total 80\n");
  expect(text).toContain("process_virtual_memory_max_bytes 18446744073709552000\n");
  expect(text).toContain('kubernetes_healthcheck{name="ping",type="readyz"} 1\n');
  expect(text).toContain('kubernetes_healthcheck{name="etcd",type="readyz"} 0\n');
  const heads = text.split("\n").filter((line) => line.startsWith("# TYPE"));
  expect(new Set(heads).size).toBe(heads.length);
  expect(mergeMetrics([one.text()])).toBe(one.text());
});
