import type { InboxSnapshot } from "./inbox.machine.ts";

export const selectItems = (inbox: InboxSnapshot) => inbox.context.items;
export const selectView = (inbox: InboxSnapshot) => inbox.context.place.view;
export const selectOrder = (inbox: InboxSnapshot) => inbox.context.order;
export const selectPlace = (inbox: InboxSnapshot) => inbox.context.place;
export const selectTyped = (inbox: InboxSnapshot) => inbox.context.typed;
export const selectHasMore = (inbox: InboxSnapshot) => inbox.context.next !== null;
export const selectIsLoading = (inbox: InboxSnapshot) => inbox.hasTag("loading");
export const selectIsExtending = (inbox: InboxSnapshot) => inbox.hasTag("extending");
export const selectIsUnextended = (inbox: InboxSnapshot) => inbox.matches({ tail: "unextended" });
