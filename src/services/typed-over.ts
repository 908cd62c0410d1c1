import { failureOf } from "../../domain/problem.ts";
import type { Http } from "./http.ts";
import { type Unanswered, createUnanswered } from "./unanswered.ts";

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
  {
    bodyOf,
    read,
    unanswered = createUnanswered(),
  }: {
    bodyOf: (text: string) => object;
    read: (leadId: string) => Promise<string>;
    unanswered?: Unanswered;
  },
) {
  return async function write({ leadId, text, over }: Change): Promise<string | null> {
    const mark = await markOf(over);
    if (mark === null) {
      // Looked at before instead; where that cannot be, the person's words are saved.
      const stored = await read(leadId).catch(() => over);
      if (![over, text, "", ...unanswered.of(leadId)].includes(stored)) return stored;
    }
    const own = unanswered.of(leadId);
    unanswered.keep(leadId, [...own.filter((sent) => sent !== text), text]);
    try {
      await http(`/leads/${encodeURIComponent(leadId)}`, { method: "PATCH", body: bodyOf(text), headers: mark ?? {} });
    } catch (error) {
      const { status } = failureOf(error);
      // Refused for certain: it stands nowhere, unless it was sent before. What was forgotten meanwhile does not come back.
      if (status !== null && status < 500 && !own.includes(text))
        unanswered.keep(
          leadId,
          unanswered.of(leadId).filter((sent) => sent !== text),
        );
      if (status !== 412) throw error;
      const stored = await read(leadId);
      if (own.includes(stored)) return write({ leadId, text, over: stored });
      unanswered.keep(leadId, []);
      return stored;
    }
    unanswered.keep(leadId, []);
    return null;
  };
}
