import { createHash } from "node:crypto";

/** Each session keeps what it has prepared: shapes of a few hot reads, not what a caller makes up. */
const MOST = 200;

/** Begins a statement that a session prepares once, by name, and from then on neither parses nor (where one plan serves all) plans again. */
export const HOT_STATEMENT = "/* hot */";

/** Names hot statements by their text, which never holds a caller's values. */
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
