import net from "node:net";

/** Below the ephemeral ports of the system. */
const [FIRST, COUNT] = [20_000, 12_000];

/** Each worker of a run tries only every eighth port, so parallel workers never collide. */
const WORKERS = 8;
const worker = Number(process.env["VITEST_POOL_ID"] ?? process.env["TEST_PARALLEL_INDEX"] ?? 0) % WORKERS;
const given = new Set<number>();

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = net.createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/** Returns a free port on loopback that the system does not hand out to other processes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + WORKERS * Math.floor((Math.random() * COUNT) / WORKERS) + worker;
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}
