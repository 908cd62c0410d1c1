import { useCallback } from "react";
import type { BaseLocationHook } from "wouter";
import { navigate, useBrowserLocation } from "wouter/use-browser-location";
import { type LeavingDeps, type LeavingRef, isGuarding, startLeaving } from "../machines/leaving/index.ts";

/**
 * The guard of unsaved changes on the browser's own ways out. Reload and closing the tab are asked by the browser; Back and
 * Forward have happened when they are heard of, so the page's address is put back before it asks.
 */
export function createLeaving({
  notifier,
  logOut,
}: Pick<LeavingDeps, "notifier"> & { logOut: () => void }): LeavingRef {
  const leaving = startLeaving({
    notifier,
    depart: (departure) => {
      if (departure.kind === "address") navigate(departure.to);
      else if (departure.kind === "history") window.history.back();
      else logOut();
    },
  });
  let guarded: string | null = null;
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  leaving.subscribe(() => {
    const isNeeded = isGuarding(leaving);
    if (isNeeded === (guarded !== null)) return;
    guarded = isNeeded ? window.location.href : null;
    if (isNeeded) window.addEventListener("beforeunload", onUnload);
    else window.removeEventListener("beforeunload", onUnload);
  });
  const isWithin = () => guarded !== null && new URL(guarded).pathname === window.location.pathname;
  const follow = () => {
    if (isWithin()) guarded = window.location.href;
  };
  // The router tells of its own steps by events of these names.
  window.addEventListener("pushState", follow);
  window.addEventListener("replaceState", follow);
  // Ahead of the router's own listener, which then finds the address that it knows.
  window.addEventListener(
    "popstate",
    () => {
      // Within its screen nothing is lost.
      follow();
      if (guarded === null || isWithin()) return;
      window.history.pushState(null, "", guarded);
      leaving.send({ type: "screen.leave", departure: { kind: "history" } });
    },
    { capture: true },
  );
  return leaving;
}

/** The router's location whose links ask the guard; what replaces an address follows from the page and asks nobody. */
export const createGuardedLocation =
  (leaving: LeavingRef): BaseLocationHook =>
  () => {
    const [path, go] = useBrowserLocation();
    const leave = useCallback(
      (to: string, options?: { replace?: boolean }) => {
        const isSamePage = new URL(to, window.location.href).pathname === window.location.pathname;
        if (options?.replace === true || isSamePage || !isGuarding(leaving)) go(to, options);
        else leaving.send({ type: "screen.leave", departure: { kind: "address", to } });
      },
      [go],
    );
    return [path, leave];
  };
