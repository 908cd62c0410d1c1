import { createDrafts } from "../services/drafts.ts";
import type { Http, HttpOptions } from "../services/http.ts";
import type { Services } from "./services.ts";
import { onSignOut } from "./lifetime.ts";

const known = new WeakMap<Services, { userId: string; own: Services }>();

/**
 * Returns the services for the screens of one user, the same object until another user signs in. Requests that a screen started use
 * this user's current token or fail, and their outcome is shown to no other user.
 */
export function ownServices(services: Services, userId: string): Services {
  const made = known.get(services);
  if (made?.userId === userId) return made.own;
  const own = servicesOf(services, userId);
  known.set(services, { userId, own });
  // Their actors stop at sign-out; the next sign-in of the same user creates new ones.
  onSignOut(own, () => {
    if (known.get(services)?.own === own) known.delete(services);
  });
  return own;
}

function servicesOf(services: Services, userId: string): Services {
  const { notifier } = services;
  const isElse = () => ![userId, ""].includes(services.userId());
  return {
    ...services,
    http: httpOf(services.http, userId),
    notifier: {
      toast(text, options) {
        // Only the user who acted may undo, not the next one at the login screen.
        if (!isElse()) notifier.toast(text, services.userId() === userId ? options : undefined);
      },
      warn: (text) => void (isElse() || notifier.warn(text)),
      alert: async (...text) => (isElse() ? undefined : notifier.alert(...text)),
      confirm: async (...text) => !isElse() && notifier.confirm(...text),
    },
    // Drafts share one store, which belongs to the next user now.
    drafts: createDrafts(services.sessionStorage, () => userId, { isElse }),
    userId: () => userId,
  };
}

const httpOf = (http: Http, by: string): Http =>
  Object.assign((async (path, options) => http(path, { ...options, by })) as Http, {
    raw: (path: string, options?: HttpOptions) => http.raw(path, { ...options, by }),
  });
