import { msg } from "@lingui/core/runtime-macro";
import { createFetch } from "ofetch";
import * as v from "valibot";
import type { HttpOptions } from "./http.ts";
import { FIELD_PROBLEMS, type FieldProblem, FieldRefusal, fieldText } from "../../domain/field-problems.ts";
import { PROBLEM_MESSAGES } from "../../domain/problem-messages.ts";
import { isUiText, type ServerText, type UiTextOrString } from "../../domain/ui-text.ts";
import { failureOf, isOutcomeUnknown } from "../../domain/problem.ts";
import { type Answer, jsonOrText, versionOf } from "./prefetched.ts";
import { createRequestKeys } from "./request-keys.ts";
import { createStorage } from "./storage.ts";

type Call = Omit<HttpOptions, "headers"> & { baseURL: string; headers: Record<string, string> };

const requestKeys = createRequestKeys(createStorage(() => window.sessionStorage));

/** Makes a call that changes something, or brings a file. */
export async function makeCall(path: string, { once, ...call }: Call): Promise<Answer> {
  if (once === undefined) return request(path, call);
  const name = JSON.stringify([call.method, path, once, contentOf(call.body)]);
  const headers = { ...call.headers, "Idempotency-Key": requestKeys.keyOf(name) };
  const answer = await request(path, { ...call, headers });
  if (answer.status < 400 || saysWhatBecame(answer)) requestKeys.settle(name);
  return answer;
}

/** Refusals that are given before the server looks at the key, or by a proxy: they say nothing of an attempt before this one. */
const isBeforeKey = (status: number, code: string | null): boolean =>
  code === null ||
  [401, 402, 403].includes(status) ||
  (status === 429 && code !== "account_waits") ||
  ["account_importing", "restarting"].includes(code);

/** Whether a refusal says that nothing came of the call, neither of this attempt nor of one before with the same key. */
function saysWhatBecame({ status, data }: Answer): boolean {
  const failure = { status, body: data };
  return !isBeforeKey(status, failureOf(failure).code) && !isOutcomeUnknown(failure);
}

/** What a body asks for; a file is told by its name, size and date. */
const contentOf = (body: unknown): unknown =>
  body instanceof FormData
    ? Array.from(body, ([name, value]) =>
        value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value],
      )
    : body;

async function request(
  path: string,
  { baseURL, method = "GET", query = {}, headers, body, isFile, signal }: Omit<Call, "once">,
): Promise<Answer> {
  const response = await createFetch({ fetch: (...request) => fetch(...request) }).raw<unknown, "json" | "blob">(path, {
    baseURL,
    method,
    query,
    retry: false,
    ignoreResponseError: true,
    ...(isFile ? { responseType: "blob" as const } : { parseResponse: jsonOrText }),
    ...(body === undefined ? {} : { body: body as Record<string, unknown> }),
    ...(signal ? { signal } : {}),
    headers,
  });
  const { status } = response;
  // oxlint-disable-next-line no-underscore-dangle -- ofetch's name for the parsed body
  const data = response._data ?? null;
  if (status < 400) return { status, data, ...versionOf(response) };
  return { status, data: data instanceof Blob ? jsonOrText(await data.text()) : data };
}

/** What the screens call the API's fields, where that is not their own name. */
const NAMES: Readonly<Record<string, string>> = {
  auto_followup_end_hour: "end hour",
  auto_followup_start_hour: "start hour",
  channel_id: "channel",
  daily_cap: "daily limit",
  delay_days: "delay",
  delay_hours: "delay",
  followup_order: "order",
  is_value: "value",
  media: "file",
  message: "message",
  opt_out_words: "list of opt-out words",
  phone: "phone number",
  url: "address",
};

const nameOf = (path: string): string => {
  const [field = path] = path.split(/[.[]/);
  const name = NAMES[field] ?? field.replace(/_id(s?)$/, "$1").replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** One of a list, as `keywords.3`: what is wrong with it is not wrong with the list. */
const OF_A_LIST = /^[^.[]+\.\d+/;

/** A sentence about a field as the screens call it. @param english the API's own message about the field */
function sentenceOf({ field, code, params }: FieldProblem, english: string): UiTextOrString {
  if (code === "unknown_field") return msg`This page is older than the server. Reload it and try again.`;
  const text = fieldText(code, params);
  const problem = text === null ? english : { ...text, english };
  if (code === null || !Object.hasOwn(FIELD_PROBLEMS, code)) return problem;
  const name = typeof params["name"] === "string" ? params["name"] : nameOf(field);
  return OF_A_LIST.test(field)
    ? msg`${{ field: name }}, one of the entries: ${{ problem }}`
    : msg`${{ field: name }}: ${{ problem }}`;
}

/** Returns the text of a refusal by its code and parameters; null for a code of a newer server. */
function textOf(code: string, params: Record<string, unknown>, english: string): ServerText | null {
  const message = (PROBLEM_MESSAGES as Record<string, (params: never) => UiTextOrString>)[code];
  const text = Object.hasOwn(PROBLEM_MESSAGES, code) ? message?.(params as never) : null;
  return isUiText(text) ? { ...text, english } : null;
}

const Refusal = v.looseObject({
  message: v.string(),
  code: v.string(),
  params: v.optional(v.record(v.string(), v.unknown()), {}),
  fields: v.optional(v.record(v.string(), v.string()), {}),
});

/** Words a refusal for the page: its message becomes a text to translate. What cannot be read stays as it is. */
export function withText(body: unknown): unknown {
  const refusal = v.safeParse(Refusal, body);
  if (!refusal.success) return body;
  const { message, code, params, fields } = refusal.output;
  const named = v.safeParse(FieldRefusal, body);
  const problem = named.success ? named.output.params.problems[0] : undefined;
  const text =
    problem === undefined ? textOf(code, params, message) : sentenceOf(problem, fields[problem.field] ?? message);
  return text === null ? body : { ...(body as object), message: text };
}
