export const launchArgs: string[];
export function chromiumPath(): Promise<string>;
