import type { Drafts } from "../../services/drafts.ts";
import type { ServerEvents } from "../../services/events.ts";
import type { Http } from "../../services/http.ts";
import type { Logger } from "../../services/logger.ts";
import type { SafeStorage } from "../../services/storage.ts";
import type { Notifier } from "./speaking.ts";

/** What every chart gets of the page that it runs on. Calls are made in the name of the user who opened the screen. */
export type Page = {
  http: Http;
  notifier: Notifier;
  logger: Logger;
  events: ServerEvents;
  drafts: Drafts;
  sessionStorage: SafeStorage;
};
