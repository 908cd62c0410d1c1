import { Client } from "pg";
import { openHouse, pause, type House } from "./house.ts";
import { Seller, until, untilSent } from "./seller.ts";

export type Plan = {
  name: string;
  databaseUrl: string | null;
  workers: number;
  sellers: number;
  leadsEach: number;
  kills: number;
  seed: number;
  /** attached to every message */
  file?: File;
};
export type Spread = { median: number; most: number };
export type Figures = {
  name: string;
  leads: number;
  kills: number;
  databaseCuts: number;
  faults: number;
  sent: number;
  duplicated: number;
  lost: number;
  totalsAgree: boolean;
  /** from each kill to the next delivery of every account with messages left */
  recoveryMs: Spread;
  /** the part of it until the killed process responded again */
  startMs: Spread;
  seconds: number;
};

/** Faults of the network: before the delivery, after it (the response is lost), and a short flood wait. */
const FAULTS = [
  { error: "DROP_CONNECTION", after_delivery: true },
  { error: "DROP_CONNECTION", after_delivery: false },
  { error: "TIMEOUT", after_delivery: true },
  { error: "TIMEOUT", after_delivery: false },
  { error: "FLOOD_WAIT_1", after_delivery: false },
] as const;
const RECOVERY_AIM_MS = 15_000;
const RECOVERY_MOST_MS = 60_000;

/** Sends bulk messages while processes are killed and connections are cut, then counts the messages each lead got. */
export async function runScenario(plan: Plan, print: (line: string) => void): Promise<Figures> {
  const startedAt = Date.now();
  const random = seeded(plan.seed);
  const house = await openHouse(plan);
  try {
    const sellers: Seller[] = [];
    for (let number = 1; number <= plan.sellers; number += 1) sellers.push(await Seller.join(house, number));
    await Promise.all(sellers.map((seller) => seller.meetPeople(plan.leadsEach)));
    print(`${plan.name}: ${plan.sellers * plan.leadsEach} leads are ready after ${seconds(startedAt)} s`);
    await Promise.all(sellers.map((seller) => seller.startBulk("Chaos", 0.1, plan.file ?? null)));
    const done = await killAndCut(house, sellers, plan, random, print);
    await Promise.all(sellers.map((seller) => untilSent(seller, plan.leadsEach)));
    return {
      name: plan.name,
      kills: plan.kills,
      ...done,
      ...(await count(sellers, plan)),
      seconds: seconds(startedAt),
    };
  } finally {
    await house.close();
  }
}

async function killAndCut(
  house: House,
  sellers: Seller[],
  plan: Plan,
  random: () => number,
  print: (line: string) => void,
) {
  const recoveries: number[] = [];
  const starts: number[] = [];
  let databaseCuts = 0;
  let faults = 0;
  for (let kill = 1; kill <= plan.kills; kill += 1) {
    const armed: string[] = [];
    for (const seller of sellers) {
      const fault = FAULTS[Math.floor(random() * FAULTS.length * 1.5)];
      if (fault === undefined) continue;
      await seller.fail({ ...fault, method: plan.file === undefined ? "messages.sendMessage" : "messages.sendMedia" });
      armed.push(`${fault.error}${fault.after_delivery ? " after the delivery" : ""}`);
      faults += 1;
    }
    await pause(20 + random() * 630);
    if (plan.databaseUrl !== null) databaseCuts += await cutDatabase(plan.databaseUrl, random);
    const victim = house.senders[Math.floor(random() * house.senders.length)];
    if (victim === undefined) throw new Error("no process to kill");
    await victim.kill();
    const killedAt = Date.now();
    const before = await Promise.all(sellers.map(async (seller) => (await seller.delivered()).length));
    victim.start();
    const up = victim.ready().then(() => Date.now() - killedAt);
    await Promise.all(
      sellers.map(async (seller, index) => {
        const had = before[index] ?? 0;
        if (had >= plan.leadsEach) return;
        await until(
          async () => (await seller.delivered()).length > had,
          "the next send after a kill",
          RECOVERY_MOST_MS,
        );
        const took = Date.now() - killedAt;
        recoveries.push(took);
        if (took > RECOVERY_AIM_MS) {
          print(
            `${plan.name}: kill ${kill} of ${victim.name}, up after ${await up} ms, sent after ${took} ms (${armed.join(", ")})`,
          );
        }
      }),
    );
    starts.push(await up);
    if (kill % 10 === 0) print(`${plan.name}: ${kill} kills, slowest recovery ${Math.max(...recoveries)} ms`);
  }
  return { databaseCuts, faults, recoveryMs: spread(recoveries), startMs: spread(starts) };
}

function spread(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
}

/** Ends about half of the product's database sessions. */
async function cutDatabase(url: string, random: () => number): Promise<number> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ cut: number }>(
      `select count(pg_terminate_backend(pid))::int as cut from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and hashtext(pid::text || $1) % 2 = 0`,
      [String(random())],
    );
    return rows[0]?.cut ?? 0;
  } finally {
    await admin.end();
  }
}

async function count(sellers: Seller[], plan: Plan) {
  const figures = { leads: plan.sellers * plan.leadsEach, sent: 0, duplicated: 0, lost: 0, totalsAgree: true };
  for (const seller of sellers) {
    const delivered = (await seller.delivered()).filter(({ text }) => text === "Chaos");
    const people = new Set(delivered.map(({ to_user_id: id }) => id));
    const job = await seller.job();
    figures.sent += delivered.length;
    figures.duplicated += delivered.length - people.size;
    figures.lost += plan.leadsEach - people.size;
    figures.totalsAgree &&=
      job.status === "completed" &&
      job.failed_count === 0 &&
      job.sent_count === people.size &&
      job.total_targets === plan.leadsEach;
  }
  return figures;
}

const seconds = (since: number): number => Math.round((Date.now() - since) / 1000);

/** Returns a reproducible stream of numbers in [0, 1) (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
