/** What a message may hold in place of a word about the person. */
export const PLACEHOLDERS = ["name", "first_name", "username", "stage"] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** What is known of a person for a message. `name` is as Telegram writes it, `username` without its @. */
export type Recipient = { name: string | null; username: string | null; stage: string | null };

type Named = { name: string | null; username: string | null; stage_id: string | null };

/** A lead as its messages are filled for, or as they would be in the stage `stageId`. */
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
 * Any other brace stays as typed, and what is filled in is not read again.
 * @param most where the filled text would be longer (UTF-16 units), fallbacks take the values' place
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

/** The braces of a text that are filled in, as they are written, each once. */
export const placeholdersIn = (text: string): string[] => once(text.match(PATTERN) ?? []);

/** The braces of a text but those of a pattern, each once. */
export const bracesBut = (known: RegExp, text: string): string[] =>
  once(text.replaceAll(known, "").match(BRACES) ?? []);

/** The braces of a text that are not known, each once: they go out as written. */
export const unknownBraces = (text: string): string[] => bracesBut(PATTERN, text);

/** True when a text would read differently for different people. */
export const hasPlaceholders = (text: string): boolean => text.search(PATTERN) >= 0;
