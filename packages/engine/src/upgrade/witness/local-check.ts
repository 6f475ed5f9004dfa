/**
 * Whether the schema of one node, with everything below it, accepts a value. Uses the server's own steps, except rules.
 */
import { applyDefaults } from "../../schema/default.ts";
import { validateEmbedded } from "../../schema/embedded.ts";
import { validateListTypes } from "../../schema/list-type.ts";
import { dropNulls } from "../../schema/nulls.ts";
import { prune } from "../../schema/prune.ts";
import type { Structural } from "../../schema/structural.ts";
import { compileValidator, type SchemaValidator } from "../../schema/validate.ts";
import type { JsonValue } from "../../value/json.ts";

export class LocalCheck {
  readonly minor: number;
  readonly #validators = new WeakMap<Structural, SchemaValidator>();

  constructor(minor: number) {
    this.minor = minor;
  }

  /** The value as it is stored. */
  normalize(schema: Structural, value: JsonValue): JsonValue {
    return applyDefaults(dropNulls(prune(value, schema, { isResourceRoot: false }), schema), schema);
  }

  accepts(schema: Structural, value: JsonValue): boolean {
    const normalized = this.normalize(schema, value);
    return (
      this.validator(schema).validate(normalized).length === 0 &&
      validateListTypes(schema, normalized).length === 0 &&
      validateEmbedded(normalized, schema, false).length === 0
    );
  }

  /** Validates only: branches of combinators neither prune nor default. */
  matches(schema: Structural, value: JsonValue): boolean {
    return this.validator(schema).validate(value).length === 0;
  }

  /** Keywords that refuse the value, by the origin of their errors. */
  refusals(schema: Structural, value: JsonValue): readonly string[] {
    const normalized = this.normalize(schema, value);
    return [...this.validator(schema).validate(normalized), ...validateListTypes(schema, normalized)].map(
      ({ origin }) => origin,
    );
  }

  validator(schema: Structural): SchemaValidator {
    const known = this.#validators.get(schema);
    if (known !== undefined) return known;
    const made = compileValidator(schema, { minor: this.minor });
    this.#validators.set(schema, made);
    return made;
  }
}
