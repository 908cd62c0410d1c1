import { type ReactNode, useSyncExternalStore } from "react";
import { type Access, selectEmail, useSession } from "../machines/session/index.ts";
import { Shell } from "../views/shell/Shell.tsx";
import type { ScreenPath } from "./routing.ts";
import { screens } from "./screens.ts";
import type { Services } from "./services.ts";

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
  const theme = useSyncExternalStore(services.theme.subscribe, services.theme.get);
  return (
    <Shell
      path={path}
      email={email}
      isSubscribed={access === "subscribed"}
      sandboxParts={sandboxParts}
      theme={theme}
      onTheme={services.theme.set}
      onIntent={preload}
      onLogOut={() => services.leaving.send({ type: "screen.leave", departure: { kind: "logOut" } })}
    >
      {children}
    </Shell>
  );
}

/** Fetches a screen's code ahead of the click that will need it. */
function preload(path: string) {
  const known: Partial<Record<string, { loadAhead: () => Promise<void> }>> = screens;
  void known[path]?.loadAhead();
}
