/** A small seeded random number generator. */
export function randomFrom(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < 8; i++) next();
  const below = (n) => Math.floor(next() * n);
  const pick = (items) => items[below(items.length)];
  return { below, pick, bool: (p) => next() < p };
}
