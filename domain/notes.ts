/** What was typed over notes, and below it what came to the stored ones meanwhile. */
export function withTheirs(typed: string, over: string, stored: string): string {
  const head = over === "" ? "" : `${over}\n`;
  const known = new Set([...over.split("\n"), ...typed.split("\n")]);
  const lines = stored.split("\n");
  const theirs = stored.startsWith(head)
    ? stored.slice(head.length)
    : lines.filter((line) => !known.has(line)).join("\n");
  return [typed, theirs].filter((text) => text !== "").join("\n");
}
