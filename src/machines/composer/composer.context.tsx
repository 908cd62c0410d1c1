import type { Message } from "../../../domain/message.ts";
import { createMachineContext } from "../kit/context.tsx";
import { composerMachine } from "./composer.machine.ts";

const now = () => new Date().toISOString();
const newKey = () => crypto.randomUUID();

const Composer = createMachineContext(composerMachine, (composer) => ({
  changeText: (text: string) => composer.send({ type: "text.change", text }),
  /** What the server keeps for this lead, whoever wrote it. */
  offerDraft: (text: string | null) => composer.send({ type: "draft.offer", text }),
  takeTheirs: () => composer.send({ type: "draft.takeTheirs" }),
  keepMine: () => composer.send({ type: "draft.keepMine" }),
  attach: (file: File) => composer.send({ type: "file.attach", file }),
  removeFile: () => composer.send({ type: "file.remove" }),
  send: () => composer.send({ type: "reply.send", key: newKey(), at: now() }),
  retry: (key: string) => composer.send({ type: "reply.retry", key, newKey: newKey() }),
  discard: (key: string) => composer.send({ type: "reply.discard", key }),
  edit: (key: string) => composer.send({ type: "reply.edit", key }),
  /** Sends a message of ours that failed once more. */
  sendAgain: (message: Message) => composer.send({ type: "message.again", message, key: newKey(), at: now() }),
}));

/** Hands on a composer that outlives its view. */
export const ComposerProvider = Composer.ActorProvider;
export const useComposer = Composer.use;
/** What a person can do in the reply box. */
export const useComposerEvents = Composer.useVerbs;
export const useCanComposer = Composer.useCan;
