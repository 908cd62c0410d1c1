import { openHouse, pause } from "../chaos/house.ts";
import { Seller, until } from "../chaos/seller.ts";
import { median, round } from "./measure.ts";

const ACCOUNTS = 200;
const MESSAGES_A_SECOND = 20;
const SECONDS = 20;
const REPLIES = 40;
const JOINED_AT_ONCE = 3;

/** An account with its conversation open on a page: the event stream, and the requests that its events cause. */
type Page = {
  seller: Seller;
  leadId: string;
  personId: number;
  /** Resolves with the time at which the page has loaded the message in this state. */
  shows(text: string, state: "received" | "sent"): Promise<number>;
};

/**
 * Measures how soon a message appears on an open page while 200 accounts receive messages, and how soon a reply is sent. Runs a web
 * process, a worker, a Postgres and the simulated network on loopback. A page is its event stream and its requests for new messages.
 * @param databaseUrl an empty Postgres
 */
export async function benchLive(databaseUrl: string): Promise<Record<string, string | number>> {
  const house = await openHouse({ databaseUrl, workers: 1 });
  const leaving = new AbortController();
  try {
    const pages: Page[] = [];
    const numbers = Array.from({ length: ACCOUNTS }, (_, index) => index + 1).values();
    const join = async () => {
      for (const number of numbers) {
        const seller = await Seller.join(house, number);
        pages.push(await openPage(seller, house.web.url, leaving.signal));
      }
    };
    await Promise.all(Array.from({ length: JOINED_AT_ONCE }, join));
    await receiveFor(pages, 3);
    const seen = await receiveFor(pages, SECONDS);
    const answered = await answerFrom(pages.slice(0, REPLIES));
    const at = (share: number) => round(seen.toSorted((a, b) => a - b)[Math.floor(seen.length * share)] ?? Number.NaN);
    return {
      [`of ${seen.length} messages at ${MESSAGES_A_SECOND} a second, p50 ms`]: at(0.5),
      "the same, p99 ms (budget 300)": at(0.99),
      [`reply shown as sent on the page, p50 of ${answered.length} (budget 400)`]: round(median(answered)),
      "the same, most": round(Math.max(...answered)),
    };
  } finally {
    leaving.abort();
    await house.close();
  }
}

async function openPage(seller: Seller, url: string, signal: AbortSignal): Promise<Page> {
  await seller.meetPeople(1);
  const [lead] = await seller.leads();
  const leadId = lead?.id ?? "";
  const detail = (await (await seller.ask("GET", `/leads/${leadId}`)).json()) as { telegram_user_id: string };
  const waiting = new Map<string, (at: number) => void>();
  const read = async () => {
    if (waiting.size === 0) return;
    const messages = await seller.conversation(leadId);
    const at = performance.now();
    for (const { text, state } of messages) {
      waiting.get(`${text} ${state}`)?.(at);
      waiting.delete(`${text} ${state}`);
    }
  };
  const stream = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${seller.token}` }, signal });
  void (async () => {
    const decoder = new TextDecoder();
    for await (const part of stream.body ?? [])
      if (decoder.decode(part).includes("event: message.changed")) void read().catch(() => {});
  })().catch(() => {});
  return {
    seller,
    leadId,
    personId: Number(detail.telegram_user_id),
    shows: (text, state) => new Promise((resolve) => waiting.set(`${text} ${state}`, resolve)),
  };
}

/** Sends messages to all accounts in turn, at fixed times. @returns ms from sending each to the page having loaded it */
async function receiveFor(pages: readonly Page[], seconds: number): Promise<number[]> {
  const begun = performance.now();
  const taken: Promise<number>[] = [];
  for (let number = 0; number < seconds * MESSAGES_A_SECOND; number += 1) {
    const wait = begun + (number * 1_000) / MESSAGES_A_SECOND - performance.now();
    if (wait > 0) await pause(wait);
    const page = pages[number % pages.length];
    if (page === undefined) break;
    const text = `Message ${seconds} ${number}`;
    const from = performance.now();
    taken.push(page.shows(text, "received").then((at) => at - from));
    void page.seller.callSandbox("/receive", { from: { first_name: "Person 1", user_id: page.personId }, text });
  }
  let left = taken.length;
  for (const one of taken) void one.then(() => (left -= 1));
  await until(async () => left === 0, "each message on its page");
  return Promise.all(taken);
}

/** Sends one reply from each page, one after another. @returns ms from the press to the page having loaded it as sent */
async function answerFrom(pages: readonly Page[]): Promise<number[]> {
  const taken: number[] = [];
  for (const [number, { seller, leadId, shows }] of pages.entries()) {
    const text = `Answer ${number}`;
    const from = performance.now();
    const shown = shows(text, "sent");
    const { status } = await seller.reply(leadId, text, `answer-${number}`);
    if (status !== 201) throw new Error(`a reply got status ${status}`);
    taken.push((await shown) - from);
  }
  return taken;
}
