import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { waitFor } from "xstate";
import type { Subscription } from "../../domain/subscription.ts";
import type { Services } from "../../src/app/services.ts";
import { AppOver, servicesOver } from "../support/app.tsx";
import { type SessionParts, selectIsFetching } from "../../src/machines/session/session.machine.ts";
import { ada, startFakeSession } from "../support/session.ts";
import { subscriptionWith } from "../support/subscriptions.ts";

const active = subscriptionWith({ status: "active" });

async function open(
  path: string,
  subscription: Subscription | null | "signed out",
  overrides: Partial<Services> = {},
  outside: Partial<SessionParts> = {},
) {
  window.history.replaceState(null, "", path);
  const fake = startFakeSession(subscription === "signed out" ? null : subscription, outside);
  render(<AppOver services={servicesOver(fake.session, overrides)} />);
  const first = document.body.textContent;
  await act(async () => {
    if (subscription === "signed out") fake.tell({ type: "session.ended" });
    else {
      fake.signIn();
      await waitFor(fake.session, (snapshot) => snapshot.matches("signedIn") && !selectIsFetching(snapshot));
    }
  });
  return { ...fake, first };
}
const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name }, { timeout: 20_000 });

describe("the page", () => {
  it("shows 'Checking subscription...' in place of any route until the check has finished", async () => {
    const { first } = await open("/leads", "signed out");
    expect(first).toEqual("Checking subscription...");
    expect(await heading("Log in")).toBeTruthy();
    expect(window.location.pathname).toEqual("/login");
  });

  it("stays at the address while the subscription could not be checked, and opens it after another try", async () => {
    let answer = (): Promise<Subscription | null> => Promise.reject(new Error("503"));
    await open("/stages?from=mail", active, {}, { fetchSubscription: () => answer() });
    expect(await heading("Your subscription could not be checked")).toBeTruthy();
    expect(document.body.textContent).not.toContain("Subscription Required");
    expect(window.location.pathname + window.location.search).toEqual("/stages?from=mail");
    answer = async () => active;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await heading("Manage Stages")).toBeTruthy();
    expect(window.location.pathname + window.location.search).toEqual("/stages?from=mail");
  });

  it("opens the address asked for once a session check without an end has come to one, for the same person", async () => {
    const later = async (userId: string) => {
      const { signIn, session } = await open(
        "/stages?from=mail",
        "signed out",
        {},
        { fetchSubscription: async () => active },
      );
      expect(await heading("Log in")).toBeTruthy();
      expect(window.location.pathname).toEqual("/login");
      window.history.replaceState({ ...window.history.state, by: userId }, "");
      await act(async () => {
        signIn();
        await waitFor(session, (snapshot) => snapshot.matches("signedIn") && !selectIsFetching(snapshot));
      });
      await vi.waitFor(() => expect(window.location.pathname).not.toEqual("/login"));
      const place = window.location.pathname + window.location.search;
      cleanup();
      return place;
    };
    expect(await later(ada.id)).toEqual("/stages?from=mail");
    expect(await later("somebody else")).toEqual("/dashboard");
  });

  it("leads whoever logs out and in again to the dashboard", async () => {
    const { session, signIn } = await open("/stages", active);
    await heading("Manage Stages");
    await userEvent.click(screen.getByRole("button", { name: "Logout" }));
    expect(await heading("Log in")).toBeTruthy();
    await act(async () => {
      signIn();
      await waitFor(session, (snapshot) => snapshot.matches("signedIn") && !selectIsFetching(snapshot));
    });
    expect(await heading(/Welcome/)).toBeTruthy();
    expect(window.location.pathname).toEqual("/dashboard");
  });

  it("leads a subscriber from the start to the dashboard and names the tab after it", async () => {
    await open("/", active);
    expect(await heading("Welcome, ada@example.com")).toBeTruthy();
    expect(window.location.pathname).toEqual("/dashboard");
    expect(document.title).toEqual("Dashboard · Leadloom");
  });

  it("gates every item of the menu but billing without a subscription", async () => {
    await open("/dashboard", null);
    expect(await heading("Billing")).toBeTruthy();
    const links = within(screen.getByRole("navigation")).getAllByRole("link");
    expect(
      links.map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute("aria-disabled")]),
    ).toEqual([
      ["Dashboard", "/subscribe", "true"],
      ["Inbox", "/subscribe", "true"],
      ["Leads", "/subscribe", "true"],
      ["Stages", "/subscribe", "true"],
      ["Follow-up Settings", "/subscribe", "true"],
      ["Reminders", "/subscribe", "true"],
      ["Snippets", "/subscribe", "true"],
      ["Bulk Message", "/subscribe", "true"],
      ["Activity", "/subscribe", "true"],
      ["Stats", "/subscribe", "true"],
      ["Connect Telegram", "/subscribe", "true"],
      ["Settings", "/subscribe", "true"],
      ["Billing", "/subscribe", null],
    ]);
    await userEvent.click(screen.getByRole("link", { name: "Leads" }));
    expect(window.location.pathname).toEqual("/subscribe");
  });

  it("opens every item of the menu with a subscription", async () => {
    await open("/dashboard", active);
    await heading(/Welcome/);
    const links = within(screen.getByRole("navigation")).getAllByRole("link");
    expect(links.map((link) => [link.getAttribute("href"), link.getAttribute("aria-current")])).toEqual([
      ["/dashboard", "page"],
      ["/inbox", null],
      ["/leads", null],
      ["/stages", null],
      ["/followups", null],
      ["/reminders", null],
      ["/snippets", null],
      ["/bulk-message", null],
      ["/activity", null],
      ["/stats", null],
      ["/connect-telegram", null],
      ["/settings", null],
      ["/subscribe", null],
    ]);
  });

  it("moves the focus to the heading of the screen a link leads to", async () => {
    await open("/dashboard", active);
    await heading(/Welcome/);
    await userEvent.click(screen.getByRole("link", { name: "Billing" }));
    const title = await heading("Billing");
    await vi.waitFor(() => expect(document.activeElement).toEqual(title));
    expect(document.title).toEqual("Billing · Leadloom");
  });

  it("goes to the login screen the moment someone logs out", async () => {
    await open("/subscribe", active);
    await heading("Billing");
    await userEvent.click(screen.getByRole("button", { name: "Logout" }));
    expect(await heading("Log in")).toBeTruthy();
    expect(window.location.pathname).toEqual("/login");
  });

  it("follows a sign-out of another tab", async () => {
    const { tell } = await open("/subscribe", active);
    await heading("Billing");
    act(() => tell({ type: "session.ended" }));
    expect(await heading("Log in")).toBeTruthy();
  });

  it("closes the menu behind its button after a link, with Escape and by a press beside it", async () => {
    await open("/subscribe", active);
    await heading("Billing");
    const user = userEvent.setup();
    const menu = screen.getByRole("button", { name: "menu" });
    const isOpen = () => menu.getAttribute("aria-expanded");
    await user.click(menu);
    expect(isOpen()).toEqual("true");
    await user.keyboard("{Escape}");
    expect(isOpen()).toEqual("false");
    expect(document.activeElement).toEqual(menu);
    await user.click(menu);
    await user.click(screen.getByTestId("menu-overlay"));
    expect(isOpen()).toEqual("false");
    await user.click(menu);
    await user.click(screen.getByRole("link", { name: "Billing" }));
    expect(isOpen()).toEqual("false");
  });

  it("keeps the theme someone chooses", async () => {
    await open("/subscribe", active);
    await heading("Billing");
    await userEvent.click(screen.getByRole("radio", { name: "Dark theme" }));
    expect(document.documentElement.dataset["theme"]).toEqual("dark");
    expect(localStorage.getItem("leadloom_theme")).toEqual("dark");
    await userEvent.click(screen.getByRole("radio", { name: "System theme" }));
    expect(document.documentElement.dataset["theme"]).toEqual(undefined);
  });

  it("says which parts are simulated and opens their other side", async () => {
    await open("/subscribe", active);
    await heading("Billing");
    const badge = screen.getByRole("link", { name: "Sandbox: telegram, billing" });
    expect(badge.getAttribute("href")).toEqual("/sandbox");
  });

  it("offers a way on from an address that leads nowhere", async () => {
    await open("/nowhere", active);
    expect(screen.getByRole("heading", { name: "There is no such page" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to the start" }).getAttribute("href")).toEqual("/");
  });

  it("keeps the menu when a screen breaks, and shows the screen again on another try", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const warnings: string[] = [];
    let isBroken = true;
    const logger = { warn: (what: string) => void warnings.push(what) };
    const subscribe = () => {
      if (isBroken) throw new Error("broken");
      return () => {};
    };
    await open("/dashboard", active, { logger, events: { subscribe } });
    expect(await heading("This page ran into a problem")).toBeTruthy();
    expect(screen.getByRole("navigation")).toBeTruthy();
    expect(warnings).toEqual(["a view failed"]);
    isBroken = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await heading(/Welcome/)).toBeTruthy();
    errors.mockClear();
  });
});

