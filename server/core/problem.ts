import type { Scope } from "../../domain/api-key.ts";
import type { FieldProblem } from "../../domain/field-problems.ts";
import { PROBLEM_MESSAGES, type ProblemCode } from "../../domain/problem-messages.ts";
import type { Problem } from "../../domain/problem.ts";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { inEnglish } from "./languages.ts";

/** An error with a response for the caller: what happened and what to do. Thrown anywhere below a route. */
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

type Messages = typeof PROBLEM_MESSAGES;
type Extra = NonNullable<ConstructorParameters<typeof ProblemError>[3]>;
/** The parameters of a message, and additional fields of the response. */
export type Given<Message extends (params: never) => unknown, More> =
  Parameters<Message> extends [infer Params] ? [params: Params, more?: More] : [params?: null, more?: More];

const messageOf = <Code extends ProblemCode>(code: Code, params: unknown): string =>
  inEnglish((PROBLEM_MESSAGES[code] as (params: unknown) => UiTextOrString)(params));

/** Builds the error of a code: its message from the table, with the parameters that the message names. */
export function refuse<Code extends ProblemCode>(
  status: number,
  code: Code,
  ...[params, extra = {}]: Given<Messages[Code], Extra>
): ProblemError {
  return new ProblemError(
    status,
    code,
    messageOf(code, params),
    params == null ? extra : { ...extra, params: { ...params } },
  );
}

/**
 * Refuses one value of a request as `invalid_input`, with its own message.
 * @param field the field's name, `body` for the whole request
 * @param code the message's code in `params.problems`
 * @param given the message's parameters, and the short text for `fields`; without it the response has no `fields`
 */
export function refuseInput<Code extends ProblemCode>(
  field: string,
  code: Code,
  ...[params, short]: Given<Messages[Code], string>
): ProblemError {
  return new ProblemError(422, "invalid_input", messageOf(code, params), {
    ...(short === undefined ? {} : { fields: { [field]: short } }),
    params: { problems: [{ field, code, params: params ?? {} }] },
  });
}

/** Returns a 404, the same for an id that does not exist, is malformed or belongs to another owner. */
export const notFound = () => refuse(404, "not_found");
export const unauthorized = () => refuse(401, "unauthorized");
export const subscriptionRequired = () => refuse(402, "subscription_required");
export const overloaded = () => refuse(503, "overloaded", { reason: "stopping" }, { retryAfterSeconds: 5 });
export const missingScope = (scopes: readonly Scope[]) => refuse(403, "missing_scope", { scopes });
/** Refuses a name that another item of the kind has. */
export const nameTaken = <Code extends Extract<ProblemCode, `${string}_name_taken`>>(
  code: Code,
  ...params: Parameters<Messages[Code]>
) =>
  new ProblemError(409, code, messageOf(code, params[0]), {
    fields: { name: messageOf(code, params[0]) },
    ...(params[0] === undefined ? {} : { params: { ...params[0] } }),
  });
/** Refuses invalid fields of a request. The message is about the first one and uses the parameter `name`, if there is one. */
export function invalidFields(problems: readonly FieldProblem[], fields: Record<string, string>): ProblemError {
  const [{ field, params }] = problems as readonly [FieldProblem];
  const message = `${typeof params["name"] === "string" ? params["name"] : field}: ${fields[field]}`;
  return new ProblemError(422, "invalid_input", message, { fields, params: { problems } });
}
export const restarting = () => refuse(503, "restarting", null, { retryAfterSeconds: 2 });
