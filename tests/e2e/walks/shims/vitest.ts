type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const describe = (value: unknown) =>
  value instanceof Element ? `<${value.tagName.toLowerCase()}>` : (JSON.stringify(value) ?? "undefined");

/** Returns where two values differ, or null. Undefined fields are ignored. */
function difference(one: unknown, other: unknown, place = "it"): string | null {
  if (Object.is(one, other)) return null;
  if (!isObject(one) || !isObject(other)) return `${place} is ${describe(one)}, not ${describe(other)}`;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length)
    return `${place} has ${one.length} entries, not ${other.length}: ${describe(one)}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = difference(one[key], other[key], `${place}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

const matchers = {
  toEqual: (actual: unknown, expected: unknown) => difference(actual, expected),
  toHaveLength: (actual: unknown, length: unknown) => difference((actual as unknown[]).length, length),
};

type Matchers = Record<keyof typeof matchers, (expected: unknown) => void>;

/** The part of vitest's `expect` that walks use. */
export const expect = (actual: unknown): Matchers =>
  Object.fromEntries(
    Object.entries(matchers).map(([name, differenceOf]) => [
      name,
      (expected: unknown) => {
        const found = differenceOf(actual, expected);
        if (found !== null) throw new Error(found);
      },
    ]),
  ) as Matchers;

/** A walked screen stops its own charts. */
export const onTestFinished = (): void => {};

/** Replaces values that are new each time by those of the walk. */
export const vi = {
  spyOn: <Thing extends object>(thing: Thing, name: keyof Thing) => ({
    mockReturnValue: (value: unknown) => (thing[name] = (() => value) as Thing[keyof Thing]),
  }),
};