describe("the period of the statistics", () => {
  it("follows the address when a link of the menu leads to the screen that is open", async () => {
    await open("/stats?period=30d", active);
    const chosen = () =>
      screen.getByRole("group", { name: "Period" }).querySelector("[aria-pressed=true]")?.textContent;
    await heading("Stats");
    expect(chosen()).toEqual("Last 30 Days");
    await userEvent.click(screen.getByRole("link", { name: "Stats" }));
    await vi.waitFor(() => expect(chosen()).toEqual("Last 7 Days"));
    await userEvent.click(screen.getByRole("button", { name: "Today" }));
    expect([window.location.search, chosen()]).toEqual(["?period=1d", "Today"]);
  });
});

describe("what was typed into a form", () => {
  it("is not brought back once it was added, though its screen was left meanwhile", async () => {
    let answer = (_status: { status: number; data: unknown }) => {};
    const http = Object.assign(
      (_path: string, options?: { method?: string }) => {
        if (options?.method === "POST") return new Promise((resolve) => (answer = resolve as never));
        return Promise.resolve([]);
      },
      { raw: () => new Promise(() => {}) },
    ) as unknown as Services["http"];
    await open("/reminders", active, { http });
    await heading("Reminder Rules");
    const stage = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Stage name" });
    await userEvent.type(stage(), "Interested");
    await userEvent.click(screen.getByRole("button", { name: "Add Reminder" }));
    await userEvent.click(screen.getByRole("link", { name: "Billing" }));
    await heading("Billing");
    await act(async () => answer({ status: 200, data: {} }));
    await userEvent.click(screen.getByRole("link", { name: "Reminders" }));
    await heading("Reminder Rules");
    expect(stage().value).toEqual("");
  });
});

describe("a finished checkout", () => {
  it("shows that it is being finalized", async () => {
    await open("/billing/success?session_id=cs_1", null);
    expect(await heading("🎉 Finalizing your subscription...")).toBeTruthy();
    expect(screen.getByText("This will only take a moment.")).toBeTruthy();
  });
});
