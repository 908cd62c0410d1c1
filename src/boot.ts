/**
 * Runs with the first bytes of the page, before its code has arrived: for someone who is most likely signed in, what the
 * screen will ask for is asked now. Nothing is decided here: the session chart still says what is shown, and an answer that
 * is a refusal reaches whoever asks as if they had asked themselves.
 */
import { openAhead } from "./services/opening.ts";
import { isFresh, readStoredSession, sessionKeyOf } from "./services/session-store.ts";
import { conversationAddresses, leadIdOf, leadsAddresses, subscriptionAddress } from "./services/addresses.ts";
import { createStorage } from "./services/storage.ts";
import { ANON_KEY } from "./services/anon-key.ts";

const SIGNED_OUT = /^\/(login|signup|forgot-password|reset-password)$/;

const session = readStoredSession(
  createStorage(() => window.localStorage),
  sessionKeyOf(window.location.hostname),
);
const { pathname, search, hash } = window.location;

if (session !== null && isFresh(session, Date.now()) && !SIGNED_OUT.test(pathname) && hash === "") {
  const Authorization = `Bearer ${session.accessToken}`;
  openAhead(subscriptionAddress(session.user.id), {
    apikey: ANON_KEY,
    Authorization,
    Accept: "application/json",
  });
  if (pathname === "/leads" && search === "")
    for (const address of leadsAddresses()) openAhead(address, { Authorization });
  const leadId = leadIdOf(pathname);
  if (leadId !== null) {
    for (const address of conversationAddresses(leadId)) openAhead(address, { Authorization });
    import("./app/routes/inbox.tsx").catch(() => {});
  }
  // The shell's code is fetched beside the page's own; whoever needs it tells of a failure.
  import("./app/InShell.tsx").catch(() => {});
  if (pathname !== "/leads") import("./app/screens-inside.ts").catch(() => {});
}
