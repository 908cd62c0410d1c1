import { t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";
import { translate } from "#language";
import { RouteProblem } from "../../views/shell/RouteProblem.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import type { Services } from "../services.ts";
import { useLoadable, useLoadFailure } from "./loadable.tsx";
import type { Screen as ScreenEntry } from "./screens.ts";

type ScreenProps = { screen: ScreenEntry; services: Services; isFirst: boolean };

/** Shows one screen once its code has loaded, sets the page title, focuses its heading, and offers a retry when it breaks. */
export function Screen({ screen: { title, code }, services, isFirst }: ScreenProps) {
  const state = useLoadable(code);
  const verdict = useLoadFailure(state, services);
  const isReady = state.status === "ready";
  const takesFocus = useRef(!isFirst);

  const tabTitle = t`${{ screen: translate(title) }} · Leadloom`;

  useEffect(() => {
    document.title = tabTitle;
  }, [tabTitle]);

  useEffect(() => void code.load(), [code]);

  useEffect(() => {
    if (isReady) services.updates.announceReload();
  }, [isReady, services]);

  useEffect(() => {
    if (!isReady || !takesFocus.current) return;
    takesFocus.current = false;
    const main = document.querySelector("main");
    const heading = main?.querySelector<HTMLElement>("h1");
    if (!main?.contains(document.activeElement)) heading?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [isReady]);

  if (verdict === "gone")
    return (
      <RouteProblem title={t`This page did not load`} onRetry={() => window.location.reload()}>
        {t`A part of it is missing on the server. Try again in a minute.`}
      </RouteProblem>
    );
  if (verdict === "unreachable")
    return (
      <RouteProblem title={t`This page did not load`} onRetry={() => void code.load()}>
        {t`Check your connection and try again.`}
      </RouteProblem>
    );
  if (state.status !== "ready") return null;
  return (
    <ErrorBoundary logger={services.logger} Fallback={BrokenScreen}>
      <state.Component services={services} />
    </ErrorBoundary>
  );
}

function BrokenScreen({ onRetry }: { onRetry: () => void }) {
  return (
    <RouteProblem title={t`This page ran into a problem`} onRetry={onRetry}>
      {t`Nothing you saved is lost. Try again, or go on with another page.`}
    </RouteProblem>
  );
}
