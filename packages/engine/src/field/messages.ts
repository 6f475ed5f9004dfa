/** Ours: upstream lists all errors, whatever the size of the answer. */
export function moreErrors(): string {
  return "there are more errors than an answer can hold; correct these to see the others";
}
