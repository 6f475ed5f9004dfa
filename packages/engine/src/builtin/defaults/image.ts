/** The tag of an image decides how often it is pulled. Follows the reference grammar of distribution. */

const COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const DOMAIN = "(?:[a-zA-Z0-9-]+(?:\\.[a-zA-Z0-9-]+)*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";
const NAME = `(?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*`;
const REFERENCE = new RegExp(
  `^${NAME}(?::(?<tag>\\w[\\w.-]{0,127}))?(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);
const MAX_LENGTH = 1024;

/** A name that cannot be read has no tag. */
export function pullPolicy(image: string): "Always" | "IfNotPresent" {
  const groups = image.length > MAX_LENGTH ? undefined : REFERENCE.exec(image)?.groups;
  if (groups === undefined) return "IfNotPresent";
  const { tag, digest } = groups;
  return tag === "latest" || (tag === undefined && digest === undefined) ? "Always" : "IfNotPresent";
}
