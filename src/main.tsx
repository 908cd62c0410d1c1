import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import "./ui/tokens.css";
import { App } from "./app/App.tsx";
import { FirstFrame } from "./app/FirstFrame.tsx";
import { isInspectorAsked } from "./app/inspector/memory.ts";
import { routeOf } from "./app/routing.ts";
import { sandboxParts } from "./app/sandbox-parts.ts";
import { screens, shell } from "./app/screens.ts";
import { isScreenUnderWay } from "./app/screen-loader.ts";
import { createServices } from "./app/services.ts";
import { activateEnglish } from "./language/activate.ts";
import { selectAccess } from "./machines/session/index.ts";
import { loadCallsAhead } from "./services/calls-code.ts";
import { openedAnswers } from "./services/opening.ts";

/** How long the first frame waits for what is on its way: answers as quick as that come without a placeholder before them. */
const FIRST_FRAME_PATIENCE_MS = 100;

const GESTURES = ["pointermove", "pointerdown", "keydown"] as const;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function start() {
  activateEnglish();
  const services = createServices();

  // The session check and the screen's code are fetched side by side: most often the check will let this very screen through.
  const isLikelyIn = services.auth.accessToken() !== null;
  const likely = routeOf(window.location.pathname, isLikelyIn ? "subscribed" : "signedOut");
  const first = likely.kind === "screen" ? likely.path : likely.kind === "redirect" ? likely.to : null;
  const screen = first === null ? Promise.resolve() : screens[first].load();

  // Code that is wanted beside a screen's own: a calendar, the sign-in client.
  window.addEventListener("vite:preloadError", ({ payload }) => {
    if (!isScreenUnderWay()) void services.updates.recoverQuietly(payload);
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
    if (window.location.pathname + window.location.search !== "/leads") loadCallsAhead();
    else for (const type of GESTURES) window.addEventListener(type, loadCallsAhead, { once: true, passive: true });
    const isChecked = new Promise<void>((resolve) => {
      services.session.subscribe((snapshot) => selectAccess(snapshot) !== "checking" && resolve());
    });
    const all = Promise.all([shell.load(), screen, services.loadCalls(), isChecked, openedAnswers()]);
    void Promise.race([all, pause(FIRST_FRAME_PATIENCE_MS)]).then(show);
  } else {
    show();
  }
}

// Started from within: the inspector's file needs this one evaluated, so this one cannot wait for it.
if ((import.meta.env.DEV || sandboxParts.length > 0) && isInspectorAsked())
  void import("./app/inspector/index.tsx").then((inspector) => inspector.startInspectorIfAsked()).finally(start);
else start();
