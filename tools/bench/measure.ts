import net from "node:net";

export type Figures = { perSecond: number; p50: number; p99: number; failed: number };

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
export const median = (values: readonly number[]): number =>
  at(
    values.toSorted((a, b) => a - b),
    0.5,
  );
export const round = (value: number): number => Number(value.toPrecision(3));

type Options = { url: () => string; headers?: Record<string, string>; connections: number; seconds: number };

/**
 * Sends requests in a loop on this many connections; times in ms. Any status except 200 counts as failed. Uses plain sockets: an HTTP
 * client in this process would cost as much as the measured servers.
 */
export async function hammer(options: Options): Promise<Figures> {
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  const end = started + options.seconds * 1000;
  const note = (from: number, status: number): boolean => {
    const now = performance.now();
    times.push(now - from);
    if (status !== 200) failed += 1;
    return now < end;
  };
  await Promise.all(Array.from({ length: options.connections }, () => keepAsking(options, note)));
  const sorted = times.toSorted((a, b) => a - b);
  const perSecond = (times.length / (performance.now() - started)) * 1000;
  return { perSecond, p50: at(sorted, 0.5), p99: at(sorted, 0.99), failed };
}

/** Uses one connection and sends a request after each complete response, until `note` returns false. */
function keepAsking({ url, headers = {} }: Options, note: (from: number, status: number) => boolean): Promise<void> {
  const { hostname, port } = new URL(url());
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    let from = 0;
    let answer = Buffer.alloc(0);
    const ask = () => {
      const { pathname, search } = new URL(url());
      answer = Buffer.alloc(0);
      from = performance.now();
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`);
    };
    socket.setNoDelay(true);
    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("data", (part) => {
      answer = Buffer.concat([answer, part]);
      if (!isWhole(answer)) return;
      if (note(from, Number(answer.toString("latin1", 9, 12)))) ask();
      else socket.end(resolve);
    });
  });
}

function isWhole(answer: Buffer): boolean {
  const head = answer.indexOf("\r\n\r\n");
  if (head < 0) return false;
  const length = /content-length: (\d+)/i.exec(answer.toString("latin1", 0, head))?.[1];
  return length === undefined
    ? answer.subarray(-5).equals(Buffer.from("0\r\n\r\n"))
    : answer.length >= head + 4 + Number(length);
}

/** Returns the median duration of sequential calls, in ms. */
export async function timed(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const from = performance.now();
    await work();
    taken.push(performance.now() - from);
  }
  return median(taken);
}
