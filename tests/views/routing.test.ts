import { describe, expect, it } from "vitest";
import { type ScreenPath, screens } from "../../src/app/loading/screens.ts";
import { routeOf } from "../../src/app/routing.ts";
import { leadIdOf } from "../../src/services/addresses.ts";

const guarded: ScreenPath[] = [
  "/dashboard",
  "/inbox",
  "/snippets",
  "/settings",
  "/leads",
  "/board",
  "/stages",
  "/followups",
  "/reminders",
  "/bulk-message",
  "/activity",
  "/stats",
  "/connect-telegram",
];
const screen = (path: ScreenPath) => ({ kind: "screen", path });
const redirect = (to: ScreenPath) => ({ kind: "redirect", to });

describe("a visitor", () => {
  it.each([...guarded, "/subscribe", "/"])("is redirected from %s to the login", (path) =>
    expect(routeOf(path, "signedOut")).toEqual(redirect("/login")),
  );
  it.each(["/login", "/signup", "/billing/success", "/forgot-password", "/reset-password"] as const)(
    "sees %s",
    (path) => expect(routeOf(path, "signedOut")).toEqual(screen(path)),
  );
});

describe("a user without a subscription", () => {
  it.each([...guarded, "/"])("is redirected from %s to billing", (path) =>
    expect(routeOf(path, "unsubscribed")).toEqual(redirect("/subscribe")),
  );
  it.each(["/subscribe", "/billing/success"] as const)("sees %s", (path) =>
    expect(routeOf(path, "unsubscribed")).toEqual(screen(path)),
  );
  it.each(["/login", "/signup"])("is redirected from %s", (path) =>
    expect(routeOf(path, "unsubscribed")).toEqual(redirect("/dashboard")),
  );
});

describe("a subscriber", () => {
  it.each([...guarded, "/subscribe", "/billing/success"] as ScreenPath[])("sees %s", (path) =>
    expect(routeOf(path, "subscribed")).toEqual(screen(path)),
  );
  it.each(["/login", "/signup", "/"])("is redirected from %s to the dashboard", (path) =>
    expect(routeOf(path, "subscribed")).toEqual(redirect("/dashboard")),
  );
});

describe("a user whose subscription failed to load", () => {
  it.each([...guarded, "/subscribe", "/login", "/signup", "/", "/nowhere"])("stays at %s", (path) =>
    expect(routeOf(path, "unchecked")).toEqual({ kind: "unchecked" }),
  );
  it("still sees public screens", () =>
    expect(routeOf("/billing/success", "unchecked")).toEqual(screen("/billing/success")));
});

describe("every address", () => {
  it.each([...Object.keys(screens), "/", "/nowhere"])("%s waits for the session check", (path) =>
    expect(routeOf(path, "checking")).toEqual({ kind: "checking" }),
  );
  it("may end in a slash", () => expect(routeOf("/leads/", "subscribed")).toEqual(screen("/leads")));
  it("of a lead shows its conversation beside the inbox", () => {
    expect(routeOf("/leads/lead-1", "subscribed")).toEqual(screen("/inbox"));
    expect(routeOf("/leads/lead-1/", "unsubscribed")).toEqual(redirect("/subscribe"));
    expect(["/leads/lead-1", "/leads/lead-1/", "/leads", "/leads/", "/inbox"].map(leadIdOf)).toEqual([
      "lead-1",
      "lead-1",
      null,
      null,
      null,
    ]);
  });
  it("that is unknown says so", () => {
    expect(routeOf("/nowhere", "subscribed")).toEqual({ kind: "unknown" });
    expect(routeOf("/constructor", "signedOut")).toEqual({ kind: "unknown" });
  });
  it("leads a user with a password link to set a new one first", () => {
    expect(routeOf("/dashboard", "subscribed", true)).toEqual(redirect("/reset-password"));
    expect(routeOf("/reset-password", "unsubscribed", true)).toEqual(screen("/reset-password"));
  });
});
