/** What is said about manifests of policies and webhooks. Follows apiserver pkg/admission/plugin/manifest. */
import { quote } from "@portcullis/gostd/quote";

export const STATIC_SUFFIX = ".static.k8s.io";

export const notLoaded = (plugin: string, noun: string, directory: string, problem: string): string =>
  `failed to initialize admission plugin ${quote(plugin)}: failed to load static ${noun} manifests from ${quote(directory)}: ${problem}`;
export const badFile = (path: string, problem: string): string => `error loading ${path}: ${problem}`;
export const notAnObject = (): string => "couldn't get version/kind; json parse error";
export const notRegistered = (kind: string, apiVersion: string): string =>
  `no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`;
export const unsupportedType = (kind: string): string => `unsupported resource type *v1.${kind}`;
export const invalidObject = (kind: string, name: string, problem: string): string =>
  `${kind} ${quote(name)}: ${problem}`;

export const badName = (name: string, path: string): string =>
  name === ""
    ? `resource in file ${quote(path)} must have a name`
    : `${quote(name)} in file ${quote(path)} must have a name ending with ${quote(STATIC_SUFFIX)}`;
export const duplicateName = (name: string, path: string, before: string): string =>
  `duplicate name ${quote(name)} found in file ${quote(path)} (previously seen in ${quote(before)})`;

export const noParamKind = (kind: string, name: string): string =>
  `${kind} ${quote(name)}: spec.paramKind is not supported for static manifests`;
export const badPolicyName = (binding: string, policy: string): string =>
  policy === ""
    ? `binding ${quote(binding)} must reference a policy (spec.policyName)`
    : `binding ${quote(binding)}: spec.policyName ${quote(policy)} must end with ${quote(STATIC_SUFFIX)}`;
export const noParamRef = (binding: string): string =>
  `binding ${quote(binding)}: spec.paramRef is not supported for static manifests`;
export const noSuchPolicy = (binding: string, policy: string): string =>
  `binding ${quote(binding)} references policy ${quote(policy)} which does not exist in the manifest directory`;

const webhookIn = (webhook: string, configuration: string, path: string): string =>
  `webhook ${quote(webhook)} in ${quote(configuration)} (file ${quote(path)})`;
export const noService = (webhook: string, configuration: string, path: string): string =>
  `${webhookIn(webhook, configuration, path)}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`;
export const urlNeeded = (webhook: string, configuration: string, path: string): string =>
  `${webhookIn(webhook, configuration, path)}: clientConfig.url is required for static manifests`;
