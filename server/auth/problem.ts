import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Problem } from "../../domain/problem.ts";
import { SIGN_IN_PROBLEMS } from "../../domain/sign-in-problems.ts";
import type { UiText } from "../../domain/ui-text.ts";
import { inEnglish } from "../core/languages.ts";
import { isDatabaseUnavailable, isUnstorable } from "../core/errors.ts";
import { type Given, ProblemError, refuse } from "../core/problem.ts";

type More = { params?: Problem["params"]; extra?: Record<string, unknown>; retryAfterSeconds?: number };

/** An error in GoTrue's format, which supabase-js turns into an AuthApiError. */
export class AuthProblem extends Error {
  override readonly name = "AuthProblem";
  readonly status: number;
  readonly code: string;
  readonly params: Problem["params"];
  readonly extra: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, code: string, message: string, more: More = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.params = more.params;
    this.extra = more.extra ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}

type Messages = typeof SIGN_IN_PROBLEMS;

/** Builds the error of a code: its message from the table, with the parameters that the message names. */
export function refuseSignIn<Code extends keyof Messages>(
  status: number,
  code: Code,
  ...[params, more = {}]: Given<Messages[Code], Omit<More, "params">>
): AuthProblem {
  const message = inEnglish((SIGN_IN_PROBLEMS[code] as (params: unknown) => UiText)(params));
  return new AuthProblem(status, code, message, params == null ? more : { ...more, params: { ...params } });
}

/** Returns a 503: Supabase does not respond. */
export const signInUnavailable = () => refuse(503, "sign_in_away", null, { retryAfterSeconds: 5 });

export const validationFailed = (params: Parameters<Messages["validation_failed"]>[0]) =>
  refuseSignIn(400, "validation_failed", params);

function toAuthProblem(error: FastifyError | AuthProblem | ProblemError): AuthProblem {
  if (error instanceof AuthProblem) return error;
  if (error instanceof ProblemError) {
    const { status, code, message, params, headers } = error;
    const wait = headers["retry-after"];
    return new AuthProblem(status, code, message, {
      ...(params === undefined ? {} : { params }),
      ...(wait === undefined ? {} : { retryAfterSeconds: Number(wait) }),
    });
  }
  if (isDatabaseUnavailable(error)) return refuseSignIn(503, "database_away", null, { retryAfterSeconds: 5 });
  if (isUnstorable(error)) return validationFailed({ reason: "value" });
  const status = error.statusCode ?? 500;
  if (status === 413) return refuseSignIn(413, "validation_failed", { reason: "too_large" });
  if (status === 503) return refuseSignIn(503, "unexpected_failure", { reason: "busy" }, { retryAfterSeconds: 5 });
  if (status >= 400 && status < 500) return refuseSignIn(400, "bad_json", { reason: "unreadable" });
  return refuseSignIn(500, "unexpected_failure", { reason: "ours" });
}

/** Answers every failure below /auth/v1 as `{code, error_code, msg, params}`. */
export function answerAuthProblem(
  error: FastifyError | AuthProblem | ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const problem = toAuthProblem(error);
  if (problem.status >= 500 && problem.status !== 503) request.log.error({ err: error }, "sign-in call failed");
  if (problem.retryAfterSeconds !== null)
    void reply.header("retry-after", String(Math.ceil(problem.retryAfterSeconds)));
  return reply.code(problem.status).send({
    code: problem.status,
    error_code: problem.code,
    msg: problem.message,
    ...(problem.params === undefined ? {} : { params: problem.params }),
    ...problem.extra,
  });
}
