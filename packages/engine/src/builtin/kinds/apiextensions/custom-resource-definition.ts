/** CustomResourceDefinition. It is decoded, prepared and validated in `crd`. */
import { defineKind } from "../kind.ts";

export const customResourceDefinition = defineKind("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
  storagePrefix: "apiextensions.k8s.io/customresourcedefinitions",
});
