import { difference } from "../equal.ts";

const skip = () => {};
const each = () => skip;
const blocks: unknown[] = [];

/** Hand-written cases are for jsdom. */
export const it = Object.assign(skip, { each, skip, skipIf: () => skip });
export const test = it;
export const beforeEach = skip;
export const afterEach = skip;
export const beforeAll = skip;
export const afterAll = skip;

/** What a block of tests holds may be a walk. */
export const describe = Object.assign((_name: string, work: () => unknown) => void blocks.push(work()), {
  each: (cases: unknown[][]) => (_name: string, work: (...one: unknown[]) => unknown) =>
    cases.forEach((one) => blocks.push(work(...one))),
});

/** Settles when every block has said what it holds. */
export const allDescribed = () => Promise.all(blocks);

/** What a walk says in place of something new each time; files and pictures have real addresses here. */
const spyOn = <Thing extends object>(thing: Thing, name: keyof Thing) => ({
  mockReturnValue: (value?: unknown) => {
    if (thing !== (URL as object)) thing[name] = (() => value) as Thing[keyof Thing];
  },
});
export const vi = { spyOn, setConfig: skip, fn: () => skip };

const show = (value: unknown) =>
  value instanceof Element ? `<${value.tagName.toLowerCase()}>` : (JSON.stringify(value) ?? "undefined");

const matchers = {
  toEqual: (actual: unknown, expected: unknown) => difference(actual, expected),
  toBe: (actual: unknown, expected: unknown) =>
    Object.is(actual, expected) ? null : `${show(actual)} is not ${show(expected)}`,
  toBeNull: (actual: unknown) => (actual === null ? null : `${show(actual)} is not null`),
  toBeTruthy: (actual: unknown) => (actual ? null : `${show(actual)} is not truthy`),
  toHaveLength: (actual: unknown, length: unknown) => difference((actual as unknown[]).length, length),
  toContain: (actual: unknown, part: unknown) =>
    (actual as unknown[]).includes(part) ? null : `${show(actual)} lacks ${show(part)}`,
  toMatch: (actual: unknown, form: unknown) =>
    new RegExp(form as RegExp).test(String(actual)) ? null : `${show(actual)} does not match ${String(form)}`,
};

type Matchers = Record<keyof typeof matchers, (expected?: unknown) => void>;

/** As much of vitest's as the walked screens are held against. */
export function expect(actual: unknown, message = ""): Matchers & { not: Matchers } {
  const held = (isNot: boolean) =>
    Object.fromEntries(
      Object.entries(matchers).map(([name, differenceOf]) => [
        name,
        (expected?: unknown) => {
          const found = differenceOf(actual, expected);
          if ((found === null) === isNot)
            throw new Error(
              `${message} ${found ?? `${show(actual)} should not have been ${name} ${show(expected)}`}`.trim(),
            );
        },
      ]),
    ) as Matchers;
  return { ...held(false), not: held(true) };
}
