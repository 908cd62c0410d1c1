import "../language/app-texts.ts";
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { type Access, selectEmail, selectUser, useSession } from "../machines/session/index.ts";
import { isGuarding } from "../machines/leaving/leaving.machine.ts";
import { isOffline, watchNetwork } from "../services/network.ts";
import { openAhead } from "../services/opening.ts";
import { acceptLocalNumbers } from "../ui/number-typing.ts";
import { OfflineContext } from "../ui/offline.ts";
import { OfflineBanner } from "../views/shell/OfflineBanner.tsx";
import { AwaitedViewLinks } from "../views/shell/ViewLinks.tsx";
import { Shell } from "../views/shell/Shell.tsx";
import { batchKey, batchPossible } from "./batch-key.ts";
import { dryRunKey } from "./dry-run-key.ts";
import { createLater } from "./later.tsx";
import { lostSessionKey } from "./lost-session-key.ts";
import type { LostSessionPlaceProps } from "./lost-session-place.tsx";
import { ownServices } from "./own-services.ts";
import type { PalettePlaceProps } from "./palette.tsx";
import { savedViewCount } from "./saved-view-count.ts";
import type { SavedViewLinksProps } from "./saved-view-links.tsx";
import type { ScreenPath } from "./routing.ts";
import { type Screen, loadWaysInside, screens } from "./screens.ts";
import type { Services } from "./services.ts";
import { SETTLED_AFTER_MS } from "./settled.ts";

export type InShellProps = {
  services: Services;
  sandboxParts: readonly string[];
  access: Access;
  path: ScreenPath;
  children: ReactNode;
};

/** The shell with the session, the theme and the screens' code behind it. */
export default function InShell({ services, sandboxParts, access, path, children }: InShellProps) {
  const email = useSession(selectEmail);
  const userId = useSession(selectUser)?.id;
  const waiting = useWaiting(services, access === "subscribed");
  const dryRun = useRemembered(services, access === "subscribed", dryRunKey);
  const lostSession = useRemembered(services, access === "subscribed", lostSessionKey);
  const views = useAwaitedViews(services, access === "subscribed");
  const own = useOwnLater(services, access === "subscribed", dryRun.isOn || lostSession.isOn);
  const hasBatch = useBatch(services);
  const palette = usePalette(access === "subscribed");
  const theme = useSyncExternalStore(services.theme.subscribe, services.theme.get);
  const isOff = useSyncExternalStore(watchNetwork, isOffline);
  useScreensAhead(access === "subscribed");
  useEffect(acceptLocalNumbers, []);
  const shell = (
    <Shell
      path={path}
      email={email}
      isSubscribed={access === "subscribed"}
      sandboxParts={sandboxParts}
      waiting={waiting}
      renderViews={(onLeave) => (
        <>
          <AwaitedViewLinks count={views.awaited} />
          {own !== null && <SavedViewLinks services={own} onLeave={onLeave} onKnown={views.forget} />}
        </>
      )}
      awaitedBanner={dryRun.isAwaited ? "dryRun" : lostSession.isAwaited ? "lostSession" : null}
      theme={theme}
      onTheme={services.theme.set}
      onIntent={preload}
      onFollow={(to) => to !== path && readAhead(services, to)}
      onFind={palette.open}
      onLogOut={() => services.leaving.send({ type: "screen.leave", departure: { kind: "logOut" } })}
    >
      {isOff && <OfflineBanner />}
      {own !== null && <LostSessionPlace services={own} path={path} onKnown={lostSession.forget} />}
      {own !== null && <DryRunPlace services={own} onKnown={dryRun.forget} />}
      {own !== null && hasBatch && <BatchPlace services={own} />}
      {children}
      {palette.isOpen && userId !== undefined && (
        <PalettePlace services={ownServices(services, userId)} onClose={palette.close} />
      )}
    </Shell>
  );
  return <OfflineContext value={isOff}>{shell}</OfflineContext>;
}

const KNOWN: Partial<Record<string, Screen>> = screens;

/** Fetches a screen's code ahead of the click that will need it. */
const preload = (path: string) => void KNOWN[path]?.loadAhead();

/** Asks for what a screen reads first ahead of its being built, unless whoever is here may yet stay. */
function readAhead(services: Services, path: string) {
  const state = KNOWN[path]?.get();
  const token = services.auth.accessToken();
  if (state?.status !== "ready" || token === null || isGuarding(services.leaving)) return;
  for (const address of state.Component.firstReads?.({ services }) ?? [])
    openAhead(address, { Authorization: `Bearer ${token}` });
}

