import { expect, test } from "vitest";
import { placesOfType } from "./type-places.ts";

test.each([
  {
    type: "io.k8s.api.core.v1.Container",
    resources: ["pods"],
    places: ["spec.initContainers[*]", "spec.containers[*]"],
  },
  {
    type: "io.k8s.api.core.v1.Container",
    resources: ["deployments"],
    places: ["spec.template.spec.initContainers[*]", "spec.template.spec.containers[*]"],
  },
  { type: "io.k8s.api.core.v1.ServicePort", resources: ["services", "pods"], places: ["spec.ports[*]"] },
  { type: "io.k8s.api.core.v1.Container", resources: ["configmaps"], places: [] },
  { type: "io.k8s.api.core.v1.Container", resources: ["*"], places: [] },
])("$type in $resources is at $places", ({ type, resources, places }) => {
  expect(placesOfType(type, resources)).toEqual(places);
});
