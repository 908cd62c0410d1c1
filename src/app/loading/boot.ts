/**
 * Runs before the page's code has loaded. If the stored session is fresh, it requests what the screen will read and loads
 * the shell's code. It decides nothing: the session chart still checks access, and a refusal reaches the caller that takes
 * the response.
 */
import { conversationAddresses, leadIdOf, leadsAddresses, subscriptionAddress } from "../../services/addresses.ts";
import { ANON_KEY } from "../../services/anon-key.ts";
import { prefetch } from "../../services/prefetched.ts";
import { isFresh, readStoredSession, sessionKeyOf } from "../../services/session-store.ts";
import { createStorage } from "../../services/storage.ts";

const SIGNED_OUT = /^\/(login|signup|forgot-password|reset-password)$/;

const session = readStoredSession(
  createStorage(() => window.localStorage),
  sessionKeyOf(window.location.hostname),
);
const { pathname, search, hash } = window.location;

if (session !== null && isFresh(session, Date.now()) && !SIGNED_OUT.test(pathname) && hash === "") {
  const Authorization = `Bearer ${session.accessToken}`;
  prefetch(subscriptionAddress(session.user.id), { apikey: ANON_KEY, Authorization, Accept: "application/json" });
  const leadId = leadIdOf(pathname);
  const isList = pathname === "/leads" && search === "";
  const reads = leadId !== null ? conversationAddresses(leadId) : isList ? leadsAddresses() : [];
  for (const address of reads) prefetch(address, { Authorization });
  // The module that needs the code reports a failure.
  if (leadId !== null) import("../routes/inbox.tsx").catch(() => {});
  import("../InShell.tsx").catch(() => {});
}
