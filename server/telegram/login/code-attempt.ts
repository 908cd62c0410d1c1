import type { tl } from "@mtcute/core";
import type { Clock } from "../../core/clock.ts";
import { refuse } from "../../core/problem.ts";
import { TelegramCallError, callErrorOf } from "../call-error.ts";
import { type Connector, type LoginAnswer, type LoginAttempt, asUser, completeLogin, waitForLogin } from "./attempt.ts";
import type { LoginClient } from "./login-client.ts";
import { checkPassword, passwordHint } from "./password.ts";
import { codeExpired, loginProblem, sessionExpired } from "./problems.ts";

const GUESSES = 5;

/**
 * Requests a login code and waits for it.
 * @throws ProblemError when Telegram refuses the phone number
 */
export async function startCodeAttempt(
  login: LoginClient,
  options: {
    id: string;
    userId: string;
    phone: string;
    expiresAt: number;
    clock: Clock;
    connector: Connector;
    onConnected(): Promise<void>;
  },
): Promise<LoginAttempt> {
  const { userId, phone } = options;
  let sent: Awaited<ReturnType<typeof login.client.sendCode>>;
  try {
    sent = await login.client.sendCode({ phone });
  } catch (error) {
    await login.close();
    throw loginProblem(error);
  }
  const phoneCodeHash = "phoneCodeHash" in sent ? sent.phoneCodeHash : "";
  let guessesLeft = GUESSES;
  let step: "code" | "password" | "done" = "code";
  let isClosed = false;

  const complete = async (user: tl.RawUser): Promise<LoginAnswer> => {
    step = "done";
    const account = await completeLogin(login, options.connector, userId, user);
    await options.onConnected();
    return { result: "connected", phone: account.phone };
  };
  const verifyCode = async (forPhone: string, code: string): Promise<LoginAnswer> => {
    if (step === "password") return { result: "password_needed", hint: await passwordHint(login) };
    if (forPhone !== phone || guessesLeft === 0) throw codeExpired();
    try {
      const authorization = await login.call({
        _: "auth.signIn",
        phoneNumber: phone.slice(1),
        phoneCodeHash,
        phoneCode: code,
      });
      const user = asUser(authorization);
      if (user === null) throw new TelegramCallError(400, "PHONE_NUMBER_UNOCCUPIED");
      await login.base.notifyLoggedIn(user);
      return await complete(user);
    } catch (error) {
      const text = callErrorOf(error)?.text;
      if (text === "PHONE_CODE_INVALID") guessesLeft -= 1;
      if (text !== "SESSION_PASSWORD_NEEDED") throw loginProblem(error);
      step = "password";
      return { result: "password_needed", hint: await passwordHint(login) };
    }
  };
  const verifyPassword = async (password: string): Promise<LoginAnswer> => {
    if (step !== "password") throw sessionExpired();
    return complete(await checkPassword(login, password));
  };

  // Commands run one at a time, because users double-click.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (command: () => Promise<LoginAnswer>): Promise<LoginAnswer> => {
    const result = last.then(command);
    last = result.catch(() => {});
    return result;
  };
  return {
    id: options.id,
    userId,
    expiresAt: options.expiresAt,
    run: (command) =>
      inTurn(async () => {
        if (isClosed || step === "done") throw sessionExpired();
        if (command.name === "verify-code") return verifyCode(command.phone, command.code);
        if (command.name === "verify-password") return verifyPassword(command.password);
        throw refuse(409, "other_login", { reason: "code" });
      }),
    async close() {
      isClosed = true;
      const ended = last;
      if (await waitForLogin(options.clock, ended)) await login.close();
      else void ended.then(login.close);
    },
  };
}
