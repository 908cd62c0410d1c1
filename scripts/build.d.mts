/** Makes dist/web equal to the sources. */
export function ensureWebBuild(): Promise<void>;
