import { useEffect, useLayoutEffect, useState } from "react";
import { useReading } from "../machines/reading/reading.machine.ts";
import { createTelegramGateway } from "../services/telegram.ts";
import { LostSessionBanner } from "../views/shell/LostSessionBanner.tsx";
import { lostSessionKey } from "./remembered.ts";
import type { ScreenPath } from "./loading/screens.ts";
import type { Services } from "./services.ts";

type LostSessionContainerProps = { services: Services; path: ScreenPath; onKnown: () => void };

/** The banner of a lost Telegram session, over every screen. */
export default function LostSessionContainer({ services, path, onKnown }: LostSessionContainerProps) {
  const { events, storage } = services;
  const key = lostSessionKey(services.userId());
  const [remembered] = useState(() => storage.get(key));
  const { value, status, refresh } = useReading({
    read: createLostSince(services),
    what: "whether Telegram is connected",
    logger: services.logger,
  });
  const since = value === undefined ? remembered : value;
  useEffect(() => events.subscribe("telegram.changed", refresh), [events, refresh]);
  useEffect(() => {
    if (since === null) storage.remove(key);
    else storage.set(key, since);
  }, [storage, key, since]);
  // Before the browser paints, so that the banner replaces its reserved space without a layout shift.
  useLayoutEffect(() => {
    if (since !== null || status !== "loading") onKnown();
  }, [since, status, onKnown]);
  return since === null ? null : <LostSessionBanner since={since} isHere={path === "/connect-telegram"} />;
}

/** Returns since when the session has been lost: empty when the server does not say, null when it is not lost. */
function createLostSince({ http }: Services) {
  const telegram = createTelegramGateway(http);
  return async (signal: AbortSignal): Promise<string | null> => {
    const account = await telegram.fetchAccount(signal);
    return account === null || account.connected || !account.ended_reason ? null : (account.ended_at ?? "");
  };
}
