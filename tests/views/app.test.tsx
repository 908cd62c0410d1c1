import { act, render, screen, within } from "@testing-library/react";
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
  const signIn = () =>
    act(async () => {
      fake.signIn();
      await waitFor(fake.session, (snapshot) => snapshot.matches("signedIn") && !selectIsFetching(snapshot));
    });
  if (subscription === "signed out") await act(async () => fake.report({ type: "session.ended" }));
  else await signIn();
  return { ...fake, signIn, first };
}
const place = () => window.location.pathname + window.location.search;
const click = (role: "button" | "link" | "radio", name: string) => userEvent.click(screen.getByRole(role, { name }));
const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name }, { timeout: 20_000 });

describe("the page", () => {
  it("shows 'Checking subscription...' on any route until the check has finished", async () => {
    const { first } = await open("/leads", "signed out");
    expect(first).toEqual("Checking subscription...");
    expect(await heading("Log in")).toBeTruthy();
    expect(place()).toEqual("/login");
    const language = screen.getByRole<HTMLSelectElement>("combobox", { name: "Language" });
    expect([language.value, language.querySelector("option[lang=en]")?.textContent]).toEqual(["en", "English"]);
  });

  it("keeps the address when the subscription check fails, and opens it on retry", async () => {
    let answer = (): Promise<Subscription | null> => Promise.reject(new Error("503"));
    await open("/stages?from=mail", active, {}, { fetchSubscription: () => answer() });
    expect(await heading("Your subscription could not be checked")).toBeTruthy();
    expect(document.body.textContent).not.toContain("Subscription Required");
    expect(place()).toEqual("/stages?from=mail");
    answer = async () => active;
    await click("button", "Try again");
    expect(await heading("Manage Stages")).toBeTruthy();
    expect(place()).toEqual("/stages?from=mail");
  });

  it.each([
    [ada.id, "/stages?from=mail"],
    ["somebody else", "/dashboard"],
  ])("leads %s from the login to %s after a late session check", async (userId, to) => {
    const { signIn } = await open("/stages?from=mail", "signed out", {}, { fetchSubscription: async () => active });
    expect(await heading("Log in")).toBeTruthy();
    expect(place()).toEqual("/login");
    window.history.replaceState({ ...window.history.state, by: userId }, "");
    await signIn();
    await vi.waitFor(() => expect(place()).toEqual(to));
  });

  it("leads a subscriber to the dashboard and sets the tab's title", async () => {
    await open("/", active);
    expect(await heading("Welcome, ada@example.com")).toBeTruthy();
    expect(place()).toEqual("/dashboard");
    expect(document.title).toEqual("Dashboard · Leadloom");
  });

  it.each([
    ["/dashboard", "Welcome, ada@example.com", 2],
    ["/subscribe", "Billing", 1],
  ])("says on every screen that a payment failed: %s", async (path, title, links) => {
    await open(
      path,
      subscriptionWith({ status: "active", provider_status: "past_due", expires_at: "2099-12-05T00:00:00Z" }),
    );
    expect(await heading(title)).toBeTruthy();
    expect(
      screen.getByText("Your last payment failed. Access ends on 5 December 2099 unless it is paid."),
    ).toBeTruthy();
    expect(screen.getAllByRole("link", { name: "Billing" })).toHaveLength(links);
  });

  const MENU = [
    ["Dashboard", "/dashboard"],
    ["Inbox", "/inbox"],
    ["Leads", "/leads"],
    ["Stages", "/stages"],
    ["Follow-up Settings", "/followups"],
    ["Reminders", "/reminders"],
    ["Snippets", "/snippets"],
    ["Bulk Message", "/bulk-message"],
    ["Activity", "/activity"],
    ["Stats", "/stats"],
    ["Connect Telegram", "/connect-telegram"],
    ["Settings", "/settings"],
    ["Billing", "/subscribe"],
  ];
  const menu = (attribute: string) =>
    within(screen.getByRole("navigation"))
      .getAllByRole("link")
      .map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute(attribute)]);

  it("gates every item of the menu but billing without a subscription", async () => {
    await open("/dashboard", null);
    expect(await heading("Billing")).toBeTruthy();
    expect(menu("aria-disabled")).toEqual(
      MENU.map(([name]) => [name, "/subscribe", name === "Billing" ? null : "true"]),
    );
    await click("link", "Leads");
    expect(place()).toEqual("/subscribe");
  });

  it("opens every item of the menu with a subscription", async () => {
    await open("/dashboard", active);
    await heading(/Welcome/);
    expect(menu("aria-current")).toEqual(MENU.map(([name, to]) => [name, to, name === "Dashboard" ? "page" : null]));
  });

  it("goes to the login screen as soon as the user logs out", async () => {
    const { signIn } = await open("/stages", active);
    await heading("Manage Stages");
    await click("button", "Logout");
    expect(await heading("Log in")).toBeTruthy();
    expect(place()).toEqual("/login");
    // A new login starts at the dashboard.
    await signIn();
    expect(await heading(/Welcome/)).toBeTruthy();
    expect(place()).toEqual("/dashboard");
  });

  it("closes the narrow menu after a link, with Escape and by a press outside", async () => {
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

  it("closes the narrow menu when the window becomes wide", async () => {
    const wide = Object.assign(new EventTarget(), { matches: false });
    vi.spyOn(window, "matchMedia").mockReturnValue(wide as MediaQueryList);
    await open("/subscribe", active);
    await heading("Billing");
    await click("button", "menu");
    const isOpen = () => screen.getByRole("button", { name: "menu" }).getAttribute("aria-expanded");
    act(() => void wide.dispatchEvent(new Event("change")));
    expect(isOpen()).toEqual("true");
    wide.matches = true;
    act(() => void wide.dispatchEvent(new Event("change")));
    expect(isOpen()).toEqual("false");
  });

  it("keeps the chosen theme, and says which parts are simulated", async () => {
    await open("/subscribe", active);
    await heading("Billing");
    expect(screen.getByRole("link", { name: "Sandbox: telegram, billing" }).getAttribute("href")).toEqual("/sandbox");
    const { dataset } = document.documentElement;
    await click("radio", "Dark theme");
    expect([dataset["theme"], localStorage.getItem("leadloom_theme")]).toEqual(["dark", "dark"]);
    await click("radio", "System theme");
    expect(dataset["theme"]).toEqual(undefined);
  });

  it("offers a link from an unknown address", async () => {
    await open("/nowhere", active);
    expect(screen.getByRole("heading", { name: "There is no such page" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to the start" }).getAttribute("href")).toEqual("/");
  });

  it("keeps the menu when a screen breaks, and shows the screen again on retry", async () => {
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
    await click("button", "Try again");
    expect(await heading(/Welcome/)).toBeTruthy();
    errors.mockClear();
  });
});

it("updates the statistics' period when a menu link leads to the open screen", async () => {
  await open("/stats?period=30d", active);
  const chosen = () => screen.getByRole("group", { name: "Period" }).querySelector("[aria-pressed=true]")?.textContent;
  await heading("Stats");
  expect(chosen()).toEqual("Last 30 Days");
  await click("link", "Stats");
  await vi.waitFor(() => expect(chosen()).toEqual("Last 7 Days"));
  await click("button", "Today");
  expect([window.location.search, chosen()]).toEqual(["?period=1d", "Today"]);
});

it("does not restore a draft that was saved after the user left", async () => {
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
  await click("button", "Add Reminder");
  await click("link", "Billing");
  await heading("Billing");
  await act(async () => answer({ status: 200, data: {} }));
  await click("link", "Reminders");
  await heading("Reminder Rules");
  expect(stage().value).toEqual("");
});

it("shows that a subscription is being finalized", async () => {
  await open("/billing/success?session_id=cs_1", null);
  expect(await heading("🎉 Finalizing your subscription...")).toBeTruthy();
  expect(screen.getByText("This will only take a moment.")).toBeTruthy();
});
