import { describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../../domain/api-key.ts";
import { MCP_TOOLS, type McpToolName } from "../../../domain/mcp.ts";
import { type Conversation, startShop, UNKNOWN } from "./support.ts";

const { server, seller, ann, keyOf, all, open } = await startShop();

describe("a key's tools", () => {
  it("match its scopes in both protocols, with arguments and annotations", async () => {
    const listed: Record<string, string[]> = {};
    for (const scope of SCOPES)
      for (const era of ["auto", "legacy"] as const)
        listed[`${scope} ${era}`] = (await (await open(keyOf[scope], era)).tools()).map(({ name }) => name);
    const names = (scope: Scope) =>
      (Object.keys(MCP_TOOLS) as McpToolName[]).filter((name) => MCP_TOOLS[name].scope === scope);
    for (const era of ["auto", "legacy"])
      expect(SCOPES.map((scope) => listed[`${scope} ${era}`])).toEqual(SCOPES.map((scope) => names(scope)));
    const tools = await all.tools();
    expect(tools.map(({ name }) => name).join(" ")).toEqual(
      "list_leads find_leads read_conversation read_forecast read_ledger draft_reply move_lead tag_lead note_lead send_reply",
    );
    const takes = new Set(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {})));
    expect([...takes].toSorted().join(" ")).toEqual(
      "before hours idempotency_key lead_id limit note query stage_id tag_ids text",
    );
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual(names("read"));
    expect(tools.find(({ name }) => name === "send_reply")).toMatchObject({
      annotations: { destructiveHint: true, openWorldHint: true },
      inputSchema: { type: "object", required: ["lead_id", "text"], additionalProperties: false },
    });
  });

  it("cannot be called without the scope", async () => {
    const given = { lead_id: ann.lead, text: "No", note: "No", stage_id: UNKNOWN, tag_ids: [] };
    const names = Object.keys(MCP_TOOLS) as McpToolName[];
    for (const scope of SCOPES) {
      const assistant = await open(keyOf[scope]);
      for (const name of names.filter((each) => MCP_TOOLS[each].scope !== scope)) {
        const { isError, text } = await assistant.call(name, given);
        expect([isError, text]).toEqual([true, expect.stringContaining(`needs the scope ${MCP_TOOLS[name].scope}`)]);
        expect(text).toContain("missing_scope");
      }
    }
    expect(await seller.lead(ann.lead)).toMatchObject({ draft: null, notes: null, tags: [] });
    expect(await seller.callSandbox("/sent")).toEqual([]);
  });
});

it("saves a draft in the reply box and never sends it", async () => {
  const events: unknown[] = [];
  const off = server.deps.bus.on("event", (event) => events.push(event));
  const { isError, text } = await all.call("draft_reply", { lead_id: ann.lead, text: "It is ten euros, Ann." });
  expect([isError, text.includes("Nothing was sent")]).toEqual([false, true]);
  expect((await seller.lead(ann.lead)).draft).toEqual("It is ten euros, Ann.");
  expect(
    (await all.call<Conversation>("read_conversation", { lead_id: ann.lead })).facts.lead.untrusted["draft"],
  ).toEqual("It is ten euros, Ann.");
  await server.idle();
  off();
  const changes = events.filter((event) => (event as { user_id: string }).user_id === seller.userId);
  expect(changes).toMatchObject([{ type: "lead.changed", data: { id: ann.lead } }]);
  expect(await seller.callSandbox("/sent")).toEqual([]);
});

it("moves, tags and adds notes in its key's name", async () => {
  const stage = await seller.call<{ id: string }>("POST", "/stages", {
    name: "Interested",
    keywords: ["yes"],
    order: 2,
  });
  const tag = await seller.call<{ id: string }>("POST", "/tags", { name: "VIP" });
  const given = { lead_id: ann.lead };
  const writer = await open(keyOf.write);
  await writer.call("move_lead", { ...given, stage_id: stage.body.id });
  await writer.call("tag_lead", { ...given, tag_ids: [tag.body.id] });
  await writer.call("note_lead", { ...given, note: "Asked for the price." });
  await writer.call("note_lead", { ...given, note: "Has a shop." });
  const known = { stage_id: stage.body.id, tags: [{ name: "VIP" }], notes: "Asked for the price.\nHas a shop." };
  expect(await seller.lead(ann.lead)).toMatchObject(known);
  const { items } = await seller.get<{ items: { type: string; by: unknown }[] }>(`/api/leads/${ann.lead}/story`);
  const by = { kind: "key", name: "Only write" };
  const types = ["note_changed", "note_changed", "tags_changed", "stage_moved"];
  expect(items.slice(0, 4)).toMatchObject(types.map((type) => ({ type, by })));
});

it("sends once per idempotency key, in its key's name, and reads the outcome", async () => {
  const sender = await open(keyOf.send);
  const given = { lead_id: ann.lead, text: "Ten euros.", idempotency_key: "first" };
  const answers = await Promise.all([sender.call("send_reply", given), sender.call("send_reply", given)]);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ isError: false, facts: { lead_id: ann.lead, state: "pending" } });
  await seller.until(ann.lead, ([last]) => last?.state === "sent");
  expect(await seller.callSandbox("/sent")).toMatchObject([{ to_user_id: ann.user_id, text: "Ten euros." }]);
  const other = await sender.call("send_reply", { ...given, text: "Eleven." });
  expect([other.isError, other.text.includes("key_reused")]).toEqual([true, true]);
  const { facts } = await all.call<{ items: object[] }>("read_ledger", { lead_id: ann.lead });
  const by = { kind: "key", name: "Only send" };
  const untrusted = { lead_name: "Ann", excerpt: "Ten euros." };
  expect(facts.items).toMatchObject([{ kind: "reply", state: "sent", by, untrusted }]);
});
