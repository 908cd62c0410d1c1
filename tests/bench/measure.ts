import http from "node:http";

export type Figures = { perSecond: number; p50: number; p99: number; failed: number };

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
export const median = (values: readonly number[]): number =>
  at(
    values.toSorted((a, b) => a - b),
    0.5,
  );
export const round = (value: number): number => Number(value.toPrecision(3));

/** Asks one address over and over on so many connections; times in ms. A status other than 200 counts as failed. */
export async function hammer(options: {
  url: () => string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
}): Promise<Figures> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: options.connections });
  const times: number[] = [];
  let failed = 0;
  const end = performance.now() + options.seconds * 1000;
  const started = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const from = performance.now();
      const status = await get(options.url(), agent, options.headers ?? {});
      times.push(performance.now() - from);
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, one));
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  return {
    perSecond: (times.length / (performance.now() - started)) * 1000,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    failed,
  };
}

function get(url: string, agent: http.Agent, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent, headers }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      })
      .on("error", reject);
  });
}

/** The median time of one call after another, in ms. */
export async function timed(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const from = performance.now();
    await work();
    taken.push(performance.now() - from);
  }
  return median(taken);
}
