import { type ReactNode, useState, useSyncExternalStore } from "react";
import { Link, Redirect, useLocation } from "wouter";
import {
  type Access,
  SessionProvider,
  selectAccess,
  selectEmail,
  selectIsRecovering,
  useSession,
  useSessionEvents,
} from "../machines/session/index.ts";
import { NotificationsView } from "../views/notifications/NotificationsView.tsx";
import { CheckingView } from "../views/shell/CheckingView.tsx";
import { RouteProblem } from "../views/shell/RouteProblem.tsx";
import { Shell } from "../views/shell/Shell.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { ScreenFrame } from "./ScreenFrame.tsx";
import { AUDIENCES, type ScreenPath, routeOf } from "./routing.ts";
import { type Screen, screens } from "./screens.ts";
import type { Services } from "./services.ts";

type AppProps = { services: Services; sandboxParts: readonly string[] };

/** The whole page: what the address shows to whoever is here, and what the app says over it. */
export function App(props: AppProps) {
  const { services } = props;
  return (
    <ErrorBoundary logger={services.logger} Fallback={BrokenApp}>
      <SessionProvider value={services.session}>
        <Pages {...props} />
        <NotificationsView notifications={services.notifications} />
      </SessionProvider>
    </ErrorBoundary>
  );
}

function BrokenApp() {
  return (
    <RouteProblem title="Leadloom ran into a problem" onRetry={() => window.location.reload()}>
      Nothing you saved is lost. Reload the page to go on.
    </RouteProblem>
  );
}

function Pages({ services, sandboxParts }: AppProps) {
  const [location] = useLocation();
  const access = useSession(selectAccess);
  const isRecovering = useSession(selectIsRecovering);
  const [firstLocation] = useState(location);
  const [hasMoved, setHasMoved] = useState(false);
  if (!hasMoved && location !== firstLocation) setHasMoved(true);

  const route = routeOf(location, access, isRecovering);
  if (route.kind === "checking") return <CheckingView />;
  if (route.kind === "redirect") return <Redirect to={route.to} replace />;
  if (route.kind === "unknown") return <UnknownPage />;

  const { path } = route;
  const screen = <ScreenFrame key={path} services={services} screen={screens[path]} isFirst={!hasMoved} />;
  if (!isInShell(path)) return screen;
  return (
    <InShell services={services} sandboxParts={sandboxParts} access={access} path={path}>
      {screen}
    </InShell>
  );
}

function UnknownPage() {
  return (
    <main>
      <RouteProblem title="There is no such page">
        <Link href="/">Go to the start</Link>
      </RouteProblem>
    </main>
  );
}

const isInShell = (path: ScreenPath) => AUDIENCES[path] === "subscribed" || AUDIENCES[path] === "signedIn";

function InShell({
  services,
  sandboxParts,
  access,
  path,
  children,
}: AppProps & { access: Access; path: ScreenPath; children: ReactNode }) {
  const { logOut } = useSessionEvents();
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
      onLogOut={logOut}
    >
      {children}
    </Shell>
  );
}

/** Fetches a screen's code ahead of the click that will need it. */
function preload(path: string) {
  const known: Partial<Record<string, Screen>> = screens;
  void known[path]?.load();
}
