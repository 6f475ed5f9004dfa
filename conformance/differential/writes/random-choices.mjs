/** Choices that depend on whether a random object is to have mistakes. */

/** The members that are made with a probability. */
export function sometimes(random, probability, make) {
  return random.bool(probability) ? make() : {};
}

/** What is often wrong is left out of clean CRDs. */
export function rarely(random, probability, make) {
  return random.isClean !== true && random.bool(probability) ? make() : {};
}

/** The first of a list in clean CRDs. */
export function right(random, values, count = 1) {
  return random.pick(random.isClean === true ? values.slice(0, count) : values);
}
