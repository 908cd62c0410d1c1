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
/** The first frame waits this long for responses, so that quick ones show without a placeholder. */
const FIRST_FRAME_PATIENCE_MS = 100;

const GESTURES = ["pointermove", "pointerdown", "keydown"] as const;

/**
 * Runs the effects of its first render before the frame is shown: a prefetched response that an effect takes is then part
 * of that frame, although the transition renders in slices.
 */
function FirstFrame({ children }: { children: ReactNode }) {
  const [, setIsThere] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- what is changed here is rendered before the frame, and effects run before a render
  useLayoutEffect(() => setIsThere(true), []);
  return children;
}

/** Loads the code of writes before the first one, which reports a failure itself. */
const prepareWrites = () => void loadWrites().catch(() => {});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function start() {
  activateEnglish();
  const services = createServices();
  const locale = firstLocale(services.storage);
  const texts = locale === "en" ? null : activateLocale(locale).catch(services.language.warnNotLoaded);

  // The session check and the screen's code are fetched side by side: most often the check will let this very screen through.
  const isLikelyIn = services.auth.accessToken() !== null;
  const likely = routeOf(window.location.pathname, isLikelyIn ? "subscribed" : "signedOut");
  const first = likely.kind === "screen" ? likely.path : likely.kind === "redirect" ? likely.to : null;
  const screen = first === null ? Promise.resolve() : screens[first].code.load();

  // Code that is wanted beside a screen's own: a calendar, the sign-in client.
  window.addEventListener("vite:preloadError", ({ payload }) => {
    if (!isScreenLoading()) void services.updates.recoverQuietly(payload);
  });

  // Nothing on the first screen waits for the sign-in client; it comes when that screen has had its time.
  setTimeout(() => {
    if (services.auth.accessToken() !== null) services.auth.keepFresh();
  }, 10_000);

  const container = document.getElementById("root");
  if (!container) throw new Error("index.html has no #root");
  const root = createRoot(container);
  // In pieces between which a slow machine may hear a gesture.
  const show = () =>
    startTransition(() =>
      root.render(
        <FirstFrame>
          <App services={services} sandboxParts={sandboxParts} />
        </FirstFrame>,
      ),
    );
  if (isLikelyIn) {
    // The leads list's first calls were made by the page's first script; the next follow a gesture.
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

// Started from within: the inspector's file needs this one evaluated, so this one cannot wait for it.
if ((import.meta.env.DEV || sandboxParts.length > 0) && isInspectorAsked())
  void import("./app/inspector/index.tsx").then((inspector) => inspector.startInspectorIfAsked()).finally(start);
else start();
