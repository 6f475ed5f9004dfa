/** Defaults of volumes and claims that several kinds share. Follows pkg/apis/core/v1/defaults.go. */
import { type Draft, fill, fillZero, inner } from "./draft.ts";

export function fillHostPath(source: Draft): void {
  fill(source, "type", "");
}

export function fillClaimSpec(spec: Draft): void {
  fill(spec, "volumeMode", "Filesystem");
}

export function fillClaimPhase(claim: Draft): void {
  fillZero(inner(claim, "status"), "phase", "Pending");
}
