import type { MessagesPage } from "../../domain/message.ts";
import { pause, type House } from "./house.ts";

export type Delivered = { to_user_id: number; text: string };
export type Job = {
  status: string;
  sent_count: number;
  failed_count: number;
  total_targets: number;
  error: string | null;
};

const WAIT_MS = 120_000;
const SLOWEST_SEND_MS = 1_000;

/** A subscriber with a connected account and leads who wrote to it, created through the product's own API. */
export class Seller {
  readonly phone: string;
  readonly #house: House;
  readonly #token: string;
  /** Each seller has its own client address, because of limits per address. */
  readonly #address: string;
  #jobId = "";

  private constructor(house: House, phone: string, address: string, token: string) {
    this.#house = house;
    this.phone = phone;
    this.#address = address;
    this.#token = token;
  }

  static async join(house: House, number: number): Promise<Seller> {
    const phone = `+1555000${String(number).padStart(4, "0")}`;
    const email = `seller-${number}@example.com`;
    const address = `10.1.${number >> 8}.${number & 255}`;
    const signUp = () =>
      call<{ access_token: string }>(`${house.web.url}/auth/v1/signup`, {
        body: { email, password: "correct horse battery", data: { name: "Seller" } },
        headers: { apikey: "leadloom-anon", "x-forwarded-for": address },
      });
    const session = await whileBusy(signUp);
    const seller = new Seller(house, phone, address, session.access_token);
    await seller.#subscribe();
    await seller.#connect();
    return seller;
  }

  async #subscribe(): Promise<void> {
    const { url } = await this.#api<{ url: string }>("POST", "/billing/checkout");
    const id = /cs_[A-Za-z0-9_]+/.exec(url)?.[0];
    if (id === undefined) throw new Error(`no checkout session in ${url}`);
    await fetch(`${this.#house.outsideUrl}/sandbox/billing/checkout/${id}/pay`, { method: "POST", redirect: "manual" });
    await this.#api("POST", "/billing/confirm", { session_id: id });
  }

  async #connect(): Promise<void> {
    await this.#api("POST", "/telegram/send-code", { phone: this.phone });
    const { login_code: code } = await this.#callSandbox<{ login_code: string }>("GET", "");
    await this.#api("POST", "/telegram/verify-code", { phone: this.phone, code });
  }

  /** Sends messages from new people to the account; resolves when each is a lead. */
  async meetPeople(count: number): Promise<void> {
    for (let number = 1; number <= count; number += 1) {
      await this.#callSandbox("POST", "/receive", { from: { first_name: `Person ${number}` }, text: "Good day" });
    }
    await until(
      async () => (await this.#api<{ total: number }>("GET", "/leads?limit=1")).total === count,
      "every lead",
    );
  }

  async startBulk(message: string, throttleSeconds = 0.1, file: File | null = null): Promise<void> {
    const form = new FormData();
    form.set("message", message);
    form.set("stage_id", "");
    form.set("throttle", String(throttleSeconds));
    if (file !== null) form.set("media", file);
    this.#jobId = (await this.#api<{ job_id: string }>("POST", "/bulk", form)).job_id;
  }

  /** Cancels the running bulk message. */
  readonly cancel = (): Promise<unknown> => this.#api("DELETE", `/bulk/${this.#jobId}`);

  get token(): string {
    return this.#token;
  }

  readonly stages = (): Promise<{ id: string; order: number }[]> => this.#api("GET", "/stages");
  /** Sends a request and returns the response, whatever its status. */
  readonly ask = (method: string, address: string, body?: unknown): Promise<Response> =>
    fetch(`${this.#house.web.url}/api${address}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  readonly isConnected = async (): Promise<boolean> =>
    (await this.#api<{ connected: boolean }>("GET", "/telegram/status")).connected;
  /** The leads, the newest first. */
  readonly leads = async () => (await this.#api<{ leads: { id: string; name: string }[] }>("GET", "/leads")).leads;
  readonly conversation = async (leadId: string) =>
    (await this.#api<MessagesPage>("GET", `/leads/${leadId}/messages`)).messages;
  /** Replies to a lead; use the same key again after a missing response. */
  readonly reply = (leadId: string, text: string, key: string): Promise<Response> => {
    const form = new FormData();
    form.set("text", text);
    return fetch(`${this.#house.web.url}/api/leads/${leadId}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}`, "idempotency-key": key },
      body: form,
    });
  };
  /** Calls a sandbox route of this account. */
  readonly callSandbox = (address: string, body: unknown): Promise<unknown> => this.#callSandbox("POST", address, body);
  readonly job = (): Promise<Job> => this.#api<Job>("GET", `/bulk/${this.#jobId}`);
  readonly delivered = (): Promise<Delivered[]> => this.#callSandbox<Delivered[]>("GET", "/sent");
  readonly fail = (fault: { error: string; after_delivery?: boolean; method?: string }) =>
    this.#callSandbox("POST", "/faults", { method: "messages.sendMessage", times: 1, ...fault });

  #callSandbox<T>(method: string, address: string, body?: unknown): Promise<T> {
    const account = `${this.#house.outsideUrl}/sandbox/telegram/accounts/${encodeURIComponent(this.phone)}`;
    return call<T>(account + address, { method, body });
  }
  /** Retries each request separately, so that earlier ones are not repeated. */
  #api<T>(method: string, address: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${this.#token}`, "x-forwarded-for": this.#address };
    return whileBusy(() => call<T>(`${this.#house.web.url}/api${address}`, { method, body, headers }));
  }
}

/** Polls until the condition holds. */
export async function until(ask: () => Promise<boolean>, what: string, ms = WAIT_MS): Promise<void> {
  for (const end = Date.now() + ms; ;) {
    if (await ask().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await pause(25);
  }
}

/** Waits until the seller's bulk message is complete, long enough for a busy machine. */
export const untilSent = (seller: Seller, leads: number): Promise<void> =>
  until(
    async () => (await seller.job()).status !== "in_progress",
    "the end of the bulk job",
    WAIT_MS + leads * SLOWEST_SEND_MS,
  );

class Refused extends Error {
  /** seconds after which the server asks to retry; null when it does not */
  readonly againIn: number | null;

  constructor(message: string, againIn: number | null) {
    super(message);
    this.againIn = againIn;
  }
}

/** Repeats a request that the server refused because it is busy or rate-limited, after the time it names. */
async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + WAIT_MS; ;) {
    try {
      return await work();
    } catch (error) {
      const ms = error instanceof Refused && error.againIn !== null ? error.againIn * 1_000 : Infinity;
      if (Date.now() + ms > end) throw error;
      await pause(ms);
    }
  }
}

async function call<T>(
  url: string,
  { method = "POST", body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> },
): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined || isForm ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    const after = response.headers.get("retry-after");
    const isForNow = after !== null && (response.status === 429 || response.status === 503);
    throw new Refused(`${method} ${url} answered ${response.status}: ${text}`, isForNow ? Number(after) : null);
  }
  return JSON.parse(text) as T;
}
