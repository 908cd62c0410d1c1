import type { Access } from "../machines/session/session.machine.ts";
import { leadIdOf } from "../services/addresses.ts";
import { type ScreenPath, isScreenPath, screens } from "./loading/screens.ts";

export type Route =
  | { kind: "screen"; path: ScreenPath }
  | { kind: "redirect"; to: ScreenPath }
  | { kind: "unknown" }
  | { kind: "checking" }
  /** access is not known yet, so the address does not change */
  | { kind: "unchecked" };

/** What an address shows for this access: a screen, a redirect, the session check or its failure. */
export function routeOf(pathname: string, access: Access, isRecovering = false): Route {
  if (access === "checking") return { kind: "checking" };
  // Inbox and conversation are one screen, so that the list keeps its state.
  const path = leadIdOf(pathname) !== null ? "/inbox" : pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  if (isRecovering && path !== "/reset-password") return { kind: "redirect", to: "/reset-password" };
  if (access === "unchecked") {
    return isScreenPath(path) && screens[path].audience === "anyone" ? { kind: "screen", path } : { kind: "unchecked" };
  }
  const home = { signedOut: "/login", unsubscribed: "/subscribe", subscribed: "/dashboard" } as const;
  if (path === "/" || path === "") return { kind: "redirect", to: home[access] };
  if (!isScreenPath(path)) return { kind: "unknown" };
  const { audience } = screens[path];
  if (audience === "signedOut" && access !== "signedOut") return { kind: "redirect", to: "/dashboard" };
  if (audience === "signedIn" && access === "signedOut") return { kind: "redirect", to: "/login" };
  if (audience === "subscribed" && access !== "subscribed") return { kind: "redirect", to: home[access] };
  return { kind: "screen", path };
}
