import type { ComboBoxItem } from "../../ui/ComboBox.tsx";

/** How the absence of a zone is called; the spec's hours are UTC. */
export const UTC: ComboBoxItem = { id: "UTC", name: "UTC" };

const nameOf = (id: string): string => id.replaceAll("_", " ");

/** Every time zone that the browser knows, UTC first; `chosen` is among them also where the browser has another name for it. */
export function zoneItems(chosen: string): ComboBoxItem[] {
  const known = Intl.supportedValuesOf("timeZone").filter((id) => id !== UTC.id);
  const all = chosen === "" || chosen === UTC.id || known.includes(chosen) ? known : [chosen, ...known];
  return [UTC, ...all.map((id) => ({ id, name: nameOf(id) }))];
}

/** The zone that the browser is in; null where that is UTC, or not told. */
export function ownZone(): string | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || timeZone === UTC.id ? null : timeZone;
}

/** What a clock in the zone shows at a moment, such as `14:05`; empty for a zone that the browser does not know. */
export function clockIn(zone: string, at: number): string {
  try {
    return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone || "UTC" }).format(at);
  } catch {
    return "";
  }
}
