import { expect, it } from "vitest";
import { EVERY_STAGE } from "../../domain/bulk-target.ts";
import { bulkRecipientOf, sampleLeadOf } from "../../src/app/sample-lead.ts";
import type { Services } from "../../src/app/services.ts";
import { createNamedLeads, namedLeadsKey } from "../../src/services/named-leads.ts";
import { createStorage } from "../../src/services/storage.ts";

const lead = (id: string, stage: string) => ({ id, name: id, username: null, stage_id: stage });
const STAGES = [
  { id: "new", name: "New" },
  { id: "hot", name: "Hot" },
];

/** Opens a page whose newest lead is Ann in New. Bob is selected, Cleo matches the filters, and Hot has no leads. */
function page() {
  const requests: unknown[] = [];
  const sessionStorage = createStorage(() => window.sessionStorage);
  const http = async (path: string, { query }: { query?: Record<string, unknown> } = {}) => {
    requests.push(query === undefined ? path : query);
    if (path === "/stages") return STAGES;
    if (path === "/leads/Bob") return lead("Bob", "new");
    if (query?.["stage_id"] === "hot") return { leads: [], total: 0 };
    return { leads: [lead(query?.["q"] === "cleo" ? "Cleo" : "Ann", "new")], total: 1 };
  };
  const raw = async (path: string) => ({ data: await http(path) });
  const services = {
    http: Object.assign(http, { raw }),
    clock: { now: () => 0 },
    events: { subscribe: () => () => {} },
    sessionStorage,
    userId: () => "ada",
  } as unknown as Services;
  const named = createNamedLeads(sessionStorage, namedLeadsKey("ada"), () => "ticked");
  named.keep(["Bob"]);
  return { services, requests };
}
const { signal } = new AbortController();

it("previews a bulk message with one of its recipients", async () => {
  const { services, requests } = page();
  const recipient = bulkRecipientOf(services);
  const bob = { name: "Bob", username: null, stage: "New" };
  expect(await recipient({ kind: "leads", name: "ticked" }, signal)).toEqual(bob);
  expect(await recipient({ kind: "query", query: "q=cleo&tag=a&tag=b" }, signal)).toMatchObject({ name: "Cleo" });
  const reachable = { opted_out: false, unreachable: false };
  expect(requests).toContainEqual({ ...reachable, limit: 1, offset: 0, q: "cleo", tag: ["a", "b"] });
  expect(await recipient(EVERY_STAGE, signal)).toMatchObject({ name: "Ann" });
  expect(await recipient({ kind: "leads", name: "gone" }, signal)).toEqual(null);
  expect(await recipient({ kind: "stage", stageId: "hot" }, signal)).toEqual(null);
});

it("previews a step with another lead while its stage has none", async () => {
  const ann = { name: "Ann", username: null, stage: "Hot" };
  expect(await sampleLeadOf(page().services)({ kind: "stage", stageId: "hot" }, signal)).toEqual(ann);
});
