import { act, cleanup, render, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Forecast } from "../../domain/forecast.ts";
import type { TelegramAccount } from "../../domain/telegram.ts";
import { ForecastChart, type PeopleWaiting, stateOfPart } from "../../src/machines/forecast/forecast.machine.ts";
import { ForecastView } from "../../src/views/forecast/ForecastView.tsx";
import { barsOf, dotsOf, hoursOf } from "../../src/views/forecast/timeline.ts";
import { DAY_START, dayOf, forecastModel, forecastOf, people, plannedOf } from "../machines/forecast.model.ts";
import { account } from "../machines/telegram-account.model.ts";
import { answering } from "../support/model.ts";
import { button, over, press, toChart } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const part = (name: string) => screen.queryByRole("region", { name });
const retry = (name: string) => () => button(`Try again: ${name}`);

walkEveryView({
  model: forecastModel,
  show: over(ForecastChart, <ForecastView />),
  gestures: {
    "reading.retry": press(
      () => retry("the next 24 hours")() ?? retry("the people waiting")() ?? retry("the account's health")(),
    ),
    "news.changed": toChart,
  },
  see(state) {
    const stateOf = (name: "day" | "people" | "account") => stateOfPart(state as never, name);
    for (const [name, loading, now] of [
      ["Next 24 hours", "Loading the next 24 hours...", stateOf("day")],
      ["Waiting", "Loading the people waiting...", stateOf("people")],
    ] as const) {
      expect(part(name) === null).toEqual(now === "unknown");
      expect(screen.queryByRole("status", { name: loading }) !== null).toEqual(now === "loading");
      const text = part(name)?.textContent ?? "";
      expect([text.includes("not read"), text.includes("from before")]).toEqual([
        now === "loadFailed",
        now === "outdated",
      ]);
    }
    const health = stateOf("account");
    expect(part("Your account") === null).toEqual(health === "loading" || health === "unknown");
    expect(retry("the account's health")() !== null).toEqual(health === "loadFailed" || health === "outdated");
  },
});

type Known = { forecast?: Partial<Forecast>; waiting?: PeopleWaiting; telegram?: TelegramAccount | null };

async function show({ forecast = {}, waiting = people, telegram = { ...account, stopped_reason: null } }: Known = {}) {
  vi.useFakeTimers({ now: Date.parse(DAY_START) });
  const logic = answering(forecastModel.machine, {
    fetchForecast: () => dayOf(forecast),
    fetchPeople: () => waiting,
    fetchAccount: () => telegram,
  });
  render(over(ForecastChart, <ForecastView />)(logic));
  await act(async () => {});
  vi.useRealTimers();
}
const text = (name: string) => part(name)?.textContent ?? null;
const listed = () =>
  within(screen.getByRole("list", { name: "Messages in the next 24 hours" })).getAllByRole("listitem");

describe("the next 24 hours", () => {
  it("link to each lead, soonest first, grouped by day", async () => {
    // A message that was due earlier keeps its time, because the page does not know whether it was sent.
    const old = { ...plannedOf(0), at: new Date(Date.parse(DAY_START) - 300_000).toISOString() };
    const reminder = plannedOf(100, { kind: "reminder", lead: null, step: null, preview: "Ann is stuck" });
    await show({ forecast: { items: [old, plannedOf(0), plannedOf(1), reminder] } });
    const hour = ({ at }: { at: string }) => {
      const date = new Date(at);
      return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
    };
    expect(listed().map((line) => line.textContent)).toEqual([
      `${hour(old)}Lead 0Follow-up 1Hi Lead 0`,
      "nowLead 0Follow-up 1Hi Lead 0",
      `${hour(plannedOf(1))}Lead 1Follow-up 1Hi Lead 1`,
      `Tomorrow${hour(reminder)}Several leadsReminderAnn is stuck`,
    ]);
    const link = within(listed()[2] as HTMLElement).getByRole("link");
    expect(link.getAttribute("href")).toEqual("/leads/l1");
    expect(text("Next 24 hours")).toContain("4 messages");
  });

  it("list a few at first, all on demand, and count the unlisted", async () => {
    const items = Array.from({ length: 9 }, (_, number) => plannedOf(number));
    await show({ forecast: { items, total: 1_209 } });
    expect(listed()).toHaveLength(6);
    await act(async () => button("Show the first 9")?.click());
    expect(listed()).toHaveLength(9);
    expect(text("Next 24 hours")).toContain(`And ${(1_200).toLocaleString("en-US")} more after these.`);
    await act(async () => button("Show fewer")?.click());
    expect(listed()).toHaveLength(6);
    cleanup();
    await show({ forecast: { items: items.slice(0, 6) } });
    expect([listed().length, button(/^Show/)]).toEqual([6, null]);
  });

  it("say what to do first without leads, and that nothing is planned with some", async () => {
    await show({ forecast: { items: [], waiting: [] }, telegram: null });
    const links = within(part("Next 24 hours") as HTMLElement).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/followups", "/connect-telegram"]);
    cleanup();
    await show({ forecast: { items: [] } });
    expect(text("Next 24 hours")).toContain("Nothing goes out by itself in this time.");
  });
});

