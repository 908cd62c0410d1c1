/** The placeholders of a message. */
export const PLACEHOLDERS = ["name", "first_name", "username", "stage"] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The lead's values for placeholders. `name` is as in Telegram, `username` without its @. */
export type Recipient = { name: string | null; username: string | null; stage: string | null };

type Named = { name: string | null; username: string | null; stage_id: string | null };

/** Returns a lead's values for placeholders, or those it would have in the stage `stageId`. */
export function recipientOf(
  lead: Named | null,
  stages: readonly { id: string; name: string | null }[],
  stageId = lead?.stage_id ?? null,
): Recipient {
  const stage = stages.find(({ id }) => id === stageId);
  return { name: lead?.name ?? null, username: lead?.username ?? null, stage: stage?.name ?? null };
}

const PATTERN = new RegExp(`\\{(${PLACEHOLDERS.join("|")})(?:\\|([^{}]*))?\\}`, "g");

/**
 * Fills `{name} {first_name} {username} {stage}` of a text; one without a value gives its fallback (`{first_name|friend}`), or nothing.
 * Any other brace stays as typed, and inserted values are not parsed again.
 * @param most if the filled text would be longer (UTF-16 units), fallbacks replace the values
 */
export function fillPlaceholders(text: string, person: Recipient, most = Number.POSITIVE_INFINITY): string {
  const values: Record<Placeholder, string> = {
    name: person.name?.trim() ?? "",
    first_name: person.name?.trim().split(/\s+/)[0] ?? "",
    username: person.username ?? "",
    stage: person.stage ?? "",
  };
  const filled = text.replaceAll(
    PATTERN,
    (_whole, name: Placeholder, fallback: string | undefined) => values[name] || (fallback ?? ""),
  );
  if (filled.length <= most) return filled;
  return text.replaceAll(PATTERN, (_whole, _name, fallback: string | undefined) => fallback ?? "");
}

const BRACES = /\{[^{}\n]{1,100}\}/g;
const once = (found: readonly string[]): string[] => [...new Set(found)];

/** The known placeholders of a text as written, without duplicates. */
export const placeholdersIn = (text: string): string[] => once(text.match(PATTERN) ?? []);

/** The braces of a text except those of a pattern, without duplicates. */
export const bracesExcept = (known: RegExp, text: string): string[] =>
  once(text.replaceAll(known, "").match(BRACES) ?? []);

/** The unknown placeholders of a text, without duplicates: they are sent as written. */
export const unknownBraces = (text: string): string[] => bracesExcept(PATTERN, text);

/** True when a text differs by recipient. */
export const hasPlaceholders = (text: string): boolean => text.search(PATTERN) >= 0;
