/** Something that others wait for before it is begun. */
export class Opening<T> {
  readonly promise: Promise<T>;
  #resolve: (value: T) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Waiting callers get the error; nobody has to wait.
    this.promise.catch(() => {});
  }

  async complete(make: () => Promise<T>): Promise<T> {
    try {
      const made = await make();
      this.#resolve(made);
      return made;
    } catch (error) {
      this.#reject(error);
      throw error;
    }
  }
}
