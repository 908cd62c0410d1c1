import type { NotificationsRef, Notifier } from "../machines/notifications/index.ts";
import type { Auth } from "../services/auth.ts";
import type { Clock } from "../services/clock.ts";
import type { DataGateway } from "../services/data.ts";
import type { ServerEvents } from "../services/events.ts";
import type { Http } from "../services/http.ts";
import type { Logger } from "../services/logger.ts";
import type { SafeStorage } from "../services/storage.ts";

/** Everything of the outside, made once for the page and handed into machines by the route modules. */
export type Services = {
  http: Http;
  auth: Auth;
  data: DataGateway;
  events: ServerEvents;
  notifier: Notifier;
  notifications: NotificationsRef;
  /** localStorage and sessionStorage that never throw. */
  storage: SafeStorage;
  sessionStorage: SafeStorage;
  clock: Clock;
  logger: Logger;
  /** The signed-in user's id; empty when nobody is signed in, which no guarded screen ever sees. */
  userId(): string;
  /** Reads the subscription again and settles when it is known. */
  refreshSubscription(): Promise<void>;
};
