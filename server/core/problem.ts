import type { Scope } from "../../domain/api-key.ts";
import type { FieldProblem } from "../../domain/field-problems.ts";
import { PROBLEM_MESSAGES, type ProblemCode } from "../../domain/problem-messages.ts";
import type { Problem } from "../../domain/problem.ts";

/** An error with an answer for the caller: what happened and what to do. Thrown anywhere below a route. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string> | undefined;
  readonly current: unknown;
  readonly params: Problem["params"];
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: {
      fields?: Record<string, string>;
      params?: Problem["params"];
      retryAfterSeconds?: number;
      current?: unknown;
      version?: string;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = extra.fields;
    this.current = extra.current;
    this.params = extra.params;
    this.headers = {
      ...(extra.retryAfterSeconds === undefined
        ? {}
        : { "retry-after": String(Math.max(1, Math.ceil(extra.retryAfterSeconds))) }),
      ...(extra.version === undefined ? {} : { etag: extra.version }),
    };
  }

  toJSON(): Problem {
    return {
      message: this.message,
      code: this.code,
      ...(this.params === undefined ? {} : { params: this.params }),
      ...(this.fields === undefined ? {} : { fields: this.fields }),
      ...(this.current === undefined ? {} : { current: this.current }),
    };
  }
}

type Params<Code extends ProblemCode> = Parameters<(typeof PROBLEM_MESSAGES)[Code]>;

/** Builds the error of a code: its message from the registry, with the parameters that the message names. */
export function refuse<Code extends ProblemCode>(status: number, code: Code, ...params: Params<Code>): ProblemError {
  const messageOf = PROBLEM_MESSAGES[code] as (...given: Params<Code>) => string;
  return new ProblemError(status, code, messageOf(...params), params[0] === undefined ? {} : { params: params[0] });
}

/** The same answer for an id that does not exist, is malformed, or belongs to someone else. */
export const notFound = () =>
  new ProblemError(404, "not_found", "There is nothing here under that address. It may have been deleted.");
export const unauthorized = (code = "unauthorized", message = "Sign in to go on.") =>
  new ProblemError(401, code, message);
export const subscriptionRequired = () =>
  new ProblemError(
    402,
    "subscription_required",
    "An active subscription is needed for this. Open Billing to subscribe.",
  );
export const missingScope = (scopes: readonly Scope[]) =>
  new ProblemError(
    403,
    "missing_scope",
    `This key may not do that: it needs the scope ${scopes.join(" or ")}. Call with a key that has it; keys are made in Settings.`,
  );
export const keyNotAccepted = () =>
  new ProblemError(403, "key_not_accepted", "A key cannot do that. Sign in in the browser, and do it there yourself.");
export const conflict = (code: string, message: string, fields?: Record<string, string>) =>
  new ProblemError(409, code, message, fields === undefined ? {} : { fields });
/** A name that something else of the kind has already. */
export const nameTaken = (noun: string) => {
  const words = `Another ${noun} has that name already. Choose a different one.`;
  return conflict(`${noun}_name_taken`, words, { name: words });
};
export const invalid = (message: string, fields?: Record<string, string>, code = "invalid_input") =>
  new ProblemError(422, code, message, fields === undefined ? {} : { fields });
/** Refuses a request for fields at fault. The message is about the first of them. */
export function invalidFields(problems: readonly FieldProblem[], fields: Record<string, string>): ProblemError {
  const [first] = problems;
  const message = first === undefined ? "The request could not be read." : `${first.field}: ${fields[first.field]}`;
  return new ProblemError(422, "invalid_input", message, { fields, params: { problems } });
}
export const tooMany = (message: string, retryAfterSeconds: number, code = "too_many_requests") =>
  new ProblemError(429, code, message, { retryAfterSeconds });
export const restarting = () =>
  new ProblemError(503, "restarting", "The server is restarting. Try again in a few seconds.", {
    retryAfterSeconds: 2,
  });
