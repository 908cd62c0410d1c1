/** Combines subscriptions into one: returns a function that ends all of them. */
export const unsubscribeAll =
  (unsubscribes: readonly (() => void)[]): (() => void) =>
  () =>
    unsubscribes.forEach((unsubscribe) => unsubscribe());
