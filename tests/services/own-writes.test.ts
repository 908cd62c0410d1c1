import { afterEach, describe, expect, it, vi } from "vitest";
import { createBoardGateway } from "../../src/services/board.ts";
import { createHttp } from "../../src/services/http.ts";
import { createLeadsGateway } from "../../src/services/leads.ts";
import { createOwnWrites } from "../../src/services/own-writes.ts";
import { leadNumber } from "../support/leads.ts";

const http = createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token" }), refresh: async () => null });
const leads = createLeadsGateway(http);
const { signal } = new AbortController();
const json = (body: unknown, status = 200) => Response.json(body, { status });

afterEach(() => vi.unstubAllGlobals());

describe("a read during a write", () => {
  const lead = { id: "l1", name: "Ada", stage_id: "s1", notes: "old", followup_order_sent: 2, created_at: null };
  /** Holds requests until the test answers them by index. */
  function hold() {
    const held: ((answer: Response) => void)[] = [];
    vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => held.push(resolve)));
    const reached = (index: number) => vi.waitFor(() => expect(held[index]).toBeDefined());
    const answer = async (index: number, response: Response) => {
      await reached(index);
      held[index]?.(response);
    };
    return Object.assign(answer, { reached });
  }

  it("keeps what was written when its response is older", async () => {
    const answer = hold();
    const list = leads.list({ limit: 50, offset: 0 }, signal);
    const saving = leads.saveNotes({ leadId: "l1", notes: "new", over: "old" });
    const moving = leads.changeStage({ leadId: "l1", stageId: "s2" });
    await answer(1, json(null));
    await answer(2, json(null));
    await Promise.all([saving, moving]);
    await answer(0, json({ leads: [lead], total: 1 }));
    expect((await list).leads).toMatchObject([{ notes: "new", stage_id: "s2", followup_order_sent: 0 }]);
  });

  it("shows and marks a note in flight, and drops it after a refusal", async () => {
    const answer = hold();
    const saving = leads.saveNotes({ leadId: "l1", notes: "new", over: "old" });
    await answer.reached(0);
    const first = leads.read({ leadId: "l1" }, signal);
    await answer(1, json(lead));
    expect(await first).toMatchObject({ notes: "new", isNoteInFlight: true });
    await answer(0, json({ message: "no", code: "invalid" }, 422));
    await expect(saving).rejects.toThrow("no");
    const second = leads.read({ leadId: "l1" }, signal);
    await answer(2, json(lead));
    expect(await second).toMatchObject({ notes: "old" });
    expect(await second).not.toHaveProperty("isNoteInFlight");
  });
});

it("counts and sums a moved card in its new column when the response is older", async () => {
  const stage = (id: string) => ({ id, name: id, color: "#999999", order: 1, keywords: [] });
  const lead = (id: string, worth: number) => ({ ...leadNumber(1), id, stage_id: "s1", fields: { f1: worth } });
  const writes = createOwnWrites();
  vi.stubGlobal("fetch", async (address: string) => {
    if (address.endsWith("/fields"))
      return json([{ id: "f1", name: "Worth", type: "number", options: null, is_value: true, leads: 2 }]);
    await new Promise((resolve) => setTimeout(resolve));
    writes.settle("l1", { stage_id: "s2" });
    return json({
      columns: [
        { stage_id: "s1", total: 2, value: 50, leads: [lead("l1", 20), lead("l2", 30)] },
        { stage_id: "s2", total: 0, value: 0, leads: [] },
      ],
    });
  });
  const board = createBoardGateway(http, {
    listStages: async () => [stage("s1"), stage("s2")],
    list: async () => ({ leads: [], total: 0 }),
    mergeWrites: writes.mergeWrites,
  });
  const { columns } = await board.read({ filters: {}, lengths: {} }, signal);
  expect(columns.map(({ total, value, leads: cards }) => [total, value, cards.map(({ id }) => id)])).toEqual([
    [1, 30, ["l2"]],
    [1, 20, ["l1"]],
  ]);
});
