import { createHash } from "node:crypto";

/** Each session keeps what it has prepared, so only a few hot reads are named, never statements that vary with a request. */
const MOST = 200;

/** Starts a statement that each session prepares once, by name. Later calls skip parsing and, if one plan fits all, planning. */
export const HOT_STATEMENT = "/* hot */";

/** Names hot statements by their text, which never contains a caller's values. */
export function createStatementNames(): (text: string) => string | null {
  const names = new Map<string, string>();
  return (text) => {
    if (!text.startsWith(HOT_STATEMENT)) return null;
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST) return known ?? null;
    const name = `hot_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
    names.set(text, name);
    return name;
  };
}
