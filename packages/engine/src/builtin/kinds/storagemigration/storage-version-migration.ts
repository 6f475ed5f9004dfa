/** StorageVersionMigration. */
import { NAME, spec, status, text } from "../../columns/column.ts";
import { objectOf, objectsOf, textOf } from "../../object.ts";
import { validateMigration, validateMigrationStatus, validateMigrationUpdate } from "../../validate/migration.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind } from "../kind.ts";

export const storageVersionMigration = defineKind("storagemigration.k8s.io/v1", "StorageVersionMigration", {
  metadata: { update: "both" },
  ownsStatus: true,
  prepareStatusUpdate: keepMetadata,
  validate: validateMigration,
  validateUpdate: validateMigrationUpdate,
  validateStatusUpdate: validateMigrationStatus,
  columns: [
    { ...NAME, format: "" },
    text("Resource", (migration) => {
      const { group, resource } = objectOf(spec(migration), "resource") ?? {};
      return [resource, group].filter((part) => typeof part === "string" && part !== "").join(".");
    }),
    text("Status", (migration) => {
      const held = objectsOf(status(migration), "conditions").findLast((each) => each["status"] === "True");
      return textOf(held, "type");
    }),
  ],
  unconditionalUpdate: false,
  resetFields: STATUS_RESETS_METADATA,
});
