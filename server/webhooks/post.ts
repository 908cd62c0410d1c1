import { Agent, buildConnector, request, type Dispatcher } from "undici";
import { Webhook } from "standardwebhooks";
import { WEBHOOK_ANSWER_MS } from "../../domain/webhook.ts";
import type { Clock } from "../core/clock.ts";
import { guardedLookup, isPublicAddress, openLookup, readAddress, RefusedAddress, resolvePublicly } from "./address.ts";
import type { Resolve } from "./address.ts";

/** What is sent, and to whom. The secret is `whsec_…`. */
export type Post = { url: string; secret: string; eventKey: string; body: string };
/** What became of it: the receiver's answer, and what went wrong in words; no error means that it was taken. */
export type PostOutcome = { status: number | null; error: string | null };

export type Poster = { post(sent: Post): Promise<PostOutcome>; stop(): Promise<void> };

/** Of an answer nothing but its status is looked at; so much of its body is read to keep the connection. */
const ANSWER_MOST_BYTES = 16_384;
/** A body that has not ended by then is cut off: its connection counts as this delivery's until then, so that they do not pile up. */
const BODY_MS = 1_000;

const WORDS: Record<string, string> = {
  ENOTFOUND: "The name of the address could not be found.",
  ENODATA: "The name of the address could not be found.",
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed without an answer.",
  UND_ERR_SOCKET: "The connection was closed without an answer.",
  EHOSTUNREACH: "The address could not be reached.",
  ENETUNREACH: "The address could not be reached.",
  CERT_HAS_EXPIRED: "The certificate has expired.",
};
const TOO_SLOW = new Set(["ETIMEDOUT", "ETIMEOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "ABORT_ERR"]);

/**
 * Posts events after the Standard Webhooks specification, each within ten seconds. Addresses are resolved and checked at every connection;
 * redirects are not followed.
 * @param options.allowPrivate one's own network, and plain http
 */
export function createPoster({
  clock,
  allowPrivate,
  resolve = resolvePublicly,
  answerMs = WEBHOOK_ANSWER_MS,
}: {
  clock: Clock;
  allowPrivate: boolean;
  resolve?: Resolve;
  answerMs?: number;
}): Poster {
  const connect = buildConnector({
    lookup: allowPrivate ? openLookup : guardedLookup(resolve),
    timeout: answerMs,
    allowH2: false,
  });
  const agent = new Agent({
    connect: (options, done) =>
      connect(options, (...args) => {
        const [error, socket] = args;
        // Once more at the open connection: a numeric address is connected to without a lookup.
        if (error === null && !allowPrivate && !isPublicAddress(socket.remoteAddress ?? "")) {
          socket.destroy();
          return done(new RefusedAddress("The address does not lead to the public internet."), null);
        }
        return done(...args);
      }),
    keepAliveTimeout: 4_000,
    pipelining: 1,
  });
  return {
    async post({ url, secret, eventKey, body }) {
      const now = new Date(clock.wall());
      const signal = clock.timeout(answerMs);
      try {
        const answer = await request(readAddress(url, allowPrivate), {
          dispatcher: agent,
          method: "POST",
          signal,
          headers: {
            "content-type": "application/json; charset=utf-8",
            "user-agent": "Leadloom-Webhooks/1",
            "webhook-id": eventKey,
            "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
            "webhook-signature": new Webhook(secret).sign(eventKey, now, body),
          },
          body,
        });
        await readAway(clock, answer);
        return { status: answer.statusCode, error: wordsOfStatus(answer.statusCode) };
      } catch (error) {
        return { status: null, error: wordsOfFailure(error, answerMs) };
      }
    },
    stop: () => agent.destroy(),
  };
}

async function readAway(clock: Clock, { body }: Dispatcher.ResponseData): Promise<void> {
  const cancel = clock.after(BODY_MS, () => body.destroy());
  // Whatever happens to it after its status is no matter.
  await body.dump({ limit: ANSWER_MOST_BYTES }).catch(() => {});
  cancel();
}

function wordsOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered ${status}: redirects are not followed.`;
  return `The receiver answered ${status}.`;
}

function wordsOfFailure(error: unknown, answerMs: number): string {
  if (error instanceof RefusedAddress) return error.message;
  const { name, code = "" } = error as { name?: string; code?: string | number };
  if (name === "TimeoutError" || name === "AbortError" || TOO_SLOW.has(String(code)))
    return `The receiver did not answer within ${answerMs / 1000} seconds.`;
  if (error instanceof AggregateError) return "The address could not be reached.";
  return WORDS[String(code)] ?? `The connection failed (${/^[A-Z0-9_]{1,60}$/.test(String(code)) ? code : "no code"}).`;
}
