import { expect, it } from "vitest";
import { isOutcomeUnknown } from "../../domain/problem.ts";

const answered = (status: number, code?: string) => ({
  status,
  body: code === undefined ? "" : { code, message: "…" },
});

it.each([
  ["no answer", new TypeError("fetch failed")],
  ["an answer that makes no sense", new Error("Invalid type")],
  ["a gateway's error page", answered(502)],
  ["a gateway's timeout", answered(504)],
  ["a timeout of a proxy", answered(408)],
  ["a server that broke off", answered(500, "internal_error")],
  ["a database that went away, maybe during the commit", answered(503, "database_away")],
  ["a handler that ran out of time", answered(503, "overloaded")],
  ["a message that Telegram has not confirmed", answered(503, "outcome_unknown")],
  ["a card provider that did not answer in time", answered(503, "card_provider_away")],
])("the outcome of a write is unknown after %s", (_case, error) => expect(isOutcomeUnknown(error)).toBe(true));

it.each([
  ["a conflict", answered(409, "duplicate_order")],
  ["invalid input", answered(422, "invalid_input")],
  ["a refusal without a code", answered(404)],
  ["a body that took too long to arrive", answered(408, "request_timeout")],
  ["a server that says that nothing was sent", answered(503, "not_sent")],
  ["a server that takes no more calls", answered(503, "restarting")],
])("a write is refused by %s", (_case, error) => expect(isOutcomeUnknown(error)).toBe(false));
