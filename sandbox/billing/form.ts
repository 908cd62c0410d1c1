/** A parsed form: nested objects of strings, lists as objects with keys from 0. */
export type Form = { [name: string]: string | Form };

const DEEPEST = 8;

/** Parses `a[b][0]=c` like the provider's API, from a body or a query. Later values win. */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== "");
    if (keys.length === 0 || keys.length > DEEPEST) continue;
    let place = form;
    for (const key of keys.slice(0, -1)) {
      const inner = place[key];
      const next = typeof inner === "object" ? inner : (Object.create(null) as Form);
      place[key] = next;
      place = next;
    }
    const last = keys.at(-1) ?? "";
    // `expand[]=a&expand[]=b` has no index.
    const key = name.endsWith("[]") ? undefined : last;
    if (key === undefined) appendTo(place, last, value);
    else place[key] = value;
  }
  return form;
}

function appendTo(place: Form, key: string, value: string): void {
  const list = place[key];
  const items = typeof list === "object" ? list : (Object.create(null) as Form);
  items[String(Object.keys(items).length)] = value;
  place[key] = items;
}
