/** The name for no time zone; the spec's hours are UTC. */
export const UTC = "UTC";

export type ZoneRegion = { name: string; zones: readonly { id: string; name: string }[] };

/**
 * All time zones of the browser by region, named by the rest of their id so that typing finds them. Includes those of `further`, even if
 * the browser has other names for them.
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

/** The browser's time zone; null if it is UTC or unknown. */
export function ownZone(): string | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || timeZone === UTC ? null : timeZone;
}
