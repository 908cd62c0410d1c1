import type { Message } from "../../../domain/message.ts";
import { failureOf } from "../../../domain/problem.ts";
import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import type { KeptFile, Outgoing } from "./composer.outgoing.ts";

export type ComposerGateway = {
  reply(input: { leadId: string; text: string; file: File | null; key: string }): Promise<Message>;
  /** Keeps a draft where the one it was typed over still stands; answers null, or the one that stands there instead. */
  saveDraft(input: { leadId: string; text: string; over: string }): Promise<string | null>;
  /** The file of a message of ours, to be sent once more. */
  readFile(file: KeptFile): Promise<File>;
};

/** What is kept of a reply box; `saved` is the draft that `text` was typed over. */
export type Kept = { text: string; saved: string; outgoing: string; file: string };

export type ComposerDeps = {
  composer: ComposerGateway;
  /** Tells the conversation of a reply that the server took. */
  tellAccepted(leadId: string, message: Message): void;
  /** Tells of a reply that was not taken, in case nobody sees it. */
  tellUnsent(leadId: string, words: string): void;
  /** Keeps what is typed, and what is not sent, over a reload. */
  keep(leadId: string, kept: Kept): void;
  logger: Logger;
};

/** The draft that the server keeps now; `isTheirs`: somebody else wrote it, and ours was not taken. */
export type SavedDraft = { text: string; isTheirs: boolean };

/** What came of handing a reply over. */
export type Verdict = { kind: "accepted"; message: Message } | { kind: "refused"; words: string };

export const UNANSWERED = "No answer came. It is not known whether this was sent.";

export const placeholderActors = {
  postReply: notProvided<Verdict, { leadId: string; reply: Outgoing | undefined }>("postReply"),
  saveDraft: notProvided<SavedDraft, { leadId: string; text: string; over: string }>("saveDraft"),
};

export const createComposerActors = ({ composer }: ComposerDeps): typeof placeholderActors => ({
  postReply: fromPromise(async ({ input: { leadId, reply } }) => {
    if (reply === undefined) throw new Error("nothing is to be sent");
    try {
      const file = reply.file === null || reply.file instanceof File ? reply.file : await composer.readFile(reply.file);
      const message = await composer.reply({ leadId, text: reply.text, file, key: reply.key });
      return { kind: "accepted", message };
    } catch (error) {
      const { status, message } = failureOf(error);
      // A timeout answers 408 and says nothing of what was done.
      if (status === null || status === 408 || status >= 500) throw error;
      return { kind: "refused", words: message ?? "The message was not taken." };
    }
  }),
  saveDraft: fromPromise(async ({ input }) => {
    const theirs = await composer.saveDraft(input);
    return { text: theirs ?? input.text, isTheirs: theirs !== null };
  }),
});
