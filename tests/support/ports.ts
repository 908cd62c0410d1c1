import net from "node:net";

/** Below the ports that the system gives to outgoing connections and to listeners on port 0. */
const [FIRST, COUNT] = [20_000, 12_000];

/** Of so many ports a worker of a run tries one: no two that run beside each other try the same. */
const WORKERS = 8;
const worker = Number(process.env["VITEST_POOL_ID"] ?? process.env["TEST_PARALLEL_INDEX"] ?? 0) % WORKERS;
const given = new Set<number>();

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = net.createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/** A port on loopback that was free a moment ago, and that nobody takes by chance before it is listened on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + WORKERS * Math.floor((Math.random() * COUNT) / WORKERS) + worker;
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}
