/** What is said of components. */
export const outOfReach = (): string => "components cannot be reached from here";
export const noAnswer = (): string => "the store does not answer";
