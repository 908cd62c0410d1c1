/** How the absence of a zone is called; the spec's hours are UTC. */
export const UTC = "UTC";

export type ZoneRegion = { name: string; zones: readonly { id: string; name: string }[] };

/**
 * Every time zone that the browser knows by the part of the world it is in, named by the rest of its id, so that typing finds it;
 * `chosen` is among them also where the browser has another name for it.
 */
export function zonesByRegion(chosen: string): ZoneRegion[] {
  const known = Intl.supportedValuesOf("timeZone").filter((id) => id !== UTC);
  const all = chosen === "" || chosen === UTC || known.includes(chosen) ? known : [chosen, ...known];
  const regions = new Map<string, { id: string; name: string }[]>();
  for (const id of all) {
    const [region = "", ...place] = id.replaceAll("_", " ").split("/");
    regions.set(region, [...(regions.get(region) ?? []), { id, name: place.join("/") || region }]);
  }
  return [...regions].map(([name, zones]) => ({ name, zones }));
}

/** The zone that the browser is in; null where that is UTC, or not told. */
export function ownZone(): string | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || timeZone === UTC ? null : timeZone;
}
