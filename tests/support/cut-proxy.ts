import net from "node:net";

/** A way to a server that can fall silent without a word, as the way to a host that lost its power does. */
export async function startCutProxy(target: { host: string; port: number }) {
  const pairs = new Set<[net.Socket, net.Socket]>();
  let isCut = false;
  const server = net.createServer((near) => {
    const far = net.connect(target);
    const pair: [net.Socket, net.Socket] = [near, far];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      // Behind a cut, neither side learns of the other's end.
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
    /** From now on nothing passes on the connections there are, and none is closed. */
    cut() {
      isCut = true;
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause();
    },
    /** New connections pass again; the cut ones stay silent. */
    heal: () => void (isCut = false),
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
