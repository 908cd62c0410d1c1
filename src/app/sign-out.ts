import type { Services } from "./services.ts";

type Signed = Pick<Services, "session" | "auth" | "userId">;

/** Calls back when the user of these services is signed in no more, after a sign-out or a sign-in of another user. */
export function onSignOut({ session, auth, userId }: Signed, listener: () => void): void {
  const owner = userId();
  session.subscribe((snapshot) => {
    const isElse = ![owner, undefined].includes(snapshot.context.user?.id);
    const isOver = snapshot.matches("signedOut") && auth.accessToken() === null;
    if (isElse || isOver) listener();
  });
}
