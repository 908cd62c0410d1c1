/** A gateway whose code is loaded by its first call; every call waits for it and then goes on as written. */
export function lazily<Gateway extends object>(load: () => Promise<Gateway>): Gateway {
  return new Proxy({} as Gateway, {
    get:
      (_target, name) =>
      async (...input: unknown[]) => {
        const gateway = (await load()) as Record<string | symbol, (...input: unknown[]) => unknown>;
        return gateway[name]?.(...input);
      },
  });
}

/** Keeps the first success; a failure is forgotten so that the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}
