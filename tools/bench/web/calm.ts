import { availableParallelism, cpus } from "node:os";

const IDLE_SHARE = 0.15;
/** The longest time that the whole bench may wait for other work to end. */
const PATIENCE_MS = 45_000;
let spent = 0;
let busyStarts = 0;

function times(): { idle: number; all: number } {
  const each = cpus().map((cpu) => cpu.times);
  const sum = (read: (one: (typeof each)[number]) => number) => each.reduce((total, one) => total + read(one), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  };
}

async function busyShare(ms: number): Promise<number> {
  const before = times();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const after = times();
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
}

/** Waits for idle processors, up to the bench's limit. Counts the loads that started on busy ones. */
export async function calm(): Promise<void> {
  for (const begun = Date.now(); ;) {
    const share = await busyShare(150);
    if (share < IDLE_SHARE) break;
    if (spent + (Date.now() - begun) > PATIENCE_MS || Date.now() - begun > 5_000) {
      spent += Date.now() - begun;
      busyStarts += 1;
      return;
    }
  }
}

/** Returns how reliable the figures are: the number of loads started on busy processors. */
export const busyLoads = (): string =>
  `${busyStarts} loads started on busy processors (${availableParallelism()} processors)`;
