/** How the absence of a zone is called; the spec's hours are UTC. */
export const UTC = "UTC";

export type ZoneRegion = { name: string; zones: readonly { id: string; name: string }[] };

/**
 * Every time zone that the browser knows by the part of the world it is in, named by the rest of its id, so that typing finds it;
 * those of `further` are among them also where the browser has other names for them.
 */
export function zonesByRegion(further: readonly (string | null)[]): ZoneRegion[] {
  const known = Intl.supportedValuesOf("timeZone");
  const others = further.filter((id): id is string => id !== null && id !== "" && !known.includes(id));
  const all = new Set([...others, ...known]);
  all.delete(UTC);
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
