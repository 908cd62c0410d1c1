import http from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A way to the product on which the event stream can fall silent without an end, as behind a router that forgets. */
export async function openSwallowingProxy(target: string) {
  const { hostname, port } = new URL(target);
  const streams: { swallow: () => void }[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer((request, response) => {
    const { method, url = "", headers } = request;
    // What came before is not told anew: what the page makes of it would be under way when the stream falls silent.
    const path = streams.length === 0 ? url.replace(/missed_ms=\d+/, "missed_ms=0") : url;
    const passed = http.request({ host: hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      if (!path.startsWith("/api/events")) return;
      streams.push({
        swallow() {
          answer.unpipe(response);
          answer.resume();
        },
      });
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many event streams were asked for so far. */
    streams: () => streams.length,
    /** From now on nothing of the streams that are open comes through. */
    swallow: () => streams.forEach((stream) => stream.swallow()),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
