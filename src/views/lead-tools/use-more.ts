import { Leads } from "../../machines/leads/leads.machine.ts";
import { type More, readMore, writeMore } from "../../machines/leads/leads.more.ts";

/** Returns the URL's filters that are not in the table head, and a function that changes them. */
export function useMore(): [More, (change: Partial<More>) => void] {
  const { more } = Leads.useSelector((list) => list.context.applied);
  const send = Leads.useSend();
  const known = readMore(more);
  return [known, (change) => send({ type: "more.change", more: writeMore({ ...known, ...change }) })];
}
