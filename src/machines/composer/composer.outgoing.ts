import { msg } from "@lingui/core/runtime-macro";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Message } from "../../../domain/message.ts";

/** A file of a message that is on the server already. */
export type StoredFile = { url: string; name: string };

/** A reply that the server has not taken yet. */
export type Outgoing = {
  /** Its Idempotency-Key: the same key is never two messages. */
  key: string;
  text: string;
  file: File | StoredFile | null;
  /** ISO, when it was sent by the person. */
  at: string;
  /** `refused`: the server said no, nothing was sent. `unanswered`: whether it was taken is not known. */
  status: "waiting" | "posting" | "refused" | "unanswered";
  reason: UiTextOrString | null;
  /** It had a file that did not outlive a reload: it cannot be asked for again. */
  hasLostFile: boolean;
  /** It is asked for again because no answer came. */
  isRepeated?: boolean;
};

/** What is kept of them over a reload, as text; files cannot be. */
export const storedOutgoing = (outgoing: readonly Outgoing[]): string =>
  JSON.stringify(
    outgoing.map(({ key, text, file, at, status, hasLostFile }) => ({
      key,
      text,
      at,
      status: status === "refused" ? "refused" : "unanswered",
      hasLostFile: hasLostFile || file !== null,
    })),
  );

const LOST = msg`It is not known whether this was sent: the page was left before the answer came.`;
const NOT_SENT = msg`This was not sent.`;
const LOST_FILE = msg`The file did not outlive the reload. Attach it again.`;

/** Reads it back; what cannot be read counts as not there. */
export function outgoingOf(stored: string): Outgoing[] {
  try {
    const all: unknown = JSON.parse(stored);
    if (!Array.isArray(all)) return [];
    return (all as Partial<Outgoing>[]).flatMap(({ key, text, at, status, hasLostFile }) => {
      if (typeof key !== "string" || typeof text !== "string" || typeof at !== "string") return [];
      const isRefused = status === "refused";
      return [
        {
          key,
          text,
          at,
          file: null,
          status: isRefused ? ("refused" as const) : ("unanswered" as const),
          reason: isRefused ? (hasLostFile === true ? LOST_FILE : NOT_SENT) : LOST,
          hasLostFile: hasLostFile === true,
        },
      ];
    });
  } catch {
    return [];
  }
}

/** A message that Telegram did not take, as one to be sent anew. */
export const again = ({ text, media, kind }: Message, key: string, at: string): Outgoing => ({
  key,
  text,
  file: media === null ? null : { url: media.url, name: media.name ?? kind },
  at,
  status: "waiting",
  reason: null,
  hasLostFile: false,
});

/** Whether a message that failed was sent again since, by the same words. */
export function isSentAgain(failed: Message, messages: readonly Message[]): boolean {
  const place = messages.findIndex(({ id }) => id === failed.id);
  return messages
    .slice(place + 1)
    .some(({ source, text, kind }) => source === "reply" && text === failed.text && kind === failed.kind);
}
