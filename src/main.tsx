import { type ReactNode, startTransition, useLayoutEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "./ui/tokens.css";
import { App } from "./app/App.tsx";
import { isInspectorAsked } from "./app/inspector/memory.ts";
import { isScreenLoading } from "./app/loading/loadable.tsx";
import { screens, shell } from "./app/loading/screens.ts";
import { routeOf } from "./app/routing.ts";
import { sandboxParts } from "./app/sandbox-parts.ts";
import { createServices } from "./app/services.ts";
import { activateEnglish, activateLocale } from "./language/activate.ts";
import { firstLocale } from "./language/device.ts";
import { selectAccess } from "./machines/session/session.machine.ts";
import { loadWrites } from "./services/http.ts";
import { prefetchesSettled } from "./services/prefetched.ts";
/** How long the first frame waits for responses, so that fast ones show without a placeholder. */
const FIRST_FRAME_PATIENCE_MS = 100;

const GESTURES = ["pointermove", "pointerdown", "keydown"] as const;

/**
 * Runs the effects of its first render before the frame is shown. A prefetched response that an effect takes is then part of that frame,
 * although the transition renders in slices.
 */
function FirstFrame({ children }: { children: ReactNode }) {
  const [, setIsThere] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- this state is rendered before the frame, and effects run before a render
  useLayoutEffect(() => setIsThere(true), []);
  return children;
}

/** Loads the code of writes before the first one. The first write reports a failure. */
const prepareWrites = () => void loadWrites().catch(() => {});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function start() {
  activateEnglish();
  const services = createServices();
  const locale = firstLocale(services.storage);
  const texts = locale === "en" ? null : activateLocale(locale).catch(services.language.warnNotLoaded);

  // The session check and the screen's code load in parallel: most often the check lets the user through to this screen.
  const isLikelyIn = services.auth.accessToken() !== null;
  const likely = routeOf(window.location.pathname, isLikelyIn ? "subscribed" : "signedOut");
  const first = likely.kind === "screen" ? likely.path : likely.kind === "redirect" ? likely.to : null;
  const screen = first === null ? Promise.resolve() : screens[first].code.load();

  // Code that a screen loads on demand: a calendar, the sign-in client.
  window.addEventListener("vite:preloadError", ({ payload }) => {
    if (!isScreenLoading()) void services.updates.recoverQuietly(payload);
  });

  // The first screen does not need the sign-in client, so it loads later.
  setTimeout(() => {
    if (services.auth.accessToken() !== null) services.auth.keepFresh();
  }, 10_000);

  const container = document.getElementById("root");
  if (!container) throw new Error("index.html has no #root");
  const root = createRoot(container);
  // In slices, between which a slow machine can respond to input.
  const show = () =>
    startTransition(() =>
      root.render(
        <FirstFrame>
          <App services={services} sandboxParts={sandboxParts} />
        </FirstFrame>,
      ),
    );
  if (isLikelyIn) {
    // The page's first script sent the leads list's first requests; the next ones follow a user action.
    if (window.location.pathname + window.location.search !== "/leads") prepareWrites();
    else for (const type of GESTURES) window.addEventListener(type, prepareWrites, { once: true, passive: true });
    const isChecked = new Promise<void>((resolve) => {
      services.session.subscribe((snapshot) => selectAccess(snapshot) !== "checking" && resolve());
    });
    const all = Promise.all([shell.load(), screen, isChecked, prefetchesSettled()]);
    void Promise.all([Promise.race([all, pause(FIRST_FRAME_PATIENCE_MS)]), texts]).then(show);
  } else if (texts === null) {
    show();
  } else {
    void texts.then(show);
  }
}

// Not awaited: the inspector's module needs this one evaluated first.
if ((import.meta.env.DEV || sandboxParts.length > 0) && isInspectorAsked())
  void import("./app/inspector/index.tsx").then((inspector) => inspector.startInspectorIfAsked()).finally(start);
else start();
