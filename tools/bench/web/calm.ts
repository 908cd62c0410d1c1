import { availableParallelism, cpus } from "node:os";

const IDLE_SHARE = 0.15;
/** What the whole bench may spend on waiting for other work to end. */
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

/** Waits for the processors to be idle, as long as the bench can spare; loads that began all the same are counted. */
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

/** How far the figures may be trusted: loads begun while other work kept the processors busy. */
export const busyLoads = (): string =>
  `${busyStarts} loads began on busy processors (${availableParallelism()} of them)`;
