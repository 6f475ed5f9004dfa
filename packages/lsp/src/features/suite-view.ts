/** The fields of suites in our own format. */
import type { KindName } from "@portcullis/checker/internal/complete/kind-views";
import { schemaView, type View } from "@portcullis/checker/internal/complete/view";
import { OUTCOMES } from "@portcullis/checker/internal/suites/expectation";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import type { JsonObject } from "@portcullis/engine/internal/value/json";

export function suiteView({ kind }: KindName): View | undefined {
  return kind === "PolicySuite" || kind === "TestSuite" ? schemaView(parseSchema(SUITE), true) : undefined;
}

const text = (description: string): JsonObject => ({ type: "string", description });
const texts = (description: string): JsonObject => ({ type: "array", description, items: { type: "string" } });
const object = (description: string): JsonObject => ({ type: "object", description });

const SUITE: JsonObject = {
  type: "object",
  properties: {
    name: text("The name in reports."),
    policies: texts("Files and folders with policies, bindings and what they read."),
    with: texts("Files or objects that policies read: params, namespaces, roles."),
    base: object("An object that the cases change."),
    tests: {
      type: "array",
      description: "One request each, with what is expected of it.",
      items: {
        type: "object",
        required: ["expect"],
        properties: {
          name: text("The name in reports."),
          operation: { type: "string", enum: ["CREATE", "UPDATE", "DELETE", "CONNECT"] },
          object: object("The object of the request, or the path of its file."),
          oldObject: object("The object before an update."),
          change: object("A merge patch of the base object."),
          oldChange: object("A merge patch of the base object, for the object before."),
          user: text("The name of the user."),
          groups: texts("The groups of the user."),
          namespace: text("The namespace of the request."),
          params: texts("Params of the policies."),
          expect: { type: "string", enum: [...OUTCOMES], description: "What the policies must decide." },
          message: text("The expected message, or /a pattern/ in Go's syntax."),
          reason: text("The expected reason."),
          code: { type: "integer", description: "The expected status code." },
          warnings: texts("Each must be among the warnings."),
          auditAnnotations: { type: "object", additionalProperties: { type: "string" } },
        },
      },
    },
  },
};
