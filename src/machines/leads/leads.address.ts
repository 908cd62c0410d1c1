import { readDate, writeDate } from "./leads.dates.ts";
import { type LeadFilters, isMore } from "./leads.filters.ts";

/** The applied filters, and the page from 1. */
export type ListPlace = { filters: LeadFilters; page: number };

/** Returns the query of the list's address; empty for the first page without filters. Days are `2026-03-05`. */
export function searchOf({ filters, page }: ListPlace): string {
  const query = new URLSearchParams();
  const add = (name: string, text: string) => {
    if (text.trim() !== "") query.set(name, text.trim());
  };
  add("name", filters.name);
  add("username", filters.username);
  add("stage_id", filters.stageId);
  add("from", isoOf(filters.from));
  add("to", isoOf(filters.to));
  add("followup_order_sent", filters.followups);
  add("awaiting_reply", { "": "", yes: "true", no: "false" }[filters.awaitingReply]);
  for (const [name, text] of new URLSearchParams(filters.more)) query.append(name, text);
  if (page > 1) query.set("page", String(page));
  return query.toString();
}

/** Parses the query; ignores invalid values. */
export function placeOf(search: string): ListPlace {
  const query = new URLSearchParams(search);
  const text = (name: string) => query.get(name) ?? "";
  const page = Number(text("page"));
  const steps = text("followup_order_sent");
  return {
    filters: {
      name: text("name"),
      username: text("username"),
      stageId: text("stage_id"),
      from: typedOf(text("from")),
      to: typedOf(text("to")),
      followups: /^\d{1,6}$/.test(steps) ? steps : "",
      more: new URLSearchParams([...query].filter(([name]) => isMore(name))).toString(),
      awaitingReply: text("awaiting_reply") === "true" ? "yes" : text("awaiting_reply") === "false" ? "no" : "",
    },
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export const isSamePlace = (a: ListPlace, b: ListPlace): boolean => searchOf(a) === searchOf(b);

function isoOf(typed: string): string {
  const date = readDate(typed);
  if (date === null) return "";
  const [month, day, year] = writeDate(date).split("/");
  return `${year}-${month}-${day}`;
}

function typedOf(iso: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso);
  if (!match) return "";
  const day = readDate(`${match[2]}/${match[3]}/${match[1]}`);
  return day === null ? "" : writeDate(day);
}
