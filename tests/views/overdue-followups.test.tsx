import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import FollowupsRoute from "../../src/app/routes/followups.tsx";
import type { Http } from "../../src/services/http.ts";
import { Overdue } from "../../src/machines/overdue-followups/overdue-followups.machine.ts";
import { OverdueNotice } from "../../src/views/followups/OverdueBanner.tsx";
import { overdue, overdueFollowupsMachine, overdueFollowupsModel } from "../machines/overdue-followups.model.ts";
import { servicesOver } from "../support/app.tsx";
import { startFakeSession } from "../support/session.ts";
import { press, toChart } from "../support/gestures.ts";
import { seen } from "../support/screen.ts";
import { over, walkEveryView } from "../support/walk-view.tsx";

const button = () => screen.queryByRole("button", { name: "Send overdue follow-ups" });

walkEveryView({
  machine: overdueFollowupsMachine,
  model: {
    ...overdueFollowupsModel,
    allow: (state, event) =>
      (event.type !== "overdue.send" || state.can(event)) && (overdueFollowupsModel.allow?.(state, event) ?? true),
  },
  show: over(Overdue, overdueFollowupsModel, <OverdueNotice />),
  gestures: {
    "overdue.send": press(button),
    "reading.retry": press(() => screen.queryByRole("button", { name: "Try again" })),
    "reading.refresh": toChart,
  },
  see(state) {
    const hasFailed = state.matches({ list: "loadFailed" });
    const isOutdated = state.matches({ list: { shown: "outdated" } });
    expect(seen("The overdue follow-ups could not be read.")).toEqual(hasFailed);
    expect(seen(/could not be read again/)).toEqual(isOutdated);
    if (state.context.overdue.total === 0) {
      expect(button()).toEqual(null);
      return;
    }
    expect(screen.getAllByRole("status").at(-1)?.textContent).toContain(
      "2 follow-ups became due while they could not be sent. They are waiting for your approval. To Ann and 1 more.",
    );
    expect(button()?.getAttribute("aria-busy")).toEqual(state.matches({ word: "planning" }) ? "true" : null);
    expect(screen.queryByRole("alert")?.textContent ?? null).toEqual(state.context.problem);
  },
});

describe("the follow-ups screen", () => {
  const answers: Record<string, unknown> = {
    "/followups": [],
    "/followups/results": [],
    "/settings": {},
    "/stages": [],
    "/user_settings": {},
  };

  /** The screen over a server that tells of overdue follow-ups as `overdueNow` says. */
  async function open(overdueNow: () => unknown) {
    const calls: string[] = [];
    const warnings: string[] = [];
    const call = async (path: string, init: { method?: string } = {}) => {
      calls.push(`${init.method ?? "GET"} ${path}`);
      if (path === "/followups/overdue") return overdueNow();
      return path === "/followups/overdue/confirm" ? { planned: 2 } : answers[path];
    };
    const raw: typeof call = async (path, init) => ({ status: 200, data: await call(path, init) });
    const http = Object.assign(call, { raw }) as unknown as Http;
    const services = servicesOver(startFakeSession(null).session, {
      http,
      logger: { warn: (what) => warnings.push(what) },
    });
    render(<FollowupsRoute services={services} />);
    await screen.findByText("No follow-ups yet");
    return { calls, warnings };
  }

  it("looks again for overdue follow-ups when automation was switched on", async () => {
    let now: unknown = { total: 0, leads: [] };
    const { calls } = await open(() => now);
    expect(button()).toEqual(null);
    now = overdue;
    await userEvent.click(screen.getByRole("button", { name: "Save Settings" }));
    expect((await screen.findByText(/They are waiting for your approval\./)).textContent).toContain(
      "To Ann and 1 more.",
    );
    expect(calls.filter((call) => call.endsWith("/overdue"))).toHaveLength(2);
  });

  it("says that it is not known whether any are overdue, and asks again on demand", async () => {
    let isOffline = true;
    const { warnings } = await open(() => (isOffline ? Promise.reject(new Error("offline")) : overdue));
    expect(await screen.findByText("The overdue follow-ups could not be read.")).toBeTruthy();
    expect([button(), screen.queryByRole("alert")]).toEqual([null, null]);
    expect(warnings).toEqual(["fetchOverdue failed"]);
    isOffline = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(/They are waiting for your approval\./)).toBeTruthy();
  });
});
