import { INBOX_VIEWS, type InboxView } from "../../../domain/inbox.ts";

/** Which conversations are listed: a view, and a search text. */
export type InboxPlace = { view: InboxView; q: string };

const FIRST: InboxPlace = { view: "waiting", q: "" };

/** Returns the query of the list's address; empty for the waiting leads. */
export function searchOf({ view, q }: InboxPlace): string {
  const query = new URLSearchParams();
  if (view !== FIRST.view) query.set("view", view);
  if (q.trim() !== "") query.set("q", q.trim());
  return query.toString();
}

/** Parses the query; ignores invalid values. */
export function placeOf(search: string): InboxPlace {
  const query = new URLSearchParams(search);
  return {
    view: INBOX_VIEWS.find((view) => view === query.get("view")) ?? FIRST.view,
    q: query.get("q")?.trim().slice(0, 200) ?? "",
  };
}

export const isSamePlace = (a: InboxPlace, b: InboxPlace): boolean => searchOf(a) === searchOf(b);
