/** How long a pod is given to end. Follows CheckGracefulDelete of kubernetes pkg/registry/core/pod/strategy.go. */
import { isInteger, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { textOf } from "../../value/metadata.ts";

export function podGracePeriod(pod: JsonObject, requested: number | undefined): number {
  const [nodeName, own] = [memberOf(pod["spec"], "nodeName"), memberOf(pod["spec"], "terminationGracePeriodSeconds")];
  const phase = textOf(memberOf(pod["status"], "phase"));
  // Nothing has to end where no kubelet runs the pod, or where its containers are done.
  if (textOf(nodeName) === "" || phase === "Failed" || phase === "Succeeded") return 0;
  const period = requested ?? (isInteger(own) ? Number(own) : 0);
  return period < 0 ? 1 : period;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) ? value[key] : undefined;
}
