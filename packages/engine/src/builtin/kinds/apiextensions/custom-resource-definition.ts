/** CustomResourceDefinition. It is decoded, prepared and validated in `crd`. */
import { STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind } from "../kind.ts";

export const customResourceDefinition = defineKind("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
  resetFields: STATUS_RESETS_METADATA,
  storagePrefix: "apiextensions.k8s.io/customresourcedefinitions",
});
