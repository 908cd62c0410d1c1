import type { Message } from "../../../domain/message.ts";
import { failureOf } from "../../../domain/problem.ts";
import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import type { KeptFile, Outgoing } from "./composer.outgoing.ts";

export type ComposerGateway = {
  reply(input: { leadId: string; text: string; file: File | null; key: string }): Promise<Message>;
  saveDraft(input: { leadId: string; text: string }): Promise<void>;
  /** The file of a message of ours, to be sent once more. */
  readFile(file: KeptFile): Promise<File>;
};

export type ComposerDeps = {
  composer: ComposerGateway;
  /** Tells the conversation of a reply that the server took. */
  tellAccepted(leadId: string, message: Message): void;
  /** Tells of a reply that was not taken, in case nobody sees it. */
  tellUnsent(leadId: string, words: string): void;
  /** Keeps what is typed, and what is not sent, over a reload. */
  keep(leadId: string, kept: { text: string; outgoing: string; file: string }): void;
  logger: Logger;
};

/** What came of handing a reply over. */
export type Verdict = { kind: "accepted"; message: Message } | { kind: "refused"; words: string };

export const UNANSWERED = "No answer came. It is not known whether this was sent.";

export const placeholderActors = {
  postReply: notProvided<Verdict, { leadId: string; reply: Outgoing | undefined }>("postReply"),
  saveDraft: notProvided<{ text: string }, { leadId: string; text: string }>("saveDraft"),
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
    await composer.saveDraft(input);
    return { text: input.text };
  }),
});
