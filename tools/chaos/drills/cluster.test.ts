import { expect, test } from "vitest";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { openHouse, type House } from "../house.ts";
import { Seller, until } from "../seller.ts";

/** Opens an event stream; `heard` collects its text. */
async function listen(url: string, token: string) {
  const controller = new AbortController();
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: controller.signal,
  });
  const events: string[] = [];
  void (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      events.push(...chunk.split("\n").filter((line) => line.startsWith("event: ")));
  })().catch(() => {});
  return { events, close: () => controller.abort() };
}

const call = (house: House, index: number, token: string, path: string, method = "GET") =>
  fetch(`${house.webs[index]?.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });

test(
  "shares events, logins, sessions, keys and sends between two web processes and two workers",
  { timeout: 180_000 },
  async (context) => {
    const postgres = await startPostgres();
    context.skip(postgres === null, "no Postgres on this machine");
    if (postgres === null) return;
    const house = await openHouse({ databaseUrl: postgres.url, webs: 2, workers: 2 });
    try {
      const seller = await Seller.join(house, 1);
      const second = await listen(house.webs[1]?.url ?? "", seller.token);
      await seller.meetPeople(3);
      await until(async () => second.events.includes("event: lead.changed"), "a lead's event in the other process");
      const leads = (await (await call(house, 1, seller.token, "/api/leads?limit=10")).json()) as { total: number };
      expect(leads.total).toBe(3);
      const status = await call(house, 1, seller.token, "/api/telegram/status");
      expect(await status.json()).toMatchObject({ connected: true });
      await seller.startBulk("From one process");
      await until(async () => second.events.includes("event: bulk.changed"), "the bulk job's event");
      await until(async () => (await seller.job()).status === "completed", "the end of the bulk job");
      const people = (await seller.delivered()).map(({ to_user_id: id }) => id);
      expect([people.length, new Set(people).size]).toEqual([3, 3]);
      second.close();

      const made = await fetch(`${house.webs[0]?.url}/api/keys`, {
        method: "POST",
        headers: { authorization: `Bearer ${seller.token}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "Sheet", scopes: ["read"] }),
      });
      const key = (await made.json()) as { id: string; secret: string };
      const byKey = async () => (await call(house, 1, key.secret, "/api/stages")).status;
      expect(await byKey()).toBe(200);
      expect((await call(house, 0, seller.token, `/api/keys/${key.id}`, "DELETE")).status).toBe(200);
      await until(async () => (await byKey()) === 401, "the key's revocation in the other process");

      expect((await call(house, 0, seller.token, "/auth/v1/logout", "POST")).status).toBe(204);
      await until(
        async () => (await call(house, 1, seller.token, "/api/leads?limit=1")).status === 401,
        "the session's end in the other process",
      );
      for (const member of [...house.webs, ...house.senders]) {
        expect((await fetch(`${member.url}/readyz`)).status).toBe(200);
        expect((await member.terminate()).exit).toBe(0);
      }
    } finally {
      await house.close();
      postgres.stop();
    }
  },
);
