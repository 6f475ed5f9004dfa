/**
 * What Kubernetes charges for calls, ahead of the language's own prices.
 *
 * Prices go by the name of the function alone: a user's `name()` costs what the authorizer's does. Estimates decide
 * which CRDs may be written, so any change to them is a breaking one. The two tables differ in places; both follow
 * apiserver pkg/cel/library/cost.go.
 */
import type { CostModel } from "@portcullis/cel";
import { callPrice } from "./cost-actual.ts";
import { estimateCall } from "./cost-estimate.ts";

export const kubernetesCostModel: CostModel = { callPrice, estimateCall };
