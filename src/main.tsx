import { createRoot } from "react-dom/client";
import "./ui/tokens.css";
import { App } from "./app/App.tsx";
import { isInspectorAsked } from "./app/inspector/memory.ts";
import { routeOf } from "./app/routing.ts";
import { screens, shell } from "./app/screens.ts";
import { isScreenUnderWay } from "./app/screen-loader.ts";
import { createServices } from "./app/services.ts";

const sandboxParts = (document.querySelector<HTMLMetaElement>('meta[name="leadloom-sandbox"]')?.content ?? "")
  .split(",")
  .map((part) => part.trim())
  .filter(Boolean);

function start() {
  const services = createServices();

  // The session check and the screen's code are fetched side by side: most often the check will let this very screen through.
  const isLikelyIn = services.auth.accessToken() !== null;
  const likely = routeOf(window.location.pathname, isLikelyIn ? "subscribed" : "signedOut");
  if (isLikelyIn) void shell.load();
  if (likely.kind === "screen") void screens[likely.path].load();
  else if (likely.kind === "redirect") void screens[likely.to].load();

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
  createRoot(container).render(<App services={services} sandboxParts={sandboxParts} />);
}

// Started from within: the inspector's file needs this one evaluated, so this one cannot wait for it.
if ((import.meta.env.DEV || sandboxParts.length > 0) && isInspectorAsked())
  void import("./app/inspector/index.tsx").then((inspector) => inspector.startInspectorIfAsked()).finally(start);
else start();
