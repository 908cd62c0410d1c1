import { LOGIN_ATTEMPT_MS } from "../../../domain/limits.ts";
import { randomUUID } from "node:crypto";
import type { Deps, Running } from "../../core/deps.ts";
import { publishEvent } from "../../core/bus.ts";
import { ProblemError } from "../../core/problem.ts";
import { openLimiter, rateLimitError } from "../../core/limits.ts";
import type { TelegramConnection } from "../connection.ts";
import { createVault } from "../../core/vault.ts";
import type { Connector, LoginAnswer, LoginAttempt, LoginCommand } from "./attempt.ts";
import { startCodeAttempt } from "./code-attempt.ts";
import { createForwarding } from "./forwarding.ts";
import { createCodeLimits } from "./limits.ts";
import { openLoginClient } from "./login-client.ts";
import { sessionExpired, telegramUnreachable } from "./problems.ts";
import { startQrAttempt } from "./qr-attempt.ts";

const SWEEP_MS = 1_000;
/** Each start negotiates new keys with Telegram, which costs CPU time. */
const QR_STARTS = {
  capacity: 10,
  refillSeconds: 30,
  refusal: rateLimitError("qr_logins"),
};

/** Runs logins, one attempt per user, in this process or in another one that is found through the database. */
export type LoginFlows = Running & {
  /** @throws ProblemError 429 over the limits, 422 when Telegram refuses the phone number */
  sendCode(request: { userId: string; phone: string; address: string }): Promise<void>;
  /** @throws ProblemError 429 after too many starts */
  startQr(userId: string): Promise<LoginAnswer>;
  run(userId: string, command: LoginCommand, signal: AbortSignal): Promise<LoginAnswer>;
  cancel(userId: string): Promise<void>;
};

export function createLoginFlows(
  deps: Pick<Deps, "db" | "bus" | "clock" | "config" | "engine" | "logger" | "work">,
  options: { connection: TelegramConnection; connector: Connector },
): LoginFlows {
  const { db, bus, clock, config } = deps;
  const owner = randomUUID();
  const limits = createCodeLimits(deps);
  const qrStarts = openLimiter(deps, "qr logins", QR_STARTS);
  /** The attempts of this process, by id. */
  const attempts = new Map<string, LoginAttempt>();

  const forget = async (id: string): Promise<void> => {
    attempts.delete(id);
    await db.deleteFrom("telegram_login_attempts").where("id", "=", id).execute();
  };
  const find = (userId: string) =>
    db
      .selectFrom("telegram_login_attempts")
      .select(["id", "owner"])
      .where("user_id", "=", userId)
      .where("expires_at", ">", clock.iso())
      .executeTakeFirst();
  const closeLocal = async (id: string): Promise<void> => {
    await attempts.get(id)?.close();
    await forget(id);
  };
  const runLocal = async (id: string, command: LoginCommand, signal: AbortSignal): Promise<LoginAnswer> => {
    const attempt = attempts.get(id);
    if (attempt === undefined) throw sessionExpired();
    const answer = await attempt.run(command, signal);
    if (answer.result === "connected") await forget(id);
    return answer;
  };
  const report = (error: unknown) => deps.logger.error({ err: error }, "a telegram login failed");
  const forwarding = createForwarding(
    deps,
    createVault(config.encryptionKeys),
    { has: (id) => attempts.has(id), run: runLocal, close: closeLocal },
    report,
  );

  const cancel = async (userId: string): Promise<void> => {
    const row = await find(userId);
    if (row === undefined) return;
    // First, so that an attempt that is still connecting ends itself.
    await db.deleteFrom("telegram_login_attempts").where("id", "=", row.id).execute();
    if (row.owner === owner) await closeLocal(row.id);
    else await forwarding.close(row.id);
  };
  /** A new attempt replaces an older one, in any process. */
  const begin = async (userId: string, kind: "code" | "qr") => {
    await cancel(userId);
    const attempt = { id: randomUUID(), userId, expiresAt: clock.now() + LOGIN_ATTEMPT_MS };
    const row = { id: attempt.id, owner, kind, expires_at: new Date(attempt.expiresAt).toISOString() };
    await db
      .insertInto("telegram_login_attempts")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
    return attempt;
  };
  const closeOnFailure = async <T>({ id }: { id: string }, open: () => Promise<T>): Promise<T> => {
    try {
      return await open();
    } catch (error) {
      await closeLocal(id);
      if (error instanceof ProblemError) throw error;
      deps.logger.warn({ err: error }, "a telegram login failed");
      throw telegramUnreachable();
    }
  };
  /** @throws ProblemError login_expired if the attempt was replaced or cancelled while it connected */
  const keep = async (attempt: LoginAttempt): Promise<void> => {
    attempts.set(attempt.id, attempt);
    if ((await find(attempt.userId))?.id !== attempt.id) throw sessionExpired();
  };

  const stopSweeping = clock.every(SWEEP_MS, () => {
    for (const attempt of attempts.values()) {
      if (clock.now() < attempt.expiresAt) continue;
      deps.work.track("close a login", closeLocal(attempt.id)).catch(report);
    }
  });

  return {
    cancel,
    async sendCode({ userId, phone, address }) {
      await limits.admit({ userId, phone, address });
      const begun = await begin(userId, "code");
      await closeOnFailure(begun, async () => {
        const login = await openLoginClient(options.connection, clock);
        const onConnected = () => limits.forgive({ userId, phone, address });
        await keep(
          await startCodeAttempt(login, { ...begun, phone, clock, connector: options.connector, onConnected }),
        );
      });
    },
    async startQr(userId) {
      await qrStarts.use(userId);
      const begun = await begin(userId, "qr");
      return closeOnFailure(begun, async () => {
        const login = await openLoginClient(options.connection, clock);
        const attempt = await startQrAttempt(login, {
          ...begun,
          clock,
          work: deps.work,
          connector: options.connector,
          onUrl(url, expiresAt) {
            const published = publishEvent(bus, userId, "telegram.qr", { qr_url: url, expires_at: expiresAt });
            void deps.work.track("publish a QR code", published).catch(() => {});
          },
          onEnd: () => forget(begun.id),
        });
        await keep(attempt);
        return attempt.run({ name: "qr-url" }, new AbortController().signal);
      });
    },
    async run(userId, command, signal) {
      const row = await find(userId);
      if (row === undefined) throw sessionExpired();
      return row.owner === owner ? runLocal(row.id, command, signal) : forwarding.run(row.id, command, signal);
    },
    async stop() {
      stopSweeping();
      forwarding.stop();
      await Promise.all([...attempts.keys()].map(closeLocal));
    },
  };
}
