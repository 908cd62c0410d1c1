import { failureOf } from "../../domain/problem.ts";
import type { Http } from "./http.ts";

type Change = { leadId: string; text: string; over: string };

/** The mark of the text that a change is typed over; none where the page may not make it, over http from another machine. */
async function markOf(text: string): Promise<Record<string, string> | null> {
  if (crypto.subtle === undefined) return null;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return { "If-Match": `"${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}"` };
}

/**
 * Writes a text of a lead where it is still the one that was typed over. Answers null once it is written, and what stands there instead
 * where somebody else has changed it; what this page wrote itself, in calls that were not answered, is not somebody else's.
 */
export function createTypedOver(
  http: Http,
  { bodyOf, read }: { bodyOf: (text: string) => object; read: (leadId: string) => Promise<string> },
) {
  const unanswered = new Map<string, string[]>();
  return async function write({ leadId, text, over }: Change): Promise<string | null> {
    const own = unanswered.get(leadId) ?? [];
    const mark = await markOf(over);
    if (mark === null) {
      // Looked at before instead; where that cannot be, the person's words are saved.
      const stored = await read(leadId).catch(() => over);
      if (![over, text, "", ...own].includes(stored)) return stored;
    }
    unanswered.set(leadId, [...own, text]);
    try {
      await http(`/leads/${encodeURIComponent(leadId)}`, { method: "PATCH", body: bodyOf(text), headers: mark ?? {} });
    } catch (error) {
      if (failureOf(error).status !== 412) throw error;
      unanswered.set(leadId, own);
      const stored = await read(leadId);
      if (own.includes(stored)) return write({ leadId, text, over: stored });
      unanswered.delete(leadId);
      return stored;
    }
    unanswered.delete(leadId);
    return null;
  };
}

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