describe("the cards beside them", () => {
  it("show who is waiting, what is held and who must act, and what has ended", async () => {
    await show({
      forecast: {
        waiting: [
          { state: "finished", count: 4 },
          { state: "scheduled", count: 9 },
          { state: "waiting_for_hours", count: 1 },
          { state: "not_connected", count: 2 },
          { state: "held", count: 0 },
        ],
      },
      waiting: { ...people, count: 7 },
    });
    expect(screen.getByRole("link", { name: /^Lead 1.*Words of 1/ }).getAttribute("href")).toEqual("/leads/1");
    expect(screen.getByRole("link", { name: "All 7 in the inbox" }).getAttribute("href")).toEqual("/inbox");
    const held = within(part("Held, and why") as HTMLElement).getAllByRole("listitem");
    expect(held.map((line) => line.textContent)).toEqual([
      "No Telegram account connected 2 leadsNothing is sent until you connect one. Connect Telegram",
      "Waiting for your allowed hours 1 leadSending continues automatically when they begin. Change the hours",
      "4 leads who received every step",
    ]);
  });

  it("show the account's new contacts and limit, what blocks it, and why it was lost", async () => {
    vi.stubEnv("TZ", "UTC");
    const panel = async (known: Partial<TelegramAccount>) => {
      cleanup();
      await show({ telegram: { ...account, ...known } });
      return text("Your account");
    };
    expect(await panel({ stopped_reason: null, sent_today: 12, daily_cap: 50 })).toMatch(/12 of 50.*Resets at 00:00\./);
    expect(screen.getByRole("meter", { name: "New contacts today" }).getAttribute("aria-valuenow")).toEqual("12");
    const stopped = await panel({ sent_today: 50, daily_cap: 50 });
    expect(stopped).toContain("Telegram limits how many people this account may write to.");
    expect(stopped).toContain("The limit is reached. It resets at");
    expect(screen.getByRole("link", { name: "Resume sending" })).toBeTruthy();
    expect(await panel({ connected: false, ended_reason: "Signed out elsewhere." })).toEqual(
      "Your accountSigned out elsewhere. Connect again",
    );
    vi.unstubAllEnvs();
  });

  it("show nothing when nothing is waiting or held and there is no account", async () => {
    await show({ forecast: { waiting: [] }, waiting: { items: [], count: 0 }, telegram: null });
    const parts = ["Waiting", "Held, and why", "Your account"].map(text);
    expect(parts).toEqual(["Waiting0Nobody waits for an answer", null, null]);
  });
});

describe("the timeline", () => {
  const start = Date.parse(DAY_START);
  const xOf = (time: number) => (time - start) / 60_000;

  it("puts each message at its time, and stacks simultaneous ones", () =>
    expect(dotsOf([plannedOf(1), plannedOf(1), plannedOf(3)], xOf)?.map(({ x, level }) => [x, level])).toEqual([
      [6.5, 0],
      [6.5, 1],
      [32.5, 0],
    ]));

  it("counts by the hour when stacked dots would be too high", () => {
    const sevenAtOnce = Array.from({ length: 7 }, () => plannedOf(1));
    expect(dotsOf(sevenAtOnce, xOf)).toEqual(null);
    const forecast = forecastOf({
      by_hour: [
        { hour: "2026-03-05T09:00:00.000Z", count: 3 },
        { hour: "2026-03-05T10:00:00.000Z", count: 5 },
        { hour: "2026-03-05T11:00:00.000Z", count: 0 },
      ],
    });
    const at = start + 1_800_000;
    expect(barsOf(forecast, [at, at + 86_400_000])).toEqual([
      { key: "2026-03-05T10:00:00.000Z", from: at, to: start + 3_600_000, count: 5 },
    ]);
  });

  it("labels hours in the user's time zone, also across a clock change", () => {
    vi.stubEnv("TZ", "America/New_York");
    const night = Date.parse("2026-03-08T04:30:00Z");
    expect(hoursOf([night, night + 8 * 3_600_000], 3).map((time) => new Date(time).toISOString())).toEqual([
      "2026-03-08T05:00:00.000Z",
      "2026-03-08T07:00:00.000Z",
      "2026-03-08T10:00:00.000Z",
    ]);
    vi.unstubAllEnvs();
  });
});
