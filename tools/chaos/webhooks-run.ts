import { Client } from "pg";
import { startPostgres } from "../../scripts/postgres.mjs";
import { openReceiver, type Receiver } from "../../tests/support/receiver.ts";
import { openHouse, pause, type House } from "./house.ts";
import { Seller, until } from "./seller.ts";

export type WebhookFigures = {
  receivers: number;
  kills: number;
  /** confirmed changes, and the deliveries of their events */
  changes: number;
  deliveries: number;
  lost: number;
  outOfOrder: number;
  /** deliveries received more than once, which at-least-once delivery allows */
  repeated: number;
  /** from a change's response to the arrival of its event at the good receiver: alone, and beside the bad ones */
  aloneMs: { median: number; most: number };
  besideMs: { median: number; most: number };
};
type Plan = { kills: number; badOwners: number; webhooksEach: number; changes: number };

const SLOW_MS = 3_000;
const LEADS = 3;
const HEALED_MS = 240_000;

/**
 * One owner's receiver responds well; those of all others refuse, respond late, redirect or hang, and workers are killed. Then all respond
 * well, and the arrivals are compared with the expected events. Resolves with null where there is no Postgres.
 */
export async function runWebhooks(plan: Plan, print: (line: string) => void): Promise<WebhookFigures | null> {
  const postgres = await startPostgres();
  if (postgres === null) return null;
  const receiver = await openReceiver();
  const database = new Client({ connectionString: postgres.url });
  let house: House | null = null;
  try {
    house = await openHouse({ databaseUrl: postgres.url, workers: 2, env: { WEBHOOK_ALLOW_PRIVATE: "1" } });
    await database.connect();
    const good = await Owner.join(house, 1, receiver, ["/good"]);
    const bad: Owner[] = [];
    for (let number = 0; number < plan.badOwners; number += 1) {
      const paths = Array.from({ length: plan.webhooksEach }, (_, index) => `/bad/${number}/${index}`);
      for (const [index, path] of paths.entries()) makeBad(receiver, path, number * plan.webhooksEach + index);
      bad.push(await Owner.join(house, number + 2, receiver, paths));
    }
    print(`${plan.badOwners * plan.webhooksEach} bad receivers, and a good one`);
    const aloneMs = await delaysOf(good, receiver, plan.changes);
    for (const owner of bad) for (let time = 0; time < LEADS * 2; time += 1) await owner.change();
    const besideMs = await delaysOf(good, receiver, plan.changes);
    print(`delivered within ${aloneMs.most} ms alone, ${besideMs.most} ms beside them`);
    for (let kill = 0; kill < plan.kills; kill += 1) {
      const victim = house.senders[kill % house.senders.length];
      await good.change();
      await bad[kill % bad.length]?.change();
      await pause(Math.random() * 300);
      await victim?.kill();
      await good.change();
      victim?.start();
      await victim?.ready();
      if (kill % 10 === 9) print(`${kill + 1} kills`);
    }
    receiver.heal();
    await until(
      async () => {
        // Skips the remaining retry delays.
        await database.query("update webhook_deliveries set next_try_at = '-infinity' where settled_at is null");
        await pause(2_000);
        const { rows } = await database.query("select 1 from webhook_deliveries where settled_at is null limit 1");
        return rows.length === 0;
      },
      "the last deliveries",
      HEALED_MS,
    );
    const changes = good.changes + bad.reduce((sum, owner) => sum + owner.changes, 0);
    return {
      receivers: plan.badOwners * plan.webhooksEach,
      kills: plan.kills,
      changes,
      ...(await compare(database, receiver, good.changes + plan.webhooksEach * (changes - good.changes))),
      aloneMs,
      besideMs,
    };
  } finally {
    await database.end().catch(() => {});
    await house?.close();
    await receiver.close();
    postgres.stop();
  }
}

function makeBad(receiver: Receiver, path: string, number: number): void {
  if (number % 4 === 0) receiver.answer(path, 500);
  if (number % 4 === 1) receiver.answer(path, 302);
  if (number % 4 === 2) receiver.answer(path, "hangs");
  if (number % 4 === 3) receiver.answer(path, { afterMs: SLOW_MS });
}

/** A seller whose leads move back and forth; each move is an event for every webhook. */
class Owner {
  changes = 0;
  readonly #seller: Seller;
  readonly #leads: string[];
  readonly #stages: string[];

  constructor(seller: Seller, leads: string[], stages: string[]) {
    this.#seller = seller;
    this.#leads = leads;
    this.#stages = stages;
  }

  static async join(house: House, number: number, receiver: Receiver, paths: string[]): Promise<Owner> {
    const seller = await Seller.join(house, number);
    await seller.meetPeople(LEADS);
    const stage = { name: "Next", keywords: ["next"], order: 2, color: "#336699" };
    await expectDone(await seller.ask("POST", "/stages", stage));
    const stages = (await seller.stages()).map(({ id }) => id);
    for (const path of paths)
      await expectDone(
        await seller.ask("POST", "/webhooks", { url: receiver.urlOf(path), events: ["lead.stage_changed"] }),
      );
    const leads = (await seller.leads()).map(({ id }) => id);
    return new Owner(seller, leads, stages);
  }

  /** Moves the next lead; resolves with the response. */
  async change(): Promise<void> {
    const lead = this.#leads[this.changes % LEADS];
    const turn = Math.floor(this.changes / LEADS);
    const stage_id = this.#stages[(turn + 1) % 2];
    const reset = { followup_order_sent: 0, last_followup_sent_at: null, last_user_message_at: null };
    await expectDone(await this.#seller.ask("PATCH", `/leads/${lead}`, { stage_id, ...reset }));
    this.changes += 1;
  }
}

async function expectDone(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
}

async function delaysOf(owner: Owner, receiver: Receiver, changes: number): Promise<{ median: number; most: number }> {
  const delays: number[] = [];
  for (let time = 0; time < changes; time += 1) {
    const before = receiver.at("/good").length;
    await owner.change();
    const answeredAt = Date.now();
    await until(async () => receiver.at("/good").length > before, "an event at a good receiver");
    delays.push(Math.max(0, (receiver.at("/good").at(-1)?.at ?? Infinity) - answeredAt));
  }
  const sorted = delays.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
}

/** Compares every expected delivery with its first arrival at its receiver. */
async function compare(database: Client, receiver: Receiver, expected: number) {
  const { rows } = await database.query<{ key: string; lead_id: string; url: string; state: string }>(
    `select e.key, e.lead_id, w.url, d.state from webhook_deliveries d join webhook_events e on e.id = d.event_id
     join webhooks w on w.id = d.webhook_id order by d.id`,
  );
  const taken = receiver.taken();
  const arrivals = new Map<string, number>();
  for (const [place, one] of taken.entries()) {
    const name = `${one.path} ${String(one.headers["webhook-id"])}`;
    if (!arrivals.has(name)) arrivals.set(name, place);
  }
  let [lost, outOfOrder] = [Math.max(0, expected - rows.length), 0];
  const last = new Map<string, number>();
  for (const { key, lead_id: lead, url, state } of rows) {
    const path = new URL(url).pathname;
    const place = arrivals.get(`${path} ${key}`);
    // `taken` counts only arrivals that the receiver accepted.
    if (place === undefined || state !== "delivered") lost += 1;
    else {
      if (place < (last.get(`${path} ${lead}`) ?? -1)) outOfOrder += 1;
      last.set(`${path} ${lead}`, place);
    }
  }
  return { deliveries: rows.length, lost, outOfOrder, repeated: taken.length - arrivals.size };
}
