import { msg } from "@lingui/core/runtime-macro";
import { dropPrefetched, read, takePrefetched } from "./prefetched.ts";
import { isSameUser } from "./session-store.ts";

export type HttpOptions = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Undefined, null and empty values are left out of the address. */
  query?: Record<string, unknown>;
  /** A plain value is sent as JSON, FormData as multipart. */
  body?: unknown;
  headers?: Record<string, string>;
  /**
   * Sends an Idempotency-Key, the same one until the server has responded: a retry cannot create or send twice. A text distinguishes calls
   * with the same content but different meanings.
   */
  once?: true | string;
  /** A success is a file: its data is a Blob. A refusal is parsed as usual. */
  isFile?: true;
  signal?: AbortSignal;
  /** The user who must be signed in for this call; without it, any signed-in user. */
  by?: string;
};

export type Http = {
  <T>(path: string, options?: HttpOptions): Promise<T>;
  /** The same with the status and the version beside the data. Also fails on 4xx and 5xx. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the shape that it decodes
  raw<T>(path: string, options?: HttpOptions): Promise<{ status: number; data: T; version?: string }>;
};

/** A call that was refused (`status` set) or got no response (`status` null). An aborted call rejects with its AbortError instead. */
export class HttpError extends Error {
  readonly status: number | null;
  readonly code: string | null;
  readonly body: unknown;

  constructor(status: number | null, body: unknown, options?: ErrorOptions) {
    super(textOf(body, "message") ?? (status === null ? "No answer from the server" : `Answered ${status}`), options);
    this.name = "HttpError";
    this.status = status;
    this.code = textOf(body, "code");
    this.body = body;
  }
}

export type HttpDeps = {
  baseURL: string;
  /** The current access token and, if known, its user; null when signed out. */
  getSession: () => { accessToken: string; userId?: string } | null;
  /** Renews the token; null if that failed. Called once per call refused for its token. */
  refresh: () => Promise<string | null>;
  /** Called with the promise of every call that changes something. */
  onWrite?: (work: Promise<unknown>) => void;
  loadTexts?: () => Promise<unknown>;
  /** Called on every 402: the page's subscription is out of date. */
  onSubscriptionRequired?: () => void;
};

/** Loads the code of writes and file downloads, which reads do not need. */
export const loadWrites = () => import("./calls.ts");

const loadRefusalText = () => import("../../domain/refusal-text.ts");

/** Returns the refusal's message in the page's language; the server's English if that fails. */
const refusalOf = (
  { status, data }: { status: number; data: unknown },
  loadTexts: HttpDeps["loadTexts"],
): Promise<HttpError> =>
  Promise.all([loadRefusalText(), loadTexts?.()])
    .then(([{ withText }]) => new HttpError(status, withText(data)))
    .catch(() => new HttpError(status, data));

/** Codes of a 401 after which the token is refreshed. If the session has ended, the refresh fails and signs the page out. */
const REFRESH_CODES = ["token_expired", "session_not_found"];

/** The error of a call whose user is no longer signed in. */
const NOT_THEIRS = { code: "signed_out", message: msg`You were signed out. Log in and try again.` };

/** The product API's client: bearer token, JSON or multipart, no timeout, no retry except after a token renewal. */
export function createHttp(deps: HttpDeps): Http {
  const send = async (path: string, options: HttpOptions, token: string | null) => {
    const query = withoutBlanks(options.query);
    const bearer: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
    const { signal = null } = options;
    try {
      if (isRead(options)) {
        const address = addressOf(deps.baseURL + path, query);
        return await (takePrefetched(address, bearer["Authorization"] ?? null, signal) ??
          read(address, bearer, signal));
      }
      const { makeCall } = await loadWrites();
      // Loads during the request, so that a refusal shows without delay.
      void loadRefusalText().catch(() => {});
      const headers = { ...options.headers, ...bearer };
      return await makeCall(path, { ...options, query, headers, baseURL: deps.baseURL });
    } catch (error) {
      throw abortOf(error, options.signal) ?? new HttpError(null, null, { cause: error });
    }
  };

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as declared by Http
  const raw = <T>(path: string, options: HttpOptions = {}) => {
    const isChange = mayChange(options);
    if (isChange) dropPrefetched();
    const work = isChange ? call<T>(path, options).finally(dropPrefetched) : call<T>(path, options);
    if ((options.method ?? "GET") !== "GET") deps.onWrite?.(work);
    return work;
  };

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as declared by Http
  const call = async <T>(path: string, options: HttpOptions) => {
    const session = deps.getSession();
    if (options.by !== undefined && session?.userId !== options.by) throw new HttpError(401, NOT_THEIRS);
    const token = session?.accessToken ?? null;
    let answer = await send(path, options, token);
    if (answer.status === 401 && REFRESH_CODES.includes(textOf(answer.data, "code") ?? "")) {
      const renewed = await deps.refresh();
      // Another user may have signed in: do not act in their name.
      if (renewed !== null && (token === null || isSameUser(token, renewed)))
        answer = await send(path, options, renewed);
    }
    if (answer.status === 402) deps.onSubscriptionRequired?.();
    if (answer.status >= 400) throw await refusalOf(answer, deps.loadTexts);
    return answer as { status: number; data: T; version?: string };
  };

  return Object.assign(async <T>(path: string, options?: HttpOptions) => (await raw<T>(path, options)).data, { raw });
}

/** A read as prefetching sends it, which needs no further code. */
const isRead = ({ method = "GET", headers, isFile }: HttpOptions) =>
  method === "GET" && headers === undefined && isFile === undefined;

/** Writes take no signal: a non-GET call with a signal only reads. */
const mayChange = ({ method = "GET", signal }: HttpOptions) => method !== "GET" && signal === undefined;

function addressOf(path: string, query: Record<string, unknown>): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  ).toString();
  // A colon in a time needs no escape; this keeps the address readable.
  const plain = search.replaceAll("%3A", ":");
  return search === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${plain}`;
}

function withoutBlanks(query: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value != null && value !== ""));
}

function abortOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return error instanceof Error && error.cause ? error.cause : error;
  return null;
}

function textOf(value: unknown, key: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "string" && found !== "" ? found : null;
}
