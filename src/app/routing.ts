import type { Access } from "../machines/session/index.ts";
import { leadIdOf } from "../services/addresses.ts";

/** Who may see a screen: anyone, only someone signed out, signed in, or signed in with a subscription. */
export type Audience = "anyone" | "signedOut" | "signedIn" | "subscribed";

export type ScreenPath =
  | "/login"
  | "/signup"
  | "/forgot-password"
  | "/reset-password"
  | "/billing/success"
  | "/subscribe"
  | "/dashboard"
  | "/inbox"
  | "/leads"
  | "/board"
  | "/stages"
  | "/followups"
  | "/reminders"
  | "/snippets"
  | "/bulk-message"
  | "/activity"
  | "/stats"
  | "/settings"
  | "/connect-telegram";

export const AUDIENCES: Record<ScreenPath, Audience> = {
  "/login": "signedOut",
  "/signup": "signedOut",
  "/forgot-password": "anyone",
  "/reset-password": "anyone",
  "/billing/success": "anyone",
  "/subscribe": "signedIn",
  "/dashboard": "subscribed",
  "/inbox": "subscribed",
  "/leads": "subscribed",
  "/board": "subscribed",
  "/stages": "subscribed",
  "/followups": "subscribed",
  "/reminders": "subscribed",
  "/snippets": "subscribed",
  "/bulk-message": "subscribed",
  "/activity": "subscribed",
  "/stats": "subscribed",
  "/settings": "subscribed",
  "/connect-telegram": "subscribed",
};

export type Route =
  | { kind: "screen"; path: ScreenPath }
  | { kind: "redirect"; to: ScreenPath }
  | { kind: "unknown" }
  | { kind: "checking" }
  /** whether it may be shown is not known: the address stays */
  | { kind: "unchecked" };

const isScreenPath = (path: string): path is ScreenPath => Object.hasOwn(AUDIENCES, path);

/** What an address shows to someone with this access: a screen, another address, the session check or its failure. */
export function routeOf(pathname: string, access: Access, isRecovering = false): Route {
  if (access === "checking") return { kind: "checking" };
  // The inbox and each lead's conversation are one screen: going from one to the other keeps the list as it is.
  const path = leadIdOf(pathname) !== null ? "/inbox" : pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  if (isRecovering && path !== "/reset-password") return { kind: "redirect", to: "/reset-password" };
  if (access === "unchecked") {
    return isScreenPath(path) && AUDIENCES[path] === "anyone" ? { kind: "screen", path } : { kind: "unchecked" };
  }
  const home = { signedOut: "/login", unsubscribed: "/subscribe", subscribed: "/dashboard" } as const;
  if (path === "/" || path === "") return { kind: "redirect", to: home[access] };
  if (!isScreenPath(path)) return { kind: "unknown" };
  const audience = AUDIENCES[path];
  if (audience === "signedOut" && access !== "signedOut") return { kind: "redirect", to: "/dashboard" };
  if (audience === "signedIn" && access === "signedOut") return { kind: "redirect", to: "/login" };
  if (audience === "subscribed" && access !== "subscribed") return { kind: "redirect", to: home[access] };
  return { kind: "screen", path };
}
