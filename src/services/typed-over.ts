import { failureOf } from "../../domain/problem.ts";
import { leadPath } from "./addresses.ts";
import type { Http } from "./http.ts";
import { type Unanswered, createUnanswered } from "./unanswered.ts";

type Change = { leadId: string; text: string; over: string };

/** Returns the hash header of the text that an edit is based on; null if the browser has no crypto API, as over plain HTTP. */
async function markOf(text: string): Promise<Record<string, string> | null> {
  if (crypto.subtle === undefined) return null;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return { "If-Match": `"${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}"` };
}

/**
 * Writes a lead's text if the stored text is still the one that the edit is based on. Returns null once written, or the stored text if
 * another device has changed it. Texts that this page sent without a response count as its own.
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
      // Compares by reading instead; if that fails, saves the user's text.
      const stored = await read(leadId).catch(() => over);
      if (![over, text, "", ...unanswered.of(leadId)].includes(stored)) return stored;
    }
    const own = unanswered.of(leadId);
    unanswered.keep(leadId, [...own.filter((sent) => sent !== text), text]);
    try {
      await http(leadPath(leadId), { method: "PATCH", body: bodyOf(text), headers: mark ?? {} });
    } catch (error) {
      const { status } = failureOf(error);
      // Refused, so it is not stored, unless an earlier attempt arrived. A removed text is not restored.
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
