import { Agent, buildConnector, request, type Dispatcher } from "undici";
import { Webhook } from "standardwebhooks";
import { storedReason } from "../../domain/stored-reasons.ts";
import { WEBHOOK_ANSWER_MS } from "../../domain/webhook.ts";
import type { Clock } from "../core/clock.ts";
import {
  createGuardedLookup,
  isPublicAddress,
  openLookup,
  readAddress,
  RefusedAddress,
  resolvePublicly,
} from "./address.ts";
import type { Resolve } from "./address.ts";

/** A request to a receiver. The secret is `whsec_…`. */
export type Post = { url: string; secret: string; eventKey: string; body: string };
/** The result: the receiver's status, and the error as stored; without an error the receiver accepted it. */
export type PostOutcome = { status: number | null; error: string | null };

export type Poster = { post(sent: Post): Promise<PostOutcome>; stop(): Promise<void> };

/** Only the status of a response matters; this many bytes of its body are read to reuse the connection. */
const ANSWER_MOST_BYTES = 16_384;
/** A body that takes longer is cut off. Until then the delivery stays in flight, so that connections do not pile up. */
const BODY_MS = 1_000;

const FAILURES = {
  ENOTFOUND: "address_not_found",
  ENODATA: "address_not_found",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_closed",
  UND_ERR_SOCKET: "connection_closed",
  EHOSTUNREACH: "address_not_reached",
  ENETUNREACH: "address_not_reached",
  CERT_HAS_EXPIRED: "certificate_expired",
} as const;
const TOO_SLOW = new Set(["ETIMEDOUT", "ETIMEOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "ABORT_ERR"]);

/**
 * Posts events after the Standard Webhooks specification, each within ten seconds. Addresses are resolved and checked at every connection;
 * redirects are not followed.
 * @param options.allowPrivate whether private addresses and plain http are allowed
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
    lookup: allowPrivate ? openLookup : createGuardedLookup(resolve),
    timeout: answerMs,
    allowH2: false,
  });
  const agent = new Agent({
    connect: (options, done) =>
      connect(options, (...args) => {
        const [error, socket] = args;
        // Checked again after connecting, because numeric addresses skip the lookup.
        if (error === null && !allowPrivate && !isPublicAddress(socket.remoteAddress ?? "")) {
          socket.destroy();
          return done(new RefusedAddress(storedReason("address_not_public")), null);
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
        await discardBody(clock, answer);
        return { status: answer.statusCode, error: reasonOfStatus(answer.statusCode) };
      } catch (error) {
        return { status: null, error: reasonOfFailure(error, answerMs) };
      }
    },
    stop: () => agent.destroy(),
  };
}

async function discardBody(clock: Clock, { body }: Dispatcher.ResponseData): Promise<void> {
  const cancel = clock.after(BODY_MS, () => body.destroy());
  // Errors after the status are ignored.
  await body.dump({ limit: ANSWER_MOST_BYTES }).catch(() => {});
  cancel();
}

function reasonOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return storedReason(status >= 300 && status < 400 ? "receiver_redirected" : "receiver_refused", { status });
}

function reasonOfFailure(error: unknown, answerMs: number): string {
  if (error instanceof RefusedAddress) return error.reason;
  const { name, code = "" } = error as { name?: string; code?: string | number };
  if (name === "TimeoutError" || name === "AbortError" || TOO_SLOW.has(String(code)))
    return storedReason("receiver_slow", { seconds: answerMs / 1000 });
  if (error instanceof AggregateError) return storedReason("address_not_reached");
  if (Object.hasOwn(FAILURES, code)) return storedReason(FAILURES[code as keyof typeof FAILURES]);
  return storedReason("connection_failed", {
    error: /^[A-Z0-9_]{1,60}$/.test(String(code)) ? String(code) : "no code",
  });
}
