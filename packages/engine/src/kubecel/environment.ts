/**
 * The environment Kubernetes compiles expressions in, by version.
 *
 * New expressions may use what is available in every server that might have to read them: the compatibility version is
 * the oldest such server. By default it is the version before the server's own, so that an upgrade can be rolled back:
 * a 1.36 server checks new expressions as 1.35 would. Stored expressions may use everything that any version
 * has. Follows apiserver pkg/cel/environment.
 */
import { Environment, NO_TYPES, type Type, type TypeProvider, type VariableDecl } from "@portcullis/cel/internal";
import { currentMinor } from "../value/server-version.ts";
import { baseOptions, celGoOf } from "./base-options.ts";
import { kubernetesCostModel } from "./cost-model.ts";
import type { DeclType } from "./decl-type.ts";
import { cannotConstruct } from "./messages.ts";
import { declTypeProvider } from "./type-provider.ts";
import { type KubernetesVersion, minorOf } from "./versions.ts";

/** `new` for expressions that are created or changed; `stored` for those that are stored already. */
export type ExpressionMode = "new" | "stored";

/** What an expression may use: version, variables, types. */
export interface KubernetesEnvironmentOptions {
  /** The compatibility version. Stored expressions do not depend on it. */
  readonly version: KubernetesVersion;
  readonly mode: ExpressionMode;
  /** The version of the server: that whose rules apply by default. */
  readonly serverVersion?: KubernetesVersion | undefined;
  readonly variables?: Readonly<Record<string, Type>> | readonly VariableDecl[] | undefined;
  /** Named declared types that variables refer to. */
  readonly declared?: readonly DeclType[] | undefined;
  /** Object types besides the declared ones. */
  readonly types?: TypeProvider | undefined;
}

/**
 * Environments of a version share their libraries, so creating one is cheap.
 * @example kubernetesEnvironment({ version: "1.37", mode: "new" }).compile("quantity('1Gi').isInteger()").ok // true
 */
export function kubernetesEnvironment(options: KubernetesEnvironmentOptions): Environment {
  const server = serverMinor(options);
  const minor = options.mode === "stored" ? server : minorOf(options.version);
  const { environment, keywordFields } = baseEnvironment(minor, server);
  const { variables, declared = [], types = NO_TYPES } = options;
  if (variables === undefined && declared.length === 0 && types === NO_TYPES) return environment;
  const provider = declared.length === 0 ? types : combined(declaredTypes(declared, keywordFields), types);
  return environment.extend({ variables, types: provider });
}

function serverMinor({ serverVersion }: KubernetesEnvironmentOptions): number {
  return serverVersion === undefined ? currentMinor() : minorOf(serverVersion);
}

interface BaseEnvironment {
  readonly environment: Environment;
  readonly keywordFields: boolean;
}

const bases = new Map<string, BaseEnvironment>();

function baseEnvironment(minor: number, server: number): BaseEnvironment {
  const key = `${minor} ${server}`;
  let base = bases.get(key);
  if (base === undefined) {
    const { libraries, validators, crossTypeNumericComparisons, keywordFields } = baseOptions(minor, server);
    const patternFunctions = ["matches", "find", "findAll"];
    const settings = {
      validators,
      crossTypeNumericComparisons,
      presenceTestHasCost: false,
      patternFunctions,
      construct: cannotConstruct,
      celGo: celGoOf(server),
    };
    const environment = new Environment({ libraries, costModel: kubernetesCostModel(libraries), settings });
    base = { environment, keywordFields };
    bases.set(key, base);
  }
  return base;
}

function declaredTypes(declared: readonly DeclType[], keywordFields: boolean): TypeProvider {
  return declTypeProvider(declared, { keywordFields });
}

function combined(first: TypeProvider, second: TypeProvider): TypeProvider {
  return {
    findType: (name) => first.findType(name) ?? second.findType(name),
    findField: (typeName, field) => first.findField(typeName, field) ?? second.findField(typeName, field),
  };
}
