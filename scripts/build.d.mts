/** Builds dist/web if its sources have changed. */
export function ensureWebBuild(): Promise<void>;
