import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import AutomationSettings from "../../src/app/automation-section.tsx";
import CrmSettings from "../../src/app/crm-settings.tsx";
import LeadTagsAndFieldsContainer from "../../src/app/lead-tags-and-fields.tsx";
import ConnectTelegramRoute from "../../src/app/routes/connect-telegram.tsx";
import FollowupsRoute from "../../src/app/routes/followups.tsx";
import LeadsRoute from "../../src/app/routes/leads.tsx";
import LoginRoute from "../../src/app/routes/login.tsx";
import SignupRoute from "../../src/app/routes/signup.tsx";
import SnippetsRoute from "../../src/app/routes/snippets.tsx";
import type { Services } from "../../src/app/services.ts";
import { isGuarding } from "../../src/machines/leaving/leaving.machine.ts";
import type { SessionRef } from "../../src/machines/session/session.machine.ts";
import { account } from "../machines/telegram-account.model.ts";
import { servicesOver } from "../support/app.tsx";
import { twoStages } from "../support/leads.ts";
import { followupAt } from "../support/followups.ts";
import { leadDetail } from "../support/messages.ts";
import { removePartOfDate, seen } from "../support/screen.ts";

const answers: Record<string, unknown> = {
  "/leads": { leads: [], total: 0 },
  "/stages": twoStages,
  "/followups": [],
  "/telegram/status": { connected: false },
};
const hang = () => new Promise<never>(() => {});
const budget = { id: "f1", name: "Budget", type: "number", options: null, is_value: false, leads: 0 };
const CREDENTIALS = ["Full Name", "Email", "Password", "Confirm Password"];

/** The services of a new page in the same tab, with the responses to its requests. */
function page(overrides: Partial<Services> & { answers?: Record<string, unknown> } = {}): Services {
  const all = { ...answers, ...overrides.answers };
  const get = (path: string) => {
    const name = Object.keys(all).find((known) => path === known || path.startsWith(`${known}?`));
    return name === undefined ? hang() : Promise.resolve(all[name]);
  };
  const session = { getSnapshot: () => ({ context: {}, matches: () => false }), subscribe: () => {} };
  const raw = async (path: string) => ({ status: 200, data: await get(path) });
  const http = Object.assign(get, { raw }) as unknown as Services["http"];
  return servicesOver(session as unknown as SessionRef, { http, ...overrides });
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: "input" });
const choose = (name: string) =>
  fireEvent.change(field("Image or video"), { target: { files: [new File(["x"], name, { type: "image/png" })] } });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const press = (name: string) => act(async () => screen.getByRole("button", { name }).click());
/** Renders the screen as after a reload. */
function open(screenOf: ReactNode) {
  cleanup();
  return act(async () => void render(screenOf));
}
const comeBack = () => act(async () => void window.dispatchEvent(new Event("online")));
const lost = () => seen("The file offer.png was not kept. Choose it again.");

afterEach(() => {
  cleanup();
  window.sessionStorage.clear();
  window.localStorage.clear();
  window.history.replaceState(null, "", "/");
});

