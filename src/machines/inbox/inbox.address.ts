import { INBOX_VIEWS, type InboxView } from "../../../domain/inbox.ts";

/** Which conversations are listed: a view, and a part of the people's names. */
export type InboxPlace = { view: InboxView; q: string };

const FIRST: InboxPlace = { view: "waiting", q: "" };

/** The part of an address after `?` that brings the list back; empty for everybody who waits. */
export function searchOf({ view, q }: InboxPlace): string {
  const query = new URLSearchParams();
  if (view !== FIRST.view) query.set("view", view);
  if (q.trim() !== "") query.set("q", q.trim());
  return query.toString();
}

/** Reads such a part; what cannot be read counts as not there. */
export function placeOf(search: string): InboxPlace {
  const query = new URLSearchParams(search);
  return {
    view: INBOX_VIEWS.find((view) => view === query.get("view")) ?? FIRST.view,
    q: query.get("q")?.trim().slice(0, 200) ?? "",
  };
}

export const isSamePlace = (a: InboxPlace, b: InboxPlace): boolean => searchOf(a) === searchOf(b);
