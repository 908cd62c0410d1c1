import { createFetch } from "ofetch";
import type { HttpOptions } from "./http.ts";
import { failureOf, isOutcomeUnknown } from "../../domain/problem.ts";
import { type Answer, jsonOrText, versionOf } from "./prefetched.ts";
import { createRequestKeys } from "./request-keys.ts";
import { createStorage } from "./storage.ts";

type Call = Omit<HttpOptions, "headers"> & { baseURL: string; headers: Record<string, string> };

const requestKeys = createRequestKeys(createStorage(() => window.sessionStorage));

/** Sends a request that changes something or downloads a file. */
export async function makeCall(path: string, { once, ...call }: Call): Promise<Answer> {
  if (once === undefined) return request(path, call);
  const name = JSON.stringify([call.method, path, once, contentOf(call.body)]);
  const headers = { ...call.headers, "Idempotency-Key": requestKeys.keyOf(name) };
  const answer = await request(path, { ...call, headers });
  if (answer.status < 400 || saysWhatBecame(answer)) requestKeys.settle(name);
  return answer;
}

/** Whether the refusal came before the server looked at the key, or from a proxy: it says nothing about an earlier attempt. */
const isBeforeKey = (status: number, code: string | null): boolean =>
  code === null ||
  [401, 402, 403].includes(status) ||
  (status === 429 && code !== "account_waits") ||
  ["account_importing", "restarting"].includes(code);

/** Whether a refusal proves that neither this attempt nor an earlier one with the same key had an effect. */
function saysWhatBecame({ status, data }: Answer): boolean {
  const failure = { status, body: data };
  return !isBeforeKey(status, failureOf(failure).code) && !isOutcomeUnknown(failure);
}

/** Returns a body's content for comparison; a file counts by its name, size and date. */
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