describe("drafts after a reload", () => {
  it("keep the login's email, never its password, and nothing after a login", async () => {
    await open(<LoginRoute services={page()} />);
    type("Email", "ada@example.com");
    type("Password", "a long secret");
    await open(<LoginRoute services={page()} />);
    expect([field("Email").value, field("Password").value]).toEqual(["ada@example.com", ""]);
    expect(window.sessionStorage.getItem("leadloom.visitor_drafts")).toContain("ada@example.com");
    expect(window.sessionStorage.length).toEqual(1);
    const { auth } = page();
    await open(<LoginRoute services={page({ auth: { ...auth, signIn: async () => ({ kind: "signedIn" }) } })} />);
    await press("Login");
    await open(<LoginRoute services={page()} />);
    expect(field("Email").value).toEqual("");
  });

  it("keep the sign-up's name and email, also for the login, until it succeeds", async () => {
    await open(<SignupRoute services={page()} />);
    type("Full Name", "Ada Lovelace");
    type("Email", "ada@example.com");
    type("Password", "a long secret");
    type("Confirm Password", "a long secret");
    await open(<LoginRoute services={page()} />);
    expect(field("Email").value).toEqual("ada@example.com");
    const typed = () => CREDENTIALS.map((name) => field(name).value);
    const { auth } = page();
    const signUp = async () => ({ kind: "signedUp", userId: null, isConfirmed: false }) as const;
    await open(<SignupRoute services={page({ auth: { ...auth, signUp } })} />);
    expect(typed()).toEqual(["Ada Lovelace", "ada@example.com", "", ""]);
    type("Password", "a long secret");
    type("Confirm Password", "a long secret");
    await press("Create Account");
    await open(<SignupRoute services={page()} />);
    expect(typed()).toEqual(["", "", "", ""]);
    expect(window.sessionStorage.length).toEqual(0);
  });

  it("keep the notice that a new account can log in, until a login", async () => {
    const { auth } = page();
    const notifier = { toast: () => {}, warn: () => {}, alert: async () => {}, confirm: async () => true };
    const news = () => seen("You can log in now.");
    const signUpAs = async (isConfirmed: boolean) => {
      const signUp = async () => ({ kind: "signedUp", userId: null, isConfirmed }) as const;
      await open(<SignupRoute services={page({ auth: { ...auth, signUp }, notifier })} />);
      for (const name of CREDENTIALS) type(name, "ada@example.com");
      await press("Create Account");
      const signIn = async () => ({ kind: "signedIn" }) as const;
      await open(<LoginRoute services={page({ auth: { ...auth, signIn } })} />);
    };
    await signUpAs(false);
    expect(news()).toEqual(false);
    await signUpAs(true);
    expect(news()).toEqual(true);
    await press("Login");
    await open(<LoginRoute services={page()} />);
    expect(news()).toEqual(false);
  });

  it("keep typed lead filters without applying them", async () => {
    window.history.replaceState(null, "", "/leads?name=ada&page=2");
    const requests: string[] = [];
    const listening = () => {
      const services = page();
      const http = ((path: string, options?: { query?: object }) => {
        if (path === "/leads") requests.push(JSON.stringify(options ?? {}));
        return services.http(path);
      }) as unknown as Services["http"];
      return { ...services, http: Object.assign(http, { raw: services.http.raw }) };
    };
    await open(<LeadsRoute services={listening()} />);
    type("Username", "@lovelace");
    type("From", "03/0");
    const address = window.location.search;
    const before = requests.at(-1);
    await open(<LeadsRoute services={listening()} />);
    expect(["Name", "Username", "From"].map((name) => field(name).value)).toEqual(["ada", "@lovelace", "03/0"]);
    expect([window.location.search, requests.at(-1)]).toEqual([address, before]);
    window.history.replaceState(null, "", "/leads?name=grace");
    await open(<LeadsRoute services={page()} />);
    expect([field("Name").value, field("Username").value]).toEqual(["grace", ""]);
  });

  it("keep the phone number until an account is connected", async () => {
    await open(<ConnectTelegramRoute services={page()} />);
    type("Phone number", "+15551234567");
    await open(<ConnectTelegramRoute services={page()} />);
    expect(field("Phone number").value).toEqual("+15551234567");
    const status = { connected: true, phone: "+15551234567" };
    await open(<ConnectTelegramRoute services={page({ answers: { "/telegram/status": status } })} />);
    await open(<ConnectTelegramRoute services={page()} />);
    expect(field("Phone number").value).toEqual("");
  });

  it("keep the daily limit until it is saved", async () => {
    const CAP = "New contacts a day, at most";
    const connected = (dailyCap: number) => ({
      "/telegram/status": { connected: true, phone: "+15551234567" },
      "/telegram/account": { ...account, daily_cap: dailyCap },
    });
    await open(<ConnectTelegramRoute services={page({ answers: connected(20) })} />);
    type(CAP, "35");
    await open(<ConnectTelegramRoute services={page({ answers: connected(20) })} />);
    expect(field(CAP).value).toEqual("35");
    await press("Save limit");
    expect(field(CAP).value).toEqual("35");
    await open(<ConnectTelegramRoute services={page({ answers: connected(20) })} />);
    expect(field(CAP).value).toEqual("20");
  });

  it("show the saved automation switch, and ask before an unsaved one is left", async () => {
    const hours = { auto_followup_start_hour: 9, auto_followup_end_hour: 22 };
    const pageWith = (isEnabled: boolean) =>
      page({ answers: { "/user_settings": { auto_followups_enabled: isEnabled, ...hours } } });
    const toggle = () => screen.getByRole<HTMLInputElement>("switch", { name: "Automatic follow-ups" });
    const warning = () => screen.queryByText(/still on|still off|Still in force/)?.textContent ?? null;
    const services = pageWith(true);
    await open(<FollowupsRoute services={services} />);
    expect([toggle().checked, warning(), isGuarding(services.leaving)]).toEqual([true, null, false]);
    await act(async () => toggle().click());
    expect([toggle().checked, warning(), isGuarding(services.leaving)]).toEqual([
      false,
      "Not saved: automatic follow-ups are still on. Press Save Settings to switch them off.",
      true,
    ]);
    type("Start hour", "10");
    const reloaded = pageWith(true);
    await open(<FollowupsRoute services={reloaded} />);
    expect([toggle().checked, field("Start hour").value, warning(), isGuarding(reloaded.leaving)]).toEqual([
      true,
      "10",
      "Hours not saved. Still in force: messages go out from 09:00 to 21:59, UTC.",
      false,
    ]);
    type("Start hour", "9");
    await open(<FollowupsRoute services={pageWith(false)} />);
    await act(async () => toggle().click());
    expect(warning()).toEqual("Not saved: automatic follow-ups are still off. Press Save Settings to switch them on.");
    await press("Save now");
  });

  it("show the time zone that was saved elsewhere when the page returns", async () => {
    const saved = { time_zone: "UTC" };
    await open(<FollowupsRoute services={page({ answers: { "/user_settings": {}, "/settings": saved } })} />);
    expect(seen("Allowed hours (UTC)")).toEqual(true);
    saved.time_zone = "Europe/Berlin";
    await comeBack();
    expect(seen("Allowed hours (Europe/Berlin)")).toEqual(true);
  });

  it("show what each step did in the meantime when the page returns", async () => {
    const followup = followupAt(0);
    const result = { followup_id: followup.id, sent: 1, answered_24h: 0, answered_72h: 0, moved_on: 0, opted_out: 0 };
    const known = { "/followups/results": [result], "/followups": [followup] };
    await open(<FollowupsRoute services={page({ answers: known })} />);
    expect(seen(/^Sent 1 ·/)).toEqual(true);
    result.sent = 2;
    await comeBack();
    expect(seen(/^Sent 2 ·/)).toEqual(true);
  });

  it("drop the hours once they are saved, even after the screen is left", async () => {
    const stored = { auto_followups_enabled: true, auto_followup_start_hour: 9, auto_followup_end_hour: 22 };
    const services = page({ answers: { "/user_settings": stored } });
    const { promise, resolve } = Promise.withResolvers<{ status: number; data: never }>();
    const { raw } = services.http;
    services.http.raw = (path, options) => (options?.method === "POST" ? promise : raw(path));
    await open(<FollowupsRoute services={services} />);
    type("Start hour", "10");
    await press("Save Settings");
    cleanup();
    await act(async () => resolve({ status: 200, data: {} as never }));
    // Another window has changed them back since.
    await open(<FollowupsRoute services={page({ answers: { "/user_settings": stored } })} />);
    expect(field("Start hour").value).toEqual("9");
  });

  it("keep opt-out words, and show the saved days and time zone", async () => {
    const show = async () => {
      const services = page({ answers: { "/settings": { opt_out_words: ["stop"] } } });
      await open(<AutomationSettings services={services} />);
      return services.leaving;
    };
    const monday = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "Monday" });
    const zone = () => screen.getByLabelText<HTMLSelectElement>("Time zone");
    const words = () => screen.getByLabelText<HTMLTextAreaElement>("Opt-out words");
    const leaving = await show();
    fireEvent.change(words(), { target: { value: "halt" } });
    expect(isGuarding(leaving)).toEqual(false);
    await act(async () => monday().click());
    fireEvent.change(zone(), { target: { value: "Europe/Berlin" } });
    expect([monday().checked, isGuarding(leaving)]).toEqual([false, true]);
    const reloaded = await show();
    expect([monday().checked, zone().value, words().value, isGuarding(reloaded)]).toEqual([true, "UTC", "halt", false]);
  });

  it("keep a new tag and a field's changes until they are saved", async () => {
    const known = { "/tags": [], "/fields": [budget], "/exclusions": [], "/fields/f1": budget };
    const names = () => screen.queryAllByLabelText<HTMLInputElement>("Name", { selector: "input" });
    const show = () => open(<CrmSettings services={page({ answers: known })} />);
    await show();
    await press("Add Tag");
    fireEvent.change(names()[0] as HTMLElement, { target: { value: "VIP" } });
    await press("Edit Budget");
    fireEvent.change(names()[1] as HTMLElement, { target: { value: "Their budget" } });
    await show();
    expect(names().map(({ value }) => value)).toEqual(["VIP", "Their budget"]);
    await press("Save Field");
    await show();
    expect(names().map(({ value }) => value)).toEqual(["VIP"]);
  });

  it("keep each lead's field values", async () => {
    const known = { "/tags": [], "/fields": [budget] };
    const show = (id: string) =>
      open(
        <LeadTagsAndFieldsContainer
          services={page({ answers: known })}
          lead={leadDetail({ id })}
          onChanged={() => {}}
        />,
      );
    await show("lead-1");
    type("Budget", "1200");
    await show("lead-2");
    expect(field("Budget").value).toEqual("");
    await show("lead-1");
    expect(field("Budget").value).toEqual("1200");
    await press("Cancel");
    await show("lead-1");
    expect(field("Budget").value).toEqual("");
  });

  it("show the stored day after a partial date", async () => {
    const due = { ...budget, name: "Due", type: "date" };
    const known = { "/tags": [], "/fields": [due] };
    const lead = leadDetail({ fields: { [due.id]: "2026-03-05" } });
    const show = () =>
      open(<LeadTagsAndFieldsContainer services={page({ answers: known })} lead={lead} onChanged={() => {}} />);
    await show();
    removePartOfDate(field("Due"));
    expect(field("Due").value).toEqual("");
    await show();
    expect(field("Due").value).toEqual("2026-03-05");
  });

  it("keep the name of a snippet's file, and the removal of a file", async () => {
    const snippet = { id: "1", title: "Price list", text: "Dear", media: { kind: "image", url: "/m/1" } };
    const show = () => open(<SnippetsRoute services={page({ answers: { "/snippets": [snippet] } })} />);
    await show();
    await press("Add Snippet");
    choose("offer.png");
    await show();
    await press("Add Snippet");
    expect([lost(), screen.queryByAltText(/^Preview of/)]).toEqual([true, null]);
    choose("other.png");
    expect(lost()).toEqual(false);
    await press("Cancel");
    await press("Edit Price list");
    await press("Take the file away");
    await show();
    await press("Edit Price list");
    expect(screen.queryByRole("button", { name: "Take the file away" })).toEqual(null);
  });

  it("keep the name of a follow-up's file, which must be chosen again", async () => {
    await open(<FollowupsRoute services={page()} />);
    choose("offer.png");
    for (const reload of ["the first reload", "the second reload"]) {
      await open(<FollowupsRoute services={page()} />);
      expect([lost(), screen.queryByAltText(/^Preview of/)], reload).toEqual([true, null]);
    }
    choose("other.png");
    expect(lost()).toEqual(false);
  });
});
