/** The code that makes calls which change something, or bring files. It comes with the first of them: what is read needs none. */
export const loadClient = () => import("./calls.ts");

/** Fetches that code ahead of the first call; a failure is that call's. */
export const loadCallsAhead = (): void => void loadClient().catch(() => {});
