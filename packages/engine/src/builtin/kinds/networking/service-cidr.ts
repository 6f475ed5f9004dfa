/** ServiceCIDR: a range that addresses of services are taken from. */
import { AGE, NAME, spec, text } from "../../columns/column.ts";
import { textsOf } from "../../object.ts";
import { validateServiceCidr, validateServiceCidrUpdate } from "../../validate/networking/cidrs.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind } from "../kind.ts";

export const serviceCidr = defineKind("networking.k8s.io/v1", "ServiceCIDR", {
  ownsStatus: true,
  statusGate: "ServiceCIDRStatusFieldWiping",
  prepareStatusUpdate: keepMetadata,
  validate: validateServiceCidr,
  validateUpdate: validateServiceCidrUpdate,
  columns: [NAME, text("CIDRs", (range) => textsOf(spec(range), "cidrs").join(",")), AGE],
  resetFields: STATUS_RESETS_METADATA,
  resetsSince: "1.36",
});
