import fc from "fast-check";
import { hostileText, hostileValue, hugeText, rawBody } from "./fuzz-values.ts";

/** A call of the product and the content of a valid request. */
export type Target = {
  method: string;
  /** with `{name}` for each parameter */
  path: string;
  query: string[];
  body: Record<string, unknown> | null;
  takesForm: boolean;
  /** a real id for the path, so that requests reach the body's checks */
  id: string | null;
};
export type FuzzRequest = { method: string; path: string; headers: Record<string, string>; body: Buffer | null };

const FORM_FIELDS = [
  "message",
  "stage_id",
  "followup_order",
  "delay_hours",
  "throttle",
  "media",
  "__proto__",
  "nobody",
];
const FILES = [
  "",
  "GIF89a",
  "\u0089PNG\r\n\u001A\n",
  "<svg onload=alert(1)>",
  "\0\0\0\u0018ftypmp42",
  "x".repeat(70_000),
];
/** Five of these fit into a header. */
const PART_MAX = 2_000;
const BOUNDARY = "fuzz-boundary";

/** Encodes what it can, and keeps the rest malformed, as a client may send it. */
const encode = (text: string): string => {
  try {
    return encodeURIComponent(text).slice(0, PART_MAX);
  } catch {
    return "%ED%A0%80";
  }
};
const pathPart = fc.oneof(hostileText.map(encode), fc.constantFrom("%ff", "%00", "%", "..", "%2e%2e", "1", "null"));

const queryOf = (names: string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names, "unknown", "__proto__", "names[]"), hostileText), { maxLength: 5 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${encode(value)}`).join("&"));

/** A valid body with some fields corrupted, removed or added. */
const corrupted = (body: Record<string, unknown>): fc.Arbitrary<string> => {
  const names = Object.keys(body);
  const change = fc.tuple(
    fc.constantFrom(...names, ...names, "unknown", "id", "owner_id", "constructor"),
    fc.oneof(
      { weight: 12, arbitrary: hostileValue },
      { weight: 1, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(hugeText) },
    ),
  );
  return fc
    .array(change, { maxLength: 3 })
    .map((changes) => JSON.stringify({ ...body, ...Object.fromEntries(changes) }));
};

const asJson = (text: fc.Arbitrary<string>, type = "application/json") =>
  text.map((body) => ({ headers: { "content-type": type }, body: Buffer.from(body) }));

const formPart = fc
  .tuple(fc.constantFrom(...FORM_FIELDS), fc.oneof(hostileText, fc.constantFrom(...FILES)), fc.boolean())
  .map(
    ([name, value, isFile]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${isFile ? '; filename="../../tests/a.png"' : ""}\r\n${isFile ? "content-type: image/png\r\n" : ""}\r\n${value}\r\n`,
  );
/** Forms, some truncated or closed with a wrong boundary. */
const form = fc
  .tuple(fc.array(formPart, { maxLength: 6 }), fc.constantFrom("--", "", "xx", "cut"))
  .map(([parts, end]) => {
    const whole = parts.join("") + (end === "cut" ? "" : `--${BOUNDARY}${end}\r\n`);
    const text = end === "cut" ? whole.slice(0, Math.floor(whole.length * 0.7)) : whole;
    return {
      headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
      body: Buffer.from(text, "latin1"),
    };
  });
const oddType = fc
  .tuple(
    fc.constantFrom("text/plain", "multipart/form-data", "application/xml", "application/json; charset=utf-16", "x"),
    rawBody,
  )
  .map(([type, body]) => ({ headers: { "content-type": type }, body: Buffer.from(body) }));
const none = fc.constant({ headers: {}, body: null });

const bodyOf = ({ body, takesForm, method }: Target) => {
  const plain = [asJson(rawBody), none, oddType];
  const corruptedJson = asJson(
    corrupted(body ?? Object.fromEntries(FORM_FIELDS.slice(0, 5).map((name) => [name, "1"]))),
  );
  if (takesForm) return fc.oneof(form, form, form, corruptedJson, ...plain);
  if (body !== null)
    return fc.oneof(corruptedJson, corruptedJson, corruptedJson, corruptedJson, asJson(rawBody), form, none);
  return method === "GET" ? none : fc.oneof(none, none, ...plain);
};

const pathOf = ({ path, id }: Target): fc.Arbitrary<string> => {
  if (!path.includes("{")) return fc.constant(path);
  const part =
    id === null ? pathPart : fc.oneof({ weight: 3, arbitrary: fc.constant(id) }, { weight: 1, arbitrary: pathPart });
  return part.map((value) => path.replace(/\{\w+\}/, value));
};

/** Requests to one call, with generated errors in address, query and body. */
export const requestsTo = (target: Target): fc.Arbitrary<FuzzRequest> =>
  fc
    .tuple(
      pathOf(target),
      fc.oneof(
        { weight: target.query.length === 0 ? 1 : 6, arbitrary: queryOf(target.query) },
        { weight: 1, arbitrary: fc.constant("") },
      ),
      bodyOf(target) as fc.Arbitrary<{ headers: Record<string, string>; body: Buffer | null }>,
    )
    .map(([path, query, { headers, body }]) => ({
      method: target.method,
      path: query === "" ? path : `${path}?${query}`,
      headers,
      body,
    }));
