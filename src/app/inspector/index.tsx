import { createRoot } from "react-dom/client";
import { createActorLog } from "./actor-log.ts";
import { InspectorPanel } from "./InspectorPanel.tsx";
import { MEMORY_KEY } from "./memory.ts";
import { watchEveryActor } from "./watch-actors.ts";

/**
 * Starts the inspector in development or on a sandbox. `?inspect` docks the built-in one for the rest of the tab's life, `?inspect=stately`
 * streams to Stately's (development only: it needs the network), `?inspect=off` ends either. Call it before the first actor starts.
 */
export async function startInspectorIfAsked(): Promise<void> {
  const asked = new URLSearchParams(window.location.search).get("inspect");
  if (asked === "off") sessionStorage.removeItem(MEMORY_KEY);
  else if (asked !== null) sessionStorage.setItem(MEMORY_KEY, asked === "" ? "panel" : asked);
  const mode = sessionStorage.getItem(MEMORY_KEY);
  if (mode === "stately" && import.meta.env.DEV) {
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
