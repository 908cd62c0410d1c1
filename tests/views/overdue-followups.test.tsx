import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import FollowupsRoute from "../../src/app/routes/followups.tsx";
import type { Http } from "../../src/services/http.ts";
import { Overdue } from "../../src/machines/overdue-followups/overdue-followups.machine.ts";
import { OverdueBanner } from "../../src/views/followups/OverdueBanner.tsx";
import { overdue, overdueFollowupsModel } from "../machines/overdue-followups.model.ts";
import { servicesOver } from "../support/app.tsx";
import { startFakeSession } from "../support/session.ts";
import { over, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = () => screen.queryByRole("button", { name: "Send overdue follow-ups" });

walkEveryView({
  model: overdueFollowupsModel,
  show: over(Overdue, <OverdueBanner />),
  gestures: { "overdue.send": press(button) },
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

it("refreshes overdue follow-ups when automation is switched on", async () => {
  const answers: Record<string, unknown> = {
    "/followups": [],
    "/followups/results": [],
    "/followups/overdue": { total: 0, leads: [] },
    "/settings": {},
    "/stages": [],
    "/user_settings": {},
  };
  const calls: string[] = [];
  const call = async (path: string) => {
    calls.push(path);
    return answers[path];
  };
  const raw = async (path: string) => ({ status: 200, data: await call(path) });
  const http = Object.assign(call, { raw }) as unknown as Http;
  render(<FollowupsRoute services={servicesOver(startFakeSession(null).session, { http })} />);
  await screen.findByText("No follow-ups yet");
  expect(button()).toEqual(null);
  answers["/followups/overdue"] = overdue;
  await userEvent.click(screen.getByRole("button", { name: "Save Settings" }));
  const notice = await screen.findByText(/They are waiting for your approval\./);
  expect(notice.textContent).toContain("To Ann and 1 more.");
  expect(calls.filter((path) => path === "/followups/overdue")).toHaveLength(2);
});
