import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** A request that the receiver got. `body` is the verified content when the receiver has the secret. */
export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
  at: number;
  /** the status of the response; null if none was sent */
  status: number | null;
};
/** How a receiver responds: with an HTTP status, with 204 after a delay, or never. */
export type Behaviour = number | "hangs" | { afterMs: number };

/** Starts a webhook receiver on a local port. It responds 204 unless a test sets another behaviour. */
export async function openReceiver() {
  const received: Received[] = [];
  const behaviours = new Map<string, (one: Received) => Behaviour>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString();
      const path = request.url ?? "/";
      const one: Received = {
        path,
        headers: request.headers,
        text,
        body: JSON.parse(text) as Received["body"],
        at: Date.now(),
        status: null,
      };
      received.push(one);
      const behaviour = behaviours.get(path)?.(one) ?? 204;
      if (behaviour === "hangs") return;
      const answer = (status: number) => {
        one.status = status;
        response.writeHead(status, status >= 300 && status < 400 ? { location: "/elsewhere" } : {}).end();
      };
      if (typeof behaviour === "number") answer(behaviour);
      else setTimeout(() => answer(204), behaviour.afterMs);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    received,
    urlOf: (path: string) => `http://127.0.0.1:${port}${path}`,
    at: (path: string) => received.filter((one) => one.path === path),
    answer: (path: string, behaviour: Behaviour | ((one: Received) => Behaviour)) =>
      behaviours.set(path, typeof behaviour === "function" ? behaviour : () => behaviour),
    /** Makes every address respond 204 again. */
    heal: () => behaviours.clear(),
    /** The requests that got a 204, in order of arrival. */
    taken: () => received.filter(({ status }) => status === 204),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Throws unless the signature was made with the secret. */
export const verify = (secret: string, { text, headers }: Received): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);
