import http from "node:http";
import { openHouse, pause, type House } from "./house.ts";
import { Seller, untilSent } from "./seller.ts";

export type StopFigures = {
  stops: number;
  /** exit codes other than 0 */
  badExits: (number | string)[];
  slowestMs: number;
  requests: number;
  /** responses of 500 or more, except those that ask to retry */
  errors: string[];
  /** requests without a complete response: what, why, and how long after the signal */
  reset: string[];
  streamsEnded: number;
  /** stops for which /readyz reported the shutdown before the port closed */
  announced: number;
  sent: number;
  duplicated: number;
  lost: number;
};
type Plan = { stops: number; clients: number; streams: number; leads: number; databaseUrl: string | null };
type Answer = { status: number; retryAfter: string | undefined } | { reset: string } | "not asked";

/** Stops and starts a server during requests, open streams and a bulk message; counts what was lost. */
export async function runStops(plan: Plan): Promise<StopFigures> {
  const house = await openHouse({ databaseUrl: plan.databaseUrl, workers: plan.databaseUrl === null ? 0 : 1 });
  try {
    const seller = await Seller.join(house, 1);
    await seller.meetPeople(plan.leads);
    await seller.startBulk("Stops");
    const figures: StopFigures = {
      stops: 0,
      badExits: [],
      slowestMs: 0,
      requests: 0,
      errors: [],
      reset: [],
      streamsEnded: 0,
      announced: 0,
      sent: 0,
      duplicated: 0,
      lost: 0,
    };
    for (; figures.stops < plan.stops; figures.stops += 1) await stopUnderLoad(house, seller, plan, figures);
    await untilSent(seller, plan.leads);
    const delivered = (await seller.delivered()).filter(({ text }) => text === "Stops");
    const people = new Set(delivered.map(({ to_user_id: id }) => id)).size;
    return { ...figures, sent: delivered.length, duplicated: delivered.length - people, lost: plan.leads - people };
  } finally {
    await house.close();
  }
}

const PATHS = [
  "/api/leads?limit=50",
  "/api/stages",
  "/api/stats/total?start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z",
  "/api/account/export",
];

async function stopUnderLoad(house: House, seller: Seller, plan: Plan, figures: StopFigures): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  const authorization = `Bearer ${seller.token}`;
  const over = new AbortController();
  const announced = new AbortController();
  const isOpen = () => !over.signal.aborted && !announced.signal.aborted;
  const streams = Array.from({ length: plan.streams }, () => stream(`${house.web.url}/api/events`, authorization));
  const streamsOpen = Promise.all(streams.map(({ opened }) => opened));
  /** Polls /readyz as a load balancer does, and stops sending requests when a shutdown is reported. */
  const balancer = async (): Promise<void> => {
    while (isOpen()) {
      const answer = await ask(`${house.web.url}/readyz`, agent, authorization, isOpen);
      if (answer !== "not asked" && "status" in answer && answer.status === 503) announced.abort();
      await pause(50);
    }
  };
  const client = async (number: number): Promise<void> => {
    const path = PATHS[number % PATHS.length] ?? "/";
    while (isOpen()) {
      const startedAt = performance.now();
      const answer = await ask(house.web.url + path, agent, authorization, isOpen);
      if (answer === "not asked") continue;
      figures.requests += 1;
      if ("reset" in answer) {
        const [since, took] = [performance.now() - signalledAt, performance.now() - startedAt].map(Math.round);
        figures.reset.push(`${path} ${answer.reset} ${since} ms after the signal, ${took} ms after the request`);
      } else if (answer.status >= 500 && !(answer.status === 503 && answer.retryAfter !== undefined))
        figures.errors.push(`${path} ${answer.status}`);
    }
  };
  let signalledAt = Infinity;
  const clients = [balancer(), ...Array.from({ length: plan.clients }, (_, number) => client(number))];
  await streamsOpen;
  await pause(300);
  signalledAt = performance.now();
  const { exit, ms } = await house.web.terminate();
  over.abort();
  await Promise.all(clients);
  if (exit !== 0) figures.badExits.push(exit);
  figures.slowestMs = Math.max(figures.slowestMs, ms);
  figures.streamsEnded += (await Promise.all(streams.map(({ ended }) => ended))).filter((isWhole) => isWhole).length;
  if (announced.signal.aborted) figures.announced += 1;
  agent.destroy();
  house.web.start();
  await house.web.ready();
}

/** @param isOpen whether requests still go to this server; a load balancer would send the rest to another one */
function ask(url: string, agent: http.Agent, authorization: string, isOpen: () => boolean): Promise<Answer> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent, headers: { authorization } }, (response) => {
      response.resume();
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] }),
      );
      response.on("error", () => resolve({ reset: "in the middle" }));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed a kept-alive connection between requests. Nothing was accepted, so the client retries on another one.
      if (request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE"))
        return resolve(isOpen() ? ask(url, agent, authorization, isOpen) : "not asked");
      resolve({ reset: error.code ?? error.message });
    });
  });
}

/** Opens an event stream; `ended` tells whether it ended cleanly. */
function stream(url: string, authorization: string): { opened: Promise<void>; ended: Promise<boolean> } {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<boolean>();
  const request = http.get(url, { agent: false, headers: { authorization } }, (response) => {
    response.once("data", () => opened.resolve());
    response.on("end", () => ended.resolve(response.complete));
    response.on("error", () => ended.resolve(false));
  });
  request.on("error", (error) => {
    opened.reject(error);
    ended.resolve(false);
  });
  return { opened: opened.promise, ended: ended.promise };
}
