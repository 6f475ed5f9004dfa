/** What all examples test: code that talks to a cluster. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as k8s from "@kubernetes/client-node";

export const CRD = path.join(path.dirname(fileURLToPath(import.meta.url)), "crd.yaml");

const KIND = { group: "example.com", version: "v1", namespace: "default", plural: "widgets" };

/** Creates a widget with the official client; the answer of the server is the error. */
export function createWidget(api, name, size) {
  const client = api.client(k8s).makeApiClient(k8s.CustomObjectsApi);
  const body = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, spec: { size } };
  return client.createNamespacedCustomObject({ ...KIND, body });
}

export async function countWidgets(api) {
  const { items } = await api.client(k8s).makeApiClient(k8s.CustomObjectsApi).listNamespacedCustomObject(KIND);
  return items.length;
}
