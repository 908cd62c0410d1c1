import { Leads } from "../../machines/leads/leads.machine.ts";
import { type ListOptions, readListOptions, writeListOptions } from "../../machines/leads/leads.options.ts";

/** Returns the URL's filters that are not in the table head, and a function that changes them. */
export function useListOptions(): [ListOptions, (change: Partial<ListOptions>) => void] {
  const { more } = Leads.useSelector((list) => list.context.applied);
  const send = Leads.useSend();
  const known = readListOptions(more);
  return [known, (change) => send({ type: "more.change", more: writeListOptions({ ...known, ...change }) })];
}
