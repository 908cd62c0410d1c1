import { setupI18n } from "@lingui/core";
import { expect, it } from "vitest";
import { pseudo } from "../support/pseudo.ts";

/** Returns a message as a page in the pseudo-locale shows it. */
function shown(message: string, values: Record<string, unknown> = {}): string {
  const i18n = setupI18n({ locale: "en", messages: { en: { id: pseudo(message) } } });
  return i18n._("id", values);
}

it("brackets, accents and lengthens a text by 40 %", () => {
  expect(shown("Save Settings")).toBe("⟦Ŝàṽé Ŝéţţîñĝŝ~~~~~⟧");
});

it("leaves values and tags as they are", () => {
  expect(shown("Read <0>the guide</0>, {name}", { name: "Anna" })).toBe("⟦Ŕéàđ~~ <0>ţĥé ĝûîđé~~~~</0>, Anna⟧");
});

it("keeps plurals, exact numbers and selects", () => {
  const leads = "{count, plural, =0 {None} one {# lead} other {# leads}} for {who, select, me {you} other {{who}}}";
  expect(shown(leads, { count: 0, who: "me" })).toBe("⟦Ñôñé~~ ƒôŕ~~ ýôû~~⟧");
  expect(shown(leads, { count: 1, who: "Anna" })).toBe("⟦1 ĺéàđ~~ ƒôŕ~~ Anna⟧");
  expect(shown(leads, { count: 5, who: "Anna" })).toBe("⟦5 ĺéàđŝ~~ ƒôŕ~~ Anna⟧");
});

it("keeps a text without letters", () => {
  expect(shown("{done} / {all}", { done: 1, all: 2 })).toBe("⟦1 / 2⟧");
});
