/** What the server chose by itself was taken meanwhile: another choice may succeed. */
export class ChoiceTaken extends Error {
  override readonly name = "ChoiceTaken";
}
