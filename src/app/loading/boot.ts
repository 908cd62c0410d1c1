/**
 * Runs before the page's code has loaded: chooses the language, and with a fresh stored session requests what the screen will
 * read, and the code and texts of the shell. It does not check access: the session chart still does, and a refusal reaches
 * the caller that takes the response.
 */
import { fetchCatalogue } from "../../language/catalogues.ts";
import { firstLocale, markPage } from "../../language/device.ts";
import { conversationAddresses, leadIdOf, leadsAddresses, subscriptionAddress } from "../../services/addresses.ts";
import { ANON_KEY } from "../../services/anon-key.ts";
import { prefetch } from "../../services/prefetched.ts";
import { isFresh, readStoredSession, sessionKeyOf } from "../../services/session-store.ts";
import { createStorage } from "../../services/storage.ts";

const SIGNED_OUT = /^\/(login|signup|forgot-password|reset-password)$/;

const storage = createStorage(() => window.localStorage);
const session = readStoredSession(storage, sessionKeyOf(window.location.hostname));
const { pathname, search, hash } = window.location;

const locale = firstLocale(storage);
markPage(locale);
// Here and below, the module that needs the code or texts reports a failure.
if (locale !== "en") fetchCatalogue(locale, "visitor").catch(() => {});

if (session !== null && isFresh(session, Date.now()) && !SIGNED_OUT.test(pathname) && hash === "") {
  const Authorization = `Bearer ${session.accessToken}`;
  prefetch(subscriptionAddress(session.user.id), { apikey: ANON_KEY, Authorization, Accept: "application/json" });
  const leadId = leadIdOf(pathname);
  const isList = pathname === "/leads" && search === "";
  const reads = leadId !== null ? conversationAddresses(leadId) : isList ? leadsAddresses() : [];
  for (const address of reads) prefetch(address, { Authorization });
  if (leadId !== null) import("../routes/inbox.tsx").catch(() => {});
  import("../InShell.tsx").catch(() => {});
  fetchCatalogue(locale, "app").catch(() => {});
  if (pathname !== "/leads") fetchCatalogue(locale, "inside").catch(() => {});
}
