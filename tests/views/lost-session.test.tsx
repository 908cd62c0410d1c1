import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import LostSessionContainer from "../../src/app/lost-session-banner.tsx";
import { lostSessionKey } from "../../src/app/remembered.ts";
import type { ScreenPath } from "../../src/app/loading/screens.ts";
import type { Services } from "../../src/app/services.ts";
import { momentText } from "../../src/language/format.ts";
import type { SessionRef } from "../../src/machines/session/session.machine.ts";
import { HttpError } from "../../src/services/http.ts";
import { account } from "../machines/telegram-account.model.ts";
import { servicesOver } from "../support/app.tsx";
import { ada } from "../support/session.ts";

const lost = {
  ...account,
  connected: false,
  phone: null,
  ended_reason: "The session was ended from another device. Connect again to go on.",
  ended_at: new Date(2026, 2, 5, 12, 30).toISOString(),
};
const ALERT = `Telegram disconnected on ${momentText(lost.ended_at)}. Messages are not arriving.`;

async function show(answer: () => Promise<unknown>, path: ScreenPath = "/leads") {
  let notify = () => {};
  const known: string[] = [];
  const session = { getSnapshot: () => ({ context: {}, matches: () => false }), subscribe: () => {} };
  const services = servicesOver(session as unknown as SessionRef, {
    http: Object.assign(answer, { raw: answer }) as unknown as Services["http"],
    events: {
      subscribe: (_type, listener) => {
        notify = () => listener({});
        return () => {};
      },
    },
  });
  render(<LostSessionContainer services={services} path={path} onKnown={() => known.push("known")} />);
  await act(async () => {});
  return { notify: () => act(async () => notify()), known };
}
const alertText = () => screen.queryByRole("alert")?.textContent ?? null;
const reconnect = () => screen.queryByRole("link", { name: "Reconnect" })?.getAttribute("href") ?? null;
const remembered = () => window.localStorage.getItem(lostSessionKey(ada.id));

afterEach(() => {
  cleanup();
  window.localStorage.clear();
});

describe("a session that Telegram ended", () => {
  it("is shown over every screen until an account is connected again", async () => {
    let now: object = account;
    const { notify, known } = await show(async () => now);
    expect([alertText(), remembered(), known.length > 0]).toEqual([null, null, true]);
    now = lost;
    await notify();
    expect([alertText(), reconnect()]).toEqual([ALERT, "/connect-telegram"]);
    now = account;
    await notify();
    expect([alertText(), remembered()]).toEqual([null, null]);
  });

  it("is shown at once after a reload, also while it cannot be checked", async () => {
    await show(async () => lost);
    cleanup();
    await show(() => Promise.reject(new Error("offline")));
    expect(alertText()).toEqual(ALERT);
  });

  it("shows no link to the open screen", async () => {
    await show(async () => lost, "/connect-telegram");
    expect([alertText(), reconnect()]).toEqual([ALERT, null]);
  });

  it.each([
    ["the user disconnected", async () => ({ ...lost, ended_reason: null, ended_at: null })],
    ["the server does not know the call", () => Promise.reject(new HttpError(404, null))],
  ])("is not shown when %s", async (_where, answer) => {
    await show(answer);
    expect(alertText()).toEqual(null);
  });
});
