/** VolumeAttachment. */
import { AGE, flag, NAME, spec, specText, status, text } from "../../columns/column.ts";
import { fillHostPath } from "../../defaults/volumes.ts";
import { objectOf, textOf } from "../../object.ts";
import {
  validateAttachment,
  validateAttachmentStatusUpdate,
  validateAttachmentUpdate,
} from "../../validate/storage/csi.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind } from "../kind.ts";

export const volumeAttachment = defineKind("storage.k8s.io/v1", "VolumeAttachment", {
  defaults: { "v1.HostPathVolumeSource": fillHostPath },
  metadata: { update: "whole" },
  validatedTwiceBefore: "1.35",
  ownsStatus: true,
  prepareStatusUpdate: keepMetadata,
  validate: validateAttachment,
  validateUpdate: validateAttachmentUpdate,
  validateStatusUpdate: validateAttachmentStatusUpdate,
  columns: [
    NAME,
    { ...specText("Attacher", "attacher"), format: "name" },
    text("PV", (object) => textOf(objectOf(spec(object), "source"), "persistentVolumeName")),
    specText("Node", "nodeName"),
    flag("Attached", (object) => status(object)["attached"] === true),
    AGE,
  ],
  unconditionalUpdate: false,
  returnsDeletedObject: true,
  resetFields: STATUS_RESETS_METADATA,
});
