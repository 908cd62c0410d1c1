import type { tl } from "@mtcute/core";
import type { Clock } from "../../core/clock.ts";
import type { Work } from "../../core/work.ts";
import { refuse } from "../../core/problem.ts";
import { callErrorOf } from "../call-error.ts";
import { type Connector, type LoginAnswer, type LoginAttempt, asUser, completeLogin, waitForLogin } from "./attempt.ts";
import type { LoginClient } from "./login-client.ts";
import { checkPassword, passwordHint } from "./password.ts";
import { loginProblem, qrExpired, sessionExpired } from "./problems.ts";

type State =
  | { step: "starting" }
  | { step: "waiting"; url: string; expiresAt: number }
  | { step: "password"; hint: string | null }
  | { step: "connected"; phone: string | null }
  | { step: "failed"; error: unknown };

const TOKEN_MS = 30_000;
const SHORTEST_TOKEN_MS = 1_000;

/**
 * Shows a QR code until a phone scans it. A code is valid for about thirty seconds and is replaced while the attempt lasts.
 * @param options.onUrl called with each new code after the first
 */
export async function startQrAttempt(
  login: LoginClient,
  options: {
    id: string;
    userId: string;
    expiresAt: number;
    clock: Clock;
    work: Work;
    connector: Connector;
    onUrl(url: string, expiresAt: string): void;
    onEnd(): Promise<void>;
  },
): Promise<LoginAttempt> {
  const { clock, work, userId } = options;
  const { apiId, apiHash } = await apiCredentials(login);
  let state: State = { step: "starting" };
  const closing = new AbortController();
  let changed = Promise.withResolvers<void>();
  let scanned = Promise.withResolvers<void>();

  const become = (next: State) => {
    state = next;
    changed.resolve();
    changed = Promise.withResolvers();
  };
  // A scan that arrives while a token is requested is checked by the next request.
  let scans = 0;
  let checkedScans = 0;
  const isScanned = () => scans > checkedScans;
  let completing: Promise<void> = Promise.resolve();
  login.base.onServerUpdate.add((updates) => {
    if (!holdsLoginToken(updates)) return;
    scans += 1;
    scanned.resolve();
  });
  let ending: Promise<void> | null = null;
  const end = (reason: Error): Promise<void> => (ending ??= endOnce(reason));
  const endOnce = async (reason: Error): Promise<void> => {
    if (closing.signal.aborted) return;
    closing.abort();
    const completed = (isScanned() ? running : Promise.resolve()).then(() => completing).catch(() => {});
    const hasEnded = await waitForLogin(clock, completed);
    if (state.step === "connected") return;
    become({ step: "failed", error: reason });
    if (hasEnded) await login.close();
    else void completed.then(login.close);
  };
  const close = async () => {
    await end(sessionExpired());
    await options.onEnd();
  };
  /** Completes the login. The attempt stays until its result is read, because the phone may scan before the page asks. */
  const finish = async (user: tl.RawUser): Promise<void> => {
    const { phone } = await completeLogin(login, options.connector, userId, user);
    become({ step: "connected", phone });
    closing.abort();
  };

  const nextToken = async (): Promise<tl.auth.TypeLoginToken> => {
    const token = await login.call({ _: "auth.exportLoginToken", apiId, apiHash, exceptIds: [] });
    if (token._ !== "auth.loginTokenMigrateTo") return token;
    await login.base.changePrimaryDc(token.dcId);
    return login.call({ _: "auth.importLoginToken", token: token.token });
  };
  const showUntilScanned = async (): Promise<void> => {
    while (!closing.signal.aborted || isScanned()) {
      scanned = Promise.withResolvers();
      const scansBefore = scans;
      const token = await work.track("QR code", nextToken());
      if (token._ === "auth.loginTokenSuccess") {
        const user = asUser(token.authorization);
        if (user === null) throw new Error("Telegram accepted the QR code but returned no account.");
        await login.base.notifyLoggedIn(user);
        completing = work.track("finish a login", finish(user));
        return completing;
      }
      checkedScans = scansBefore;
      if (token._ !== "auth.loginToken" || closing.signal.aborted) continue;
      const life = Math.min(Math.max(token.expires * 1000 - clock.now(), SHORTEST_TOKEN_MS), TOKEN_MS);
      const isFirst = state.step === "starting";
      const expiresAt = clock.now() + life;
      const url = `tg://login?token=${Buffer.from(token.token).toString("base64url")}`;
      become({ step: "waiting", url, expiresAt });
      if (!isFirst) options.onUrl(url, new Date(expiresAt).toISOString());
      await untilTime(clock, expiresAt, scanned.promise, closing.signal);
    }
  };
  const run = async (): Promise<void> => {
    try {
      await showUntilScanned();
    } catch (error) {
      if (closing.signal.aborted) return;
      if (callErrorOf(error)?.text === "SESSION_PASSWORD_NEEDED") {
        become({ step: "password", hint: await passwordHint(login).catch(() => null) });
      } else {
        become({ step: "failed", error });
      }
    }
  };
  const running = run();
  await untilTime(clock, options.expiresAt, changed.promise);

  const answerNow = (): LoginAnswer | null => {
    switch (state.step) {
      case "connected":
        return { result: "connected", phone: state.phone };
      case "password":
        return { result: "password_needed", hint: state.hint };
      case "failed":
        throw loginProblem(state.error);
      default:
        return null;
    }
  };
  const complete = async (timeoutSeconds: number, signal: AbortSignal): Promise<LoginAnswer> => {
    const deadline = clock.now() + timeoutSeconds * 1000;
    for (;;) {
      const answer = answerNow();
      if (answer !== null) return answer;
      if (signal.aborted) {
        await close();
        throw qrExpired();
      }
      if (clock.now() >= deadline) {
        // The attempt stays and repeats this error: browsers automatically retry a request that got a 408 on a reused connection.
        await end(qrExpired());
        continue;
      }
      await work.pauseFor(untilTime(clock, deadline, changed.promise, signal));
    }
  };
  const verifyPassword = async (password: string): Promise<void> => {
    if (state.step === "connected" || state.step === "failed") return;
    if (state.step !== "password" || closing.signal.aborted) throw sessionExpired();
    const user = await checkPassword(login, password);
    await finish(user).catch((error: unknown) => become({ step: "failed", error }));
  };

  return {
    id: options.id,
    userId,
    expiresAt: options.expiresAt,
    close,
    async run(command, signal) {
      switch (command.name) {
        case "qr-url":
          answerNow();
          if (state.step !== "waiting") throw sessionExpired();
          return { result: "qr", qr_url: state.url, expires_at: new Date(state.expiresAt).toISOString() };
        case "qr-complete":
          return complete(command.timeoutSeconds, signal);
        case "verify-password": {
          // One at a time, because users double-click.
          completing = completing.catch(() => {}).then(() => verifyPassword(command.password));
          await completing;
          const answer = answerNow();
          if (answer === null) throw sessionExpired();
          return answer;
        }
        default:
          throw refuse(409, "other_login", { reason: "qr" });
      }
    },
  };
}

async function apiCredentials({ base }: LoginClient) {
  const { id, hash } = await base.getApiCredentials();
  return { apiId: id, apiHash: hash };
}

function holdsLoginToken(updates: tl.TypeUpdates): boolean {
  if (updates._ === "updateShort") return updates.update._ === "updateLoginToken";
  return "updates" in updates && updates.updates.some((update) => update._ === "updateLoginToken");
}

/** Waits for the event, for a time on the clock, or for the signal. */
async function untilTime(clock: Clock, at: number, event: Promise<void>, signal?: AbortSignal): Promise<void> {
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    await Promise.race([event, clock.sleepUntil(at, ended).catch(() => {})]);
  } finally {
    over.abort();
  }
}
