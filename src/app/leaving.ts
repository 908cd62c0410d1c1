import { useCallback } from "react";
import type { BaseLocationHook } from "wouter";
import { navigate, useBrowserLocation } from "wouter/use-browser-location";
import { stepsOfLastMove } from "./history-entries.ts";
import { createActor } from "xstate";
import type { Notifier } from "../machines/kit/page.ts";
import { type LeavingRef, createLeaving, isGuarding } from "../machines/leaving/leaving.machine.ts";

/**
 * Guards unsaved changes when the user reloads, closes the tab, goes Back or Forward, or logs out. Back and Forward have
 * already happened when the page learns of them, so it returns by as many entries before it asks. Listens until stopped.
 */
export function startLeaving(
  page: { notifier: Pick<Notifier, "confirm"> },
  { logOut }: { logOut: () => void },
): LeavingRef {
  const logic = createLeaving(page, {
    depart: (departure) => {
      if (departure.kind === "address") navigate(departure.to);
      else if (departure.kind === "history") window.history.go(departure.steps);
      else logOut();
    },
  });
  const leaving = createActor(logic).start();
  const listening = new AbortController();
  const { signal } = listening;
  /** The path of the screen with unsaved changes. */
  let guarded: string | null = null;
  /** By how many entries the user moved, until the page is back. */
  let undone: number | null = null;
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  leaving.subscribe({
    next: () => {
      const isNeeded = isGuarding(leaving);
      if (isNeeded === (guarded !== null)) return;
      guarded = isNeeded ? window.location.pathname : null;
      if (isNeeded) window.addEventListener("beforeunload", onUnload, { signal });
      else window.removeEventListener("beforeunload", onUnload);
    },
    complete: () => listening.abort(),
  });
  // Registered before the router's own listener, which learns nothing of a move that is undone.
  window.addEventListener(
    "popstate",
    (event) => {
      if (guarded !== null && window.location.pathname !== guarded) {
        event.stopImmediatePropagation();
        undone = (undone ?? 0) + stepsOfLastMove();
        window.history.go(-undone);
      } else if (undone !== null) {
        event.stopImmediatePropagation();
        leaving.send({ type: "screen.leave", departure: { kind: "history", steps: undone } });
        undone = null;
      }
    },
    { signal },
  );
  return leaving;
}

/** The router's location, whose links ask the guard. Replacing an address is a redirect and does not ask. */
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
