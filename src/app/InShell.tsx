import { msg } from "@lingui/core/runtime-macro";
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import {
  type Access,
  Session,
  selectEmail,
  selectPaymentEnd,
  selectUserId,
} from "../machines/session/session.machine.ts";
import { isOffline, watchNetwork } from "../services/browser.ts";
import { rememberFocus } from "../ui/lost-focus.ts";
import { acceptLocalNumbers } from "../ui/number-typing.ts";
import { OfflineContext } from "../ui/LoadError.tsx";
import { OfflineBanner } from "../views/shell/OfflineBanner.tsx";
import { PaymentBanner } from "../views/shell/PaymentBanner.tsx";
import { AwaitedViewLinks } from "../views/shell/ViewLinks.tsx";
import { Shell } from "../views/shell/Shell.tsx";
import { batchKey, batchPossible, dryRunKey, lostSessionKey, savedViewCount } from "./remembered.ts";
import { createPart } from "./loading/loadable.tsx";
import { loadWhileIdle, onFollow, onIntent, whenIdle } from "./loading/prefetch.ts";
import { type ScreenPath, screens } from "./loading/screens.ts";
import { ownServices } from "./own-services.ts";
import type { Services } from "./services.ts";

export type InShellProps = {
  services: Services;
  sandboxParts: readonly string[];
  access: Access;
  path: ScreenPath;
  children: ReactNode;
};

/** The shell, connected to the session, the theme and the screens' code. */
export default function InShell({ services, sandboxParts, access, path, children }: InShellProps) {
  const email = Session.useSelector(selectEmail);
  const userId = Session.useSelector(selectUserId);
  const isSubscribed = access === "subscribed";
  const paymentEnd = Session.useSelector(selectPaymentEnd);
  const isIdle = useIsIdle();
  const waiting = useWaiting(services, isSubscribed && isIdle);
  const own = isSubscribed && userId !== undefined ? ownServices(services, userId) : null;
  const dryRun = useRemembered(own, dryRunKey);
  const lostSession = useRemembered(own, lostSessionKey);
  const [areViewsAwaited, onViewsKnown] = useAwaited();
  useUserLanguage(isIdle || services.language.isUserNew() ? own : null);
  // The parts around the screen load after it; a remembered banner loads at once.
  const around = isIdle || dryRun.isOn || lostSession.isOn ? own : null;
  const hasBatch = useHasBatch(around);
  const palette = usePalette(isSubscribed);
  const theme = useSyncExternalStore(services.theme.subscribe, services.theme.get);
  const isOff = useSyncExternalStore(watchNetwork, isOffline);
  useOtherScreens(isSubscribed && isIdle);
  useEffect(acceptLocalNumbers, []);
  useEffect(rememberFocus, []);
  const shell = (
    <Shell
      path={path}
      email={email}
      isSubscribed={isSubscribed}
      sandboxParts={sandboxParts}
      waiting={waiting}
      renderViews={(onLeave) => (
        <>
          {areViewsAwaited && own !== null && (
            <AwaitedViewLinks count={savedViewCount(own.storage, own.userId()).get()} />
          )}
          {around !== null && <SavedViewLinks services={around} onLeave={onLeave} onKnown={onViewsKnown} />}
        </>
      )}
      awaitedBanner={dryRun.isAwaited ? "dryRun" : lostSession.isAwaited ? "lostSession" : null}
      theme={theme}
      onTheme={services.theme.set}
      onIntent={onIntent}
      onFollow={(to) => to !== path && onFollow(services, to)}
      onFind={palette.open}
      onLogOut={() => services.leaving.send({ type: "screen.leave", departure: { kind: "logOut" } })}
    >
      {isOff && <OfflineBanner />}
      {paymentEnd !== null && <PaymentBanner endsAt={paymentEnd} isHere={path === "/subscribe"} />}
      {around !== null && <LostSessionContainer services={around} path={path} onKnown={lostSession.onKnown} />}
      {around !== null && <DryRunContainer services={around} onKnown={dryRun.onKnown} />}
      {around !== null && hasBatch && <BatchContainer services={around} />}
      {children}
      {palette.isOpen && own !== null && <PaletteContainer services={own} onClose={palette.close} />}
    </Shell>
  );
  return <OfflineContext value={isOff}>{shell}</OfflineContext>;
}

/** Whether the browser has been idle since the first screen was rendered. */
function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => whenIdle(() => setIsIdle(true)), []);
  return isIdle;
}

function useUserLanguage(services: Services | null) {
  useEffect(() => {
    if (services === null) return;
    import("./user-language.ts").then(
      ({ userLanguageOf }) => void userLanguageOf(services),
      (error: unknown) => services.logger.warn("the user's language was not read", error),
    );
  }, [services]);
}

function useOtherScreens(isActive: boolean) {
  useEffect(() => {
    if (!isActive) return undefined;
    const leaving = new AbortController();
    void loadWhileIdle(Object.values(screens), leaving.signal);
    return () => leaving.abort();
  }, [isActive]);
}

const PaletteContainer = createPart(msg`the palette`, () => import("./palette.tsx"));

const LostSessionContainer = createPart(msg`whether Telegram is connected`, () => import("./lost-session-banner.tsx"));

const DryRunContainer = createPart(msg`whether it is a dry run`, () => import("./dry-run-banner.tsx"));

const BatchContainer = createPart(msg`how far the work on many leads is`, () => import("./batch-banner.tsx"));

const SavedViewLinks = createPart(msg`the saved views`, () => import("./saved-view-links.tsx"));

/** Opens the palette by Ctrl + K or Cmd + K, or by the menu's button. */
function usePalette(isServed: boolean) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isServed) return undefined;
    const onKey = (event: KeyboardEvent) => {
      // By its letter, or by its position on layouts without Latin letters.
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

/** Whether a batch of leads is in progress, also one from before a reload. */
function useHasBatch(own: Services | null): boolean {
  const isPossible = useSyncExternalStore(batchPossible.listen, batchPossible.get);
  return isPossible || own?.sessionStorage.get(batchKey(own.userId())) != null;
}

/** Whether something is still loading, until the first call of `onKnown`. */
function useAwaited(): [isAwaited: boolean, onKnown: () => void] {
  const [isAwaited, setIsAwaited] = useState(true);
  return [isAwaited, useCallback(() => setIsAwaited(false), [])];
}

/** Whether this browser remembers a banner. If so, its data loads at once, and its space is reserved until then. */
function useRemembered(own: Services | null, keyOf: (userId: string) => string) {
  const isOn = own !== null && own.storage.get(keyOf(own.userId())) !== null;
  const [isAwaited, onKnown] = useAwaited();
  return { isOn, isAwaited: isOn && isAwaited, onKnown };
}

function useWaiting(services: Services, isActive: boolean): number | null {
  const [waiting, setWaiting] = useState<number | null>(null);
  useEffect(() => {
    if (!isActive) return undefined;
    let stop: (() => void) | null = null;
    let isLeft = false;
    import("../services/waiting.ts").then(
      ({ watchWaitingCount }) => (stop = isLeft ? null : watchWaitingCount(services, setWaiting)),
      (error: unknown) => services.logger.warn("the number of people waiting is not read", error),
    );
    return () => {
      isLeft = true;
      stop?.();
    };
  }, [services, isActive]);
  return isActive ? waiting : null;
}