/** All but the leads list have made theirs by then. */
const AHEAD_AFTER_MS = 300;

/** Has the code of the other screens loaded before they are asked for. */
function useScreensAhead(isSubscribed: boolean) {
  useEffect(() => {
    const leaving = new AbortController();
    const load = async () => {
      const { loadInTurn } = await loadWaysInside();
      if (isSubscribed) await loadInTurn(screens, leaving.signal);
    };
    const isList = window.location.pathname === "/leads";
    const timer = setTimeout(() => void load().catch(() => {}), isList ? SETTLED_AFTER_MS : AHEAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [isSubscribed]);
}

const PalettePlace = createLater<PalettePlaceProps>("the palette", async () =>
  (await loadWaysInside()).partsInside.palette(),
);

const LostSessionPlace = createLater<LostSessionPlaceProps>(
  "whether Telegram is connected",
  () => import("./lost-session-place.tsx"),
);

const DryRunPlace = createLater("whether it is a dry run", () => import("./dry-run-place.tsx"));

const BatchPlace = createLater("how far the work on many leads is", async () =>
  (await loadWaysInside()).partsInside.batch(),
);

const SavedViewLinks = createLater<SavedViewLinksProps>("the saved views", async () =>
  (await loadWaysInside()).partsInside.savedViews(),
);

/** Ctrl + K, or Cmd + K, and the menu's button ask for the palette. */
function usePalette(isServed: boolean) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isServed) return undefined;
    const onKey = (event: KeyboardEvent) => {
      // By its letter, or, where the layout has no such letters, by its place.
      const isK = /^[a-z]$/i.test(event.key) ? /k/i.test(event.key) : event.code === "KeyK";
      if (!isK || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (document.querySelector("dialog[open], [role=alertdialog]") === null) setIsOpen(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isServed]);
  const close = useCallback(() => setIsOpen(false), []);
  return { isOpen: isOpen && isServed, open: isServed ? () => setIsOpen(true) : null, close };
}

/** Whether work on many leads was begun, before a reload or since. */
function useBatch({ sessionStorage }: Services): boolean {
  const userId = useSession(selectUser)?.id ?? "";
  const isPossible = useSyncExternalStore(batchPossible.listen, batchPossible.get);
  return isPossible || sessionStorage.get(batchKey(userId)) !== null;
}

/** Whether this browser remembers what a banner says: it is then read for at once, and its place kept until that is known. */
function useRemembered({ storage }: Services, isSubscribed: boolean, keyOf: (userId: string) => string) {
  const userId = useSession(selectUser)?.id;
  const isOn = isSubscribed && userId !== undefined && storage.get(keyOf(userId)) !== null;
  const [isKnown, setIsKnown] = useState(false);
  const forget = useCallback(() => setIsKnown(true), []);
  return { isOn, isAwaited: isOn && !isKnown, forget };
}

/** How many saved views the menu keeps a place for, until they are read. */
function useAwaitedViews({ storage }: Services, isSubscribed: boolean) {
  const userId = useSession(selectUser)?.id;
  const [isKnown, setIsKnown] = useState(false);
  const forget = useCallback(() => setIsKnown(true), []);
  const isAwaited = isSubscribed && userId !== undefined && !isKnown;
  return { awaited: isAwaited ? savedViewCount(storage, userId).get() : 0, forget };
}

/**
 * The services of who is here, once the screen's own first calls have gone, or at once; null before, and without a
 * subscription.
 */
function useOwnLater(services: Services, isSubscribed: boolean, isAtOnce: boolean): Services | null {
  const userId = useSession(selectUser)?.id;
  const [isTime, setIsTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (isTime || isAtOnce) && isSubscribed && userId !== undefined ? ownServices(services, userId) : null;
}

/** How many people wait for an answer, as it changes; null while that is not known. */
function useWaiting(services: Services, isSubscribed: boolean): number | null {
  const [waiting, setWaiting] = useState<number | null>(null);
  useEffect(() => {
    if (!isSubscribed) return undefined;
    let stop: (() => void) | null = null;
    let isLeft = false;
    const timer = setTimeout(() => {
      import("../services/waiting.ts").then(
        ({ watchWaiting }) => (stop = isLeft ? null : watchWaiting(services, setWaiting)),
        (error: unknown) => services.logger.warn("the number of people waiting is not read", error),
      );
    }, SETTLED_AFTER_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [services, isSubscribed]);
  return isSubscribed ? waiting : null;
}
