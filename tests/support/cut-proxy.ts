import net from "node:net";

/** A TCP proxy that can stop forwarding without closing anything, like the network to a host that lost power. */
export async function startCutProxy(target: { host: string; port: number }) {
  const pairs = new Set<[net.Socket, net.Socket]>();
  let isCut = false;
  const server = net.createServer((near) => {
    const far = net.connect(target);
    const pair: [net.Socket, net.Socket] = [near, far];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      // While cut, neither side learns that the other one closed.
      if (isCut) return;
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    near.pipe(far);
    far.pipe(near);
    if (isCut) pair.forEach((socket) => socket.pause().unpipe());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    /** Stops forwarding on all open connections without closing them. */
    cut() {
      isCut = true;
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause();
    },
    /** Lets new connections through again; those that were cut stay silent. */
    heal: () => void (isCut = false),
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
