import { createRoot } from "react-dom/client";
import { createActorLog } from "./actor-log.ts";
import { InspectorPanel } from "./InspectorPanel.tsx";
import { watchEveryActor } from "./watch-actors.ts";

const MEMORY_KEY = "leadloom.inspect";

/**
 * Development only. `?inspect` docks the built-in inspector for the rest of the tab's life, `?inspect=stately` streams to
 * Stately's (which needs the network), `?inspect=off` ends either. Call it before the first actor starts.
 */
export async function startInspectorIfAsked(): Promise<void> {
  const asked = new URLSearchParams(window.location.search).get("inspect");
  if (asked !== null) sessionStorage.setItem(MEMORY_KEY, asked === "" ? "panel" : asked);
  const mode = sessionStorage.getItem(MEMORY_KEY);
  if (mode === "stately") {
    const { createBrowserInspector } = await import("@statelyai/inspect");
    const { inspect } = createBrowserInspector();
    watchEveryActor((event) => inspect.next?.(event));
  } else if (mode === "panel") dockPanel();
}

function dockPanel(): void {
  const log = createActorLog();
  const stopWatching = watchEveryActor(log.inspect);
  const host = document.body.appendChild(document.createElement("div"));
  const root = createRoot(host);
  const close = () => {
    stopWatching();
    sessionStorage.removeItem(MEMORY_KEY);
    root.unmount();
    host.remove();
  };
  root.render(<InspectorPanel log={log} onClose={close} />);
}
