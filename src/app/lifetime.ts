import type { Services } from "./services.ts";

/** Creates something once per set of services, however often its screen is opened. */
export function memoizeByServices<T>(make: (services: Services) => T): (services: Services) => T {
  const made = new WeakMap<Services, { value: T }>();
  return (services) => {
    const known = made.get(services) ?? { value: make(services) };
    made.set(services, known);
    return known.value;
  };
}

type Signed = Pick<Services, "session" | "auth" | "userId">;

/** Calls back when the user of these services signs out, or another user signs in. */
export function onSignOut({ session, auth, userId }: Signed, listener: () => void): void {
  const owner = userId();
  session.subscribe((snapshot) => {
    const isElse = ![owner, undefined].includes(snapshot.context.user?.id);
    const isOver = snapshot.matches("signedOut") && auth.accessToken() === null;
    if (isElse || isOver) listener();
  });
}
