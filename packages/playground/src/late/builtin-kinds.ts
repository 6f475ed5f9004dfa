/** The built-in kinds: a sixth of all code, and nothing that a custom resource needs. Loaded after the rest. */
export { builtinResources } from "@portcullis/engine/builtin/builtin";
export { resourceInfos } from "@portcullis/engine/builtin/resources";
