import { createDrafts } from "../services/drafts.ts";
import type { Http, HttpOptions } from "../services/http.ts";
import type { Services } from "./services.ts";
import { onSignOut } from "./lifetime.ts";

const known = new WeakMap<Services, { userId: string; own: Services }>();

/**
 * The services as the screens of one person have them, the same for as long as nobody else is here. Whatever began on
 * such a screen stays this person's: each of its calls is made in their name or not at all, with the token of the moment,
 * and what became of it is told to nobody else.
 */
export function ownServices(services: Services, userId: string): Services {
  const made = known.get(services);
  if (made?.userId === userId) return made.own;
  const own = servicesOf(services, userId);
  known.set(services, { userId, own });
  // Actors made of them end with the sign-in; the next sign-in of the same user begins with new ones.
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
        // A step back is theirs who could take it: not of whoever reads this at the login.
        if (!isElse()) notifier.toast(text, services.userId() === userId ? options : undefined);
      },
      warn: (text) => void (isElse() || notifier.warn(text)),
      alert: async (...text) => (isElse() ? undefined : notifier.alert(...text)),
      confirm: async (...text) => !isElse() && notifier.confirm(...text),
    },
    // All drafts lie in one place, which is the next person's now.
    drafts: createDrafts(services.sessionStorage, () => userId, { isElse }),
    userId: () => userId,
  };
}

const httpOf = (http: Http, by: string): Http =>
  Object.assign((async (path, options) => http(path, { ...options, by })) as Http, {
    raw: (path: string, options?: HttpOptions) => http.raw(path, { ...options, by }),
  });
