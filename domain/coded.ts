const CODED = /^([a-z_0-9]+)(?: (\{.*\}))?$/s;

/** Reads a code and its parameters; the code is null for what is none. */
export function readCoded(written: string): { code: string | null; params: Record<string, unknown> } {
  const [, code = null, json = "{}"] = CODED.exec(written) ?? [];
  return { code, params: JSON.parse(json) as Record<string, unknown> };
}
