import type { Services } from "./services.ts";

/** Makes something of the services once for the life of the page, however often its screen is entered. */
export function onceAPage<T>(make: (services: Services) => T): (services: Services) => T {
  const made = new WeakMap<Services, { value: T }>();
  return (services) => {
    const known = made.get(services) ?? { value: make(services) };
    made.set(services, known);
    return known.value;
  };
}
