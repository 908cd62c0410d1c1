import { pause, openHouse, type House } from "./house.ts";
import { Seller, until } from "./seller.ts";

export type FreezePlan = {
  freezes: number;
  /** how long each lasts; one is picked for each freeze */
  secondsEach: readonly number[];
  sellers: number;
  leadsEach: number;
  throttleSeconds: number;
  databaseUrl: string;
};
export type FreezeFigures = {
  freezes: number;
  /** Telegram sessions that were ended */
  sessionsLost: number;
  /** from the freeze to the next delivery of each of the frozen worker's accounts, when it lasted longer than a lease */
  slowestTakeoverMs: number;
  sent: number;
  duplicated: number;
  lost: number;
  totalsAgree: boolean;
};

/** Longer than a lease: by then the accounts are in other hands. */
const TAKEN_AFTER_SECONDS = 12;
const TAKEOVER_MOST_MS = 60_000;

/** Stops one of two workers while bulk messages go out and lets it wake later; counts sessions that Telegram ended, and who got what. */
export async function runFreezes(plan: FreezePlan, say: (line: string) => void): Promise<FreezeFigures> {
  const house = await openHouse({ databaseUrl: plan.databaseUrl, workers: 2 });
  try {
    const sellers: Seller[] = [];
    for (let number = 1; number <= plan.sellers; number += 1) sellers.push(await Seller.join(house, number));
    await Promise.all(sellers.map((seller) => seller.meetPeople(plan.leadsEach)));
    await Promise.all(sellers.map((seller) => seller.startBulk("Freezes", plan.throttleSeconds)));
    const figures = { freezes: 0, sessionsLost: 0, slowestTakeoverMs: 0 };
    for (; figures.freezes < plan.freezes; figures.freezes += 1) {
      const seconds = plan.secondsEach[figures.freezes % plan.secondsEach.length] ?? TAKEN_AFTER_SECONDS;
      const takeoverMs = await freezeOne(house, sellers, figures.freezes, seconds, plan.leadsEach);
      figures.slowestTakeoverMs = Math.max(figures.slowestTakeoverMs, takeoverMs);
      say(`freeze ${figures.freezes + 1} of ${seconds} s, slowest takeover ${Math.round(takeoverMs)} ms`);
    }
    const endMs = plan.leadsEach * plan.throttleSeconds * 1000 + TAKEOVER_MOST_MS;
    await Promise.all(
      sellers.map((seller) =>
        until(async () => (await seller.job()).status !== "in_progress", "the end of a job", endMs),
      ),
    );
    for (const seller of sellers) if (!(await seller.isConnected())) figures.sessionsLost += 1;
    return { ...figures, ...(await count(sellers, plan)) };
  } finally {
    await house.close();
  }
}

async function freezeOne(
  house: House,
  sellers: Seller[],
  turn: number,
  seconds: number,
  leadsEach: number,
): Promise<number> {
  const worker = house.senders[turn % house.senders.length];
  if (worker === undefined) throw new Error("nobody to freeze");
  worker.freeze();
  const frozenAt = performance.now();
  const sentBefore = await Promise.all(sellers.map(async (seller) => (await seller.delivered()).length));
  const thawing = pause(seconds * 1000).then(() => worker.thaw());
  let slowest = 0;
  if (seconds >= TAKEN_AFTER_SECONDS) {
    await Promise.all(
      sellers.map(async (seller, index) => {
        const had = sentBefore[index] ?? 0;
        if (had >= leadsEach) return;
        await until(async () => (await seller.delivered()).length > had, "the next send", TAKEOVER_MOST_MS);
        slowest = Math.max(slowest, performance.now() - frozenAt);
      }),
    );
  }
  await thawing;
  // It wakes among what it missed: everything it would say, it says now.
  await pause(2_000);
  return slowest;
}

async function count(sellers: Seller[], plan: FreezePlan) {
  const figures = { sent: 0, duplicated: 0, lost: 0, totalsAgree: true };
  for (const seller of sellers) {
    const delivered = (await seller.delivered()).filter(({ text }) => text === "Freezes");
    const people = new Set(delivered.map(({ to_user_id: id }) => id));
    const job = await seller.job();
    figures.sent += delivered.length;
    figures.duplicated += delivered.length - people.size;
    figures.lost += plan.leadsEach - people.size;
    figures.totalsAgree &&= job.status === "completed" && job.sent_count === people.size;
  }
  return figures;
}
