import { type ComposerSnapshot, excessOf } from "./composer.machine.ts";

export const selectText = (composer: ComposerSnapshot) => composer.context.text;
export const selectFile = (composer: ComposerSnapshot) => composer.context.file;
/** Why there is no file where a person put one. */
export const selectRefusedFile = ({ context: { refusedFile, lostFile } }: ComposerSnapshot): string | null =>
  refusedFile ?? (lostFile === "" ? null : `The file ${lostFile} did not outlive the reload. Attach it again.`);
export const selectOutgoing = (composer: ComposerSnapshot) => composer.context.outgoing;
/** How many characters are too many; 0 where none are. */
export const selectExcess = (composer: ComposerSnapshot) => excessOf(composer.context);
/** Replies wait behind one that is being handed over. */
export const selectHasWaiting = (composer: ComposerSnapshot) =>
  composer.context.outgoing.some(({ status }) => status === "waiting");
/** Nothing here needs this actor any more: all of it is on the server. */
export const selectIsIdle = (composer: ComposerSnapshot) =>
  composer.matches({ draft: "kept", post: "resting" }) &&
  composer.context.file === null &&
  composer.context.outgoing.length === 0;
/** Another draft for the lead, beside the one that is being typed; null while there is none. */
export const selectTheirs = (composer: ComposerSnapshot): string | null =>
  composer.matches({ draft: "contested" }) ? composer.context.theirs : null;
