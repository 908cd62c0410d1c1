import { t } from "@lingui/core/macro";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocale } from "#language";
import { Link, Redirect, Router, useLocation } from "wouter";
import { Session, selectAccess, selectUserId } from "../machines/session/session.machine.ts";
import type { LanguageStore } from "../language/store.ts";
import { LanguageSwitch } from "../views/language/LanguageSwitch.tsx";
import { CheckingView } from "../views/shell/CheckingView.tsx";
import { UncheckedView } from "../views/shell/UncheckedView.tsx";
import { RouteProblem } from "../views/shell/RouteProblem.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { createGuardedLocation } from "./leaving.ts";
import { Screen } from "./loading/Screen.tsx";
import { useLoadable, useLoadFailure } from "./loading/loadable.tsx";
import { type ScreenPath, isInShell, screens, shell } from "./loading/screens.ts";
import { routeOf } from "./routing.ts";
import type { InShellProps } from "./InShell.tsx";
import { ownServices } from "./own-services.ts";
import type { Services } from "./services.ts";
import { NotificationsContainer } from "./notifications.tsx";

type AppProps = { services: Services; sandboxParts: readonly string[] };

function VisitorLanguage({ language }: { language: LanguageStore }) {
  const shown = useSyncExternalStore(language.subscribe, language.get);
  return <LanguageSwitch language={shown} onChoose={(chosen) => void language.choose(chosen, "visitor")} />;
}

/** The whole page: the screen for the address and the user, and the messages over it. */
export function App(props: AppProps) {
  useLocale();
  const { services } = props;
  const location = useMemo(() => createGuardedLocation(services.leaving), [services.leaving]);
  return (
    <ErrorBoundary logger={services.logger} Fallback={BrokenApp}>
      <Session.ActorProvider value={services.session}>
        <Router hook={location}>
          <Pages {...props} />
        </Router>
        <NotificationsContainer notifications={services.notifications} />
      </Session.ActorProvider>
    </ErrorBoundary>
  );
}

function BrokenApp() {
  return (
    <RouteProblem title={t`Leadloom ran into a problem`} onRetry={() => window.location.reload()}>
      {t`Nothing you saved is lost. Reload the page to go on.`}
    </RouteProblem>
  );
}

function Pages({ services, sandboxParts }: AppProps) {
  const [location] = useLocation();
  const access = Session.useSelector(selectAccess);
  const isRecovering = Session.useSelector((session) => session.context.isRecovering);
  const userId = Session.useSelector(selectUserId);
  const [firstLocation] = useState(location);
  const [hasMoved, setHasMoved] = useState(false);
  if (!hasMoved && location !== firstLocation) setHasMoved(true);

  const route = routeOf(location, access, isRecovering);
  if (route.kind === "checking") return <CheckingView />;
  if (route.kind === "unchecked") return <UncheckedView />;
  if (route.kind === "redirect") return <Leading key={location} to={route.to} services={services} />;
  if (route.kind === "unknown") return <UnknownPage />;

  const { path } = route;
  const isInside = isInShell(screens[path]);
  const isOwn = isInside && userId !== undefined;
  const screen = (
    <Screen
      key={isOwn ? `${userId} ${path}` : path}
      services={isOwn ? ownServices(services, userId) : services}
      screen={screens[path]}
      isFirst={!hasMoved}
    />
  );
  if (!isInside)
    return (
      <>
        {screen}
        <VisitorLanguage language={services.language} />
      </>
    );
  return (
    <ShellFrame services={services} sandboxParts={sandboxParts} access={access} path={path}>
      {screen}
    </ShellFrame>
  );
}

/**
 * Redirects to another address. When the session check failed, the login remembers the address and returns to it once the check succeeds.
 */
function Leading({ to, services }: { to: ScreenPath; services: Services }) {
  const [place] = useState(() => {
    // A user who is signing out is redirected too, with the session still there.
    const by = services.session.getSnapshot().matches("signedOut") ? services.auth.storedUserId() : null;
    if (to === "/login" && by !== null) return { to, state: { asked: askedOf(window.location), by } };
    return { to: (to === "/dashboard" && askedBy(services.userId())) || to };
  });
  return <Redirect {...place} replace />;
}

const askedOf = ({ pathname, search }: Location) => (pathname === "/" ? null : pathname + search);

/** The address that the redirect to the login interrupted, for this user; null for none. */
function askedBy(userId: string): string | null {
  const entry: unknown = window.history.state;
  if (typeof entry !== "object" || entry === null || !("asked" in entry) || !("by" in entry)) return null;
  const { asked, by } = entry;
  return by === userId && typeof asked === "string" && /^\/(?!\/)/.test(asked) ? asked : null;
}

/** Loads the shell's code during the session check, whose message covers a slow load. */
function ShellFrame(props: InShellProps) {
  const state = useLoadable(shell);
  useEffect(() => void shell.load(), []);
  const verdict = useLoadFailure(state, props.services);
  if (verdict === "gone" || verdict === "unreachable") return <BrokenApp />;
  return state.status === "ready" ? <state.Component {...props} /> : <CheckingView />;
}

function UnknownPage() {
  return (
    <main>
      <RouteProblem title={t`There is no such page`}>
        <Link href="/">{t`Go to the start`}</Link>
      </RouteProblem>
    </main>
  );
}
