import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChatImport } from "../../../domain/chat-import.ts";
import { openHouse, type House } from "../house.ts";
import { Seller, until } from "../seller.ts";

describe("an import of 300 chats", () => {
  let house: House;
  let seller: Seller;
  beforeAll(async () => {
    house = await openHouse({ databaseUrl: null, workers: 0 });
    seller = await Seller.join(house, 1);
  }, 240_000);
  afterAll(() => house.close());

  const progress = async (): Promise<ChatImport> =>
    (await (await seller.ask("GET", "/telegram/import")).json()) as ChatImport;

  it("completes despite a flood wait and kill -9, and sends no message", { timeout: 300_000 }, async () => {
    await seller.callSandbox("/dialogs", { count: 300, days: 60 });
    expect((await seller.ask("POST", "/telegram/import", { days: 60, include_contacts: true })).status).toEqual(202);
    await until(async () => (await progress()).scanned >= 20, "the first chats");
    await seller.callSandbox("/faults", { method: "messages.getHistory", error: "FLOOD_WAIT_3" });
    await until(async () => (await progress()).paused_until !== null, "the wait");
    await until(async () => (await progress()).scanned >= 130, "the middle");
    await house.web.kill();
    house.web.start();
    await house.web.ready();
    await until(async () => (await progress()).status === "completed", "the end");
    expect(await progress()).toMatchObject({ status: "completed", scanned: 300, found: 300 });
    expect((await (await seller.ask("GET", "/leads?limit=1")).json()) as object).toMatchObject({ total: 300 });
    expect((await seller.delivered()).length).toEqual(300);
  });
});
