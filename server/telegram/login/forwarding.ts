import { randomUUID } from "node:crypto";
import type { Topics } from "../../core/bus.ts";
import { withTimeout } from "../../core/clock.ts";
import type { Deps } from "../../core/deps.ts";
import { ProblemError, restarting } from "../../core/problem.ts";
import type { Vault } from "../../core/vault.ts";
import type { LoginAnswer, LoginCommand } from "./attempt.ts";
import { sessionExpired, telegramUnreachable } from "./problems.ts";

/** Messages between a process and the one with the attempt; codes and passwords are encrypted. */
type Message =
  | { kind: "run"; command: LoginCommand }
  | { kind: "taken" }
  | { kind: "aborted" }
  | { kind: "answer"; answer: LoginAnswer }
  | { kind: "problem"; problem: PlainProblem };
type PlainProblem = Pick<ProblemError, "status" | "code" | "message" | "fields" | "params"> & {
  retryAfterSeconds: number | null;
};

type SealedPayload = { request: string; version: number; bytes: string };

/** A live process acknowledges a command at once. */
const TAKEN_WITHIN_MS = 3_000;
const ANSWER_GRACE_MS = 60_000;

/** Forwards login commands over the bus to the process with the attempt. */
export function createForwarding(
  { bus, clock, work }: Pick<Deps, "bus" | "clock" | "work">,
  vault: Vault,
  local: {
    has(attemptId: string): boolean;
    run(attemptId: string, command: LoginCommand, signal: AbortSignal): Promise<LoginAnswer>;
    close(attemptId: string): Promise<void>;
  },
  onFailure: (error: unknown) => void,
) {
  const waiting = new Map<string, (message: Message) => void>();
  const running = new Map<string, AbortController>();

  const send = (attemptId: string, request: string, message: Message) => {
    const sealed = vault.seal(Buffer.from(JSON.stringify(message)), { userId: attemptId, rowId: request });
    return bus.publish("telegram.attempt", {
      attempt_id: attemptId,
      command: "sealed",
      payload: { request, version: sealed.version, bytes: sealed.bytes.toString("base64") },
    });
  };
  const unseal = (attemptId: string, { request, version, bytes }: SealedPayload): Message => {
    const sealed = { version, bytes: Buffer.from(bytes, "base64") };
    return JSON.parse(vault.open(sealed, { userId: attemptId, rowId: request }).toString()) as Message;
  };

  const serve = async (attemptId: string, request: string, command: LoginCommand): Promise<void> => {
    const leaving = new AbortController();
    running.set(request, leaving);
    try {
      await send(attemptId, request, { kind: "taken" });
      const answer = await local.run(attemptId, command, leaving.signal);
      await send(attemptId, request, { kind: "answer", answer });
    } catch (error) {
      await send(attemptId, request, { kind: "problem", problem: asPlain(error) });
    } finally {
      running.delete(request);
    }
  };
  const receive = ({ attempt_id: attemptId, command, payload }: Topics["telegram.attempt"]): void => {
    if (command === "close") {
      if (local.has(attemptId)) local.close(attemptId).catch(onFailure);
      return;
    }
    const { request } = payload as { request: string };
    const isServed = local.has(attemptId) || running.has(request);
    if (!isServed && !waiting.has(request)) return;
    const message = unseal(attemptId, payload as SealedPayload);
    if (message.kind === "aborted") running.get(request)?.abort();
    else if (message.kind !== "run") waiting.get(request)?.(message);
    else if (local.has(attemptId))
      work.track("login command", serve(attemptId, request, message.command)).catch(onFailure);
  };
  const unsubscribe = bus.on("telegram.attempt", receive);

  return {
    /** @throws ProblemError from the attempt's process, or login_expired if that process is gone */
    async run(attemptId: string, command: LoginCommand, signal: AbortSignal): Promise<LoginAnswer> {
      const request = randomUUID();
      const seconds = command.name === "qr-complete" ? command.timeoutSeconds : 0;
      const [taken, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<Message>()];
      const onAbort = () => void send(attemptId, request, { kind: "aborted" }).catch(() => {});
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.set(request, (message) => {
        taken.resolve();
        if (message.kind !== "taken") answered.resolve(message);
      });
      const waitForAnswer = async (): Promise<Message> => {
        await withTimeout(clock, TAKEN_WITHIN_MS, taken.promise, () => {
          throw sessionExpired();
        });
        return withTimeout(clock, seconds * 1000 + ANSWER_GRACE_MS, answered.promise, () => {
          throw telegramUnreachable();
        });
      };
      try {
        await send(attemptId, request, { kind: "run", command });
        const message = await work.pauseFor(waitForAnswer());
        if (message.kind === "answer") return message.answer;
        throw message.kind === "problem" ? asProblem(message.problem) : telegramUnreachable();
      } finally {
        signal.removeEventListener("abort", onAbort);
        waiting.delete(request);
      }
    },
    /** Asks the process with the attempt to end it. */
    async close(attemptId: string): Promise<void> {
      await bus.publish("telegram.attempt", { attempt_id: attemptId, command: "close" });
    },
    /** Fails the pending commands. */
    stop(): void {
      unsubscribe();
      const problem = asPlain(restarting());
      waiting.forEach((resolve) => resolve({ kind: "problem", problem }));
    },
  };
}

function asPlain(error: unknown): PlainProblem {
  const { status, code, message, fields, params, headers } =
    error instanceof ProblemError ? error : telegramUnreachable();
  const after = headers["retry-after"];
  return { status, code, message, fields, params, retryAfterSeconds: after === undefined ? null : Number(after) };
}

const asProblem = ({ status, code, message, fields, params, retryAfterSeconds }: PlainProblem) =>
  new ProblemError(status, code, message, {
    ...(fields === undefined ? {} : { fields }),
    ...(params === undefined ? {} : { params }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
