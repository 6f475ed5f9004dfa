/** Defaults of pods and of their templates in other kinds. Follows pkg/apis/core/v1/defaults.go. */
import { isEnabled } from "../../value/gates.ts";
import { newObject } from "../../value/json.ts";
import { objectOf, textOf } from "../object.ts";
import { type Draft, type Fillers, fill, fillZero } from "./draft.ts";
import { pullPolicy } from "./image.ts";
import { fillClaimSpec, fillHostPath } from "./volumes.ts";

const FILE_MODE = 0o644;
const HOUR = 3600;

export const podDefaults: Fillers = {
  "v1.PodSpec": (spec) => {
    fillZero(spec, "dnsPolicy", "ClusterFirst");
    fillZero(spec, "restartPolicy", "Always");
    fill(spec, "securityContext", newObject());
    fill(spec, "terminationGracePeriodSeconds", 30);
    fillZero(spec, "schedulerName", "default-scheduler");
    mirrorServiceAccount(spec);
  },
  "v1.Container": fillContainer,
  "v1.EphemeralContainer": fillContainer,
  "v1.Probe": (probe) => {
    fillZero(probe, "timeoutSeconds", 1);
    fillZero(probe, "periodSeconds", 10);
    fillZero(probe, "successThreshold", 1);
    fillZero(probe, "failureThreshold", 3);
  },
  "v1.HTTPGetAction": (action) => {
    fillZero(action, "path", "/");
    fillZero(action, "scheme", "HTTP");
  },
  "v1.ObjectFieldSelector": (selector) => fillZero(selector, "apiVersion", "v1"),
  "v1.Volume": (volume) => {
    const image = objectOf(volume, "image");
    if (Object.keys(volume).every((key) => key === "name")) volume["emptyDir"] = newObject();
    if (image !== undefined && isEnabled("ImageVolume"))
      fillZero(image, "pullPolicy", pullPolicy(textOf(image, "reference")));
  },
  "v1.SecretVolumeSource": (source) => fill(source, "defaultMode", FILE_MODE),
  "v1.ConfigMapVolumeSource": (source) => fill(source, "defaultMode", FILE_MODE),
  "v1.DownwardAPIVolumeSource": (source) => fill(source, "defaultMode", FILE_MODE),
  "v1.ProjectedVolumeSource": (source) => fill(source, "defaultMode", FILE_MODE),
  "v1.ServiceAccountTokenProjection": (token) => fill(token, "expirationSeconds", HOUR),
  "v1.HostPathVolumeSource": fillHostPath,
  "v1.PersistentVolumeClaimSpec": fillClaimSpec,
};

function fillContainer(container: Draft): void {
  fillZero(container, "imagePullPolicy", pullPolicy(textOf(container, "image")));
  fillZero(container, "terminationMessagePath", "/dev/termination-log");
  fillZero(container, "terminationMessagePolicy", "File");
}

/** Two names of one field; upstream's conversion writes both. */
function mirrorServiceAccount(spec: Draft): void {
  const name = textOf(spec, "serviceAccountName") || textOf(spec, "serviceAccount");
  if (name === "") return;
  spec["serviceAccountName"] = name;
  spec["serviceAccount"] = name;
}
