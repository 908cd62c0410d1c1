import type { ConversationSnapshot } from "./conversation.machine.ts";

export const selectLead = (conversation: ConversationSnapshot) => conversation.context.lead;
/** Oldest first. */
export const selectMessages = (conversation: ConversationSnapshot) => conversation.context.stretch.messages;
/** The newest message of theirs that was shown: not those that arrived below the place the user scrolled to. */
export const selectNewestShown = ({ context: { stretch, below } }: ConversationSnapshot) =>
  stretch.messages.filter(({ direction }) => direction === "in").at(-1 - below)?.id;
export const selectBelow = (conversation: ConversationSnapshot) => conversation.context.below;
export const selectTold = (conversation: ConversationSnapshot) => conversation.context.told;
export const selectIsLoading = (conversation: ConversationSnapshot) => conversation.hasTag("loading");
export const selectIsMissing = (conversation: ConversationSnapshot) => conversation.hasTag("missing");
export const selectIsExtending = (conversation: ConversationSnapshot) => conversation.hasTag("extending");
export const selectIsUnextended = (conversation: ConversationSnapshot) => conversation.matches({ older: "unextended" });
export const selectIsFollowing = (conversation: ConversationSnapshot) => conversation.matches({ place: "following" });
