import { pause, openHouse, type House, type Member } from "./house.ts";
import { Seller, until } from "./seller.ts";

export type FreezePlan = {
  freezes: number;
  /** durations; one is picked for each freeze */
  secondsEach: readonly number[];
  /** how often a host's clock is set afterwards, in rounds of four: one worker's, the other's, then both back */
  jumps: number;
  jumpSeconds: readonly number[];
  sellers: number;
  leadsEach: number;
  throttleSeconds: number;
  databaseUrl: string;
};
export type FreezeFigures = {
  freezes: number;
  /** sessions that Telegram ended */
  sessionsLost: number;
  /** from the freeze to the next delivery of each of the frozen worker's accounts, for freezes longer than a lease */
  slowestTakeoverMs: number;
  jumps: number;
  /** from setting a clock to the next delivery of every account */
  slowestAfterJumpMs: number;
  sent: number;
  duplicated: number;
  lost: number;
  totalsAgree: boolean;
};

/** Longer than a lease, so another worker has taken over the accounts. */
const TAKEN_AFTER_SECONDS = 12;
const TAKEOVER_MOST_MS = 60_000;
/** The time of a sleep that the monotonic clock still counts; it never goes back. */
const SLEPT_OFF_MS = 50;

/**
 * Freezes one of two workers while bulk messages are sent and wakes it later, as a process or as a host that slept. Then sets the hosts'
 * clocks. Counts the sessions that Telegram ended, and the messages each lead got.
 */
export async function runFreezes(plan: FreezePlan, print: (line: string) => void): Promise<FreezeFigures> {
  const house = await openHouse({ databaseUrl: plan.databaseUrl, workers: 2, ownClocks: true });
  try {
    const sellers: Seller[] = [];
    for (let number = 1; number <= plan.sellers; number += 1) sellers.push(await Seller.join(house, number));
    await Promise.all(sellers.map((seller) => seller.meetPeople(plan.leadsEach)));
    await Promise.all(sellers.map((seller) => seller.startBulk("Freezes", plan.throttleSeconds)));
    const figures = { freezes: 0, sessionsLost: 0, slowestTakeoverMs: 0, jumps: 0, slowestAfterJumpMs: 0 };
    for (; figures.freezes < plan.freezes; figures.freezes += 1) {
      const seconds = plan.secondsEach[figures.freezes % plan.secondsEach.length] ?? TAKEN_AFTER_SECONDS;
      const takeoverMs = await freezeOne(house, sellers, figures.freezes, seconds, plan.leadsEach);
      figures.slowestTakeoverMs = Math.max(figures.slowestTakeoverMs, takeoverMs);
      print(`freeze ${figures.freezes + 1} of ${seconds} s, slowest takeover ${Math.round(takeoverMs)} ms`);
    }
    for (; figures.jumps < plan.jumps; figures.jumps += 1) {
      const seconds = jumpOf(plan, figures.jumps);
      const ms = await jumpOne(house, sellers, figures.jumps, seconds, plan.leadsEach);
      figures.slowestAfterJumpMs = Math.max(figures.slowestAfterJumpMs, ms);
      print(`jump ${figures.jumps + 1} of ${seconds} s, all accounts sent again after ${Math.round(ms)} ms`);
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
  const worker = workerOf(house, turn);
  const isHost = Math.floor(turn / house.senders.length) % 2 === 1;
  worker.freeze();
  const frozenAt = performance.now();
  const thawing = pause(seconds * 1000).then(() => {
    // After a sleep, the host's monotonic clock has hardly advanced.
    if (isHost) worker.moveClocks({ steady: SLEPT_OFF_MS - (performance.now() - frozenAt) });
    worker.thaw();
  });
  const slowest = seconds >= TAKEN_AFTER_SECONDS ? await untilAllSend(sellers, 1, leadsEach, frozenAt) : 0;
  await thawing;
  // Gives the worker time to send everything that it had pending.
  await pause(2_000);
  return slowest;
}

/** Sets the clock of one worker's host. @returns how long until every account has sent again */
async function jumpOne(house: House, sellers: Seller[], turn: number, seconds: number, leadsEach: number) {
  workerOf(house, turn).moveClocks({ wall: seconds * 1000 });
  // One message may already be in flight, so two are awaited.
  return untilAllSend(sellers, 2, leadsEach, performance.now());
}

/** Returns the jump of a turn. In four turns both workers' clocks are set and set back, alternately ahead first and back first. */
function jumpOf({ jumpSeconds }: FreezePlan, turn: number): number {
  const round = Math.floor(turn / 4);
  const seconds = jumpSeconds[round % jumpSeconds.length] ?? TAKEN_AFTER_SECONDS;
  const isAhead = turn % 4 < 2 === (round % 2 === 0);
  return isAhead ? seconds : -seconds;
}

function workerOf(house: House, turn: number): Member {
  const worker = house.senders[turn % house.senders.length];
  if (worker === undefined) throw new Error("no worker to freeze");
  return worker;
}

/** Waits for this many deliveries of each account, or for its last. @returns the longest wait, in ms since `from` */
async function untilAllSend(sellers: Seller[], count: number, leadsEach: number, from: number): Promise<number> {
  const sentBefore = await Promise.all(sellers.map(async (seller) => (await seller.delivered()).length));
  const times = sellers.map(async (seller, index) => {
    const had = sentBefore[index] ?? 0;
    if (had >= leadsEach) return 0;
    const wanted = Math.min(leadsEach, had + count);
    await until(async () => (await seller.delivered()).length >= wanted, "the next send", TAKEOVER_MOST_MS);
    return performance.now() - from;
  });
  return Math.max(...(await Promise.all(times)));
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
