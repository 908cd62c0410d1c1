import type { Messages } from "@lingui/core";
import { afterEach, expect, it, vi } from "vitest";
import { LOCALE_TAGS, type Locale, matchLocale } from "../../domain/locales.ts";
import type { Part } from "../../src/language/catalogues.ts";
import { createStorage } from "../../src/services/storage.ts";
import { english } from "../support/english.ts";

const fetchCatalogue = vi.fn<(locale: Locale, part: Part) => Promise<Messages>>();

/** The modules anew, over these catalogues: nothing is loaded yet but English. */
async function startLanguage() {
  vi.resetModules();
  vi.doMock(import("../../src/language/catalogues.ts"), async () => ({
    OFFERED_LOCALES: ["en", "ru", "es"] as const,
    fetchCatalogue,
  }));
  const [{ i18n }, activation, { createLanguageStore }] = await Promise.all([
    import("@lingui/core"),
    import("../../src/language/activate.ts"),
    import("../../src/language/store.ts"),
  ]);
  fetchCatalogue.mockResolvedValue({});
  activation.activateEnglish();
  await activation.loadTexts("app");
  return { i18n, ...activation, createLanguageStore };
}

/** Catalogues whose texts say of which language and part they are, by a promise each. */
function catalogues() {
  const settle = new Map<string, { resolve: () => void; reject: () => void }>();
  fetchCatalogue.mockImplementation(
    (locale: Locale, part: Part) =>
      new Promise((resolve, reject) => {
        const fetched = () => resolve({ [part]: [`${part} in ${locale}`] });
        settle.set(`${locale} ${part}`, { resolve: fetched, reject: () => reject(new TypeError("Failed to fetch")) });
      }),
  );
  return {
    asked: () => [...settle.keys()],
    arrive: (name: string) => settle.get(name)?.resolve(),
    fail: (name: string) => settle.get(name)?.reject(),
  };
}

afterEach(() => {
  document.documentElement.removeAttribute("dir");
});

it.each<[string[], Locale]>([
  [["ru-RU", "en"], "ru"],
  [["pt-PT"], "pt-BR"],
  [["pt_BR.UTF-8"], "pt-BR"],
  [["es-MX", "es", "en"], "es"],
  [["es-419"], "es"],
  [["uz-Latn-UZ"], "uz"],
  [["uz-Cyrl", "ru"], "uz"],
  [["de", "fr-CH", "uk"], "uk"],
  [["in-ID"], "id"],
  [["ar-EG"], "ar"],
  [["en-US@posix", "ru"], "en"],
  [["C", "", "de"], "en"],
  [[], "en"],
])("matches the browser's %j with %s", (languages, locale) => {
  expect(matchLocale(languages, LOCALE_TAGS)).toEqual(locale);
});

it("shows a language once its texts are there, and leaves out a late one", async () => {
  const { i18n, activateLocale } = await startLanguage();
  const { arrive } = catalogues();
  const [first, second] = [activateLocale("ru"), activateLocale("es")];
  arrive("es visitor");
  arrive("es app");
  await second;
  expect([i18n.locale, document.documentElement.lang]).toEqual(["es", "es"]);
  arrive("ru visitor");
  arrive("ru app");
  await first;
  expect([i18n.locale, i18n._("visitor")]).toEqual(["es", "visitor in es"]);
  await activateLocale("ru");
  expect([i18n.locale, document.documentElement.lang, i18n._("app")]).toEqual(["ru", "ru", "app in ru"]);
});

it("turns the page for a language that is written from right to left", async () => {
  const { activateEnglish, activateLocale } = await startLanguage();
  const { arrive } = catalogues();
  const switching = activateLocale("ar");
  arrive("ar visitor");
  arrive("ar app");
  await switching;
  expect(document.documentElement.dir).toEqual("rtl");
  activateEnglish();
  expect(document.documentElement.dir).toEqual("ltr");
});

it("sets values apart in a text that runs from right to left, so that they keep their own order", async () => {
  const { i18n, activateLocale } = await startLanguage();
  fetchCatalogue.mockResolvedValue({
    plain: "نص",
    phone: ["رقم ", ["phone"], "."],
    count: [["count", "plural", { one: ["#", " من ", ["name"]], other: ["#"], offset: 0 }]],
    price: [["price", "number"], " €"],
  });
  await activateLocale("ar");
  expect([
    i18n._("plain"),
    i18n._("phone", { phone: "+491555" }),
    i18n._("count", { count: 1, name: "@ada" }),
    i18n._("price", { price: 5 }),
  ]).toEqual(["نص", "رقم \u2068+491555\u2069.", "1 من \u2068@ada\u2069", "5 €"]);
  fetchCatalogue.mockResolvedValue({ phone: ["номер ", ["phone"]] });
  await activateLocale("ru");
  expect(i18n._("phone", { phone: "+491555" })).toEqual("номер +491555");
});

it("keeps the language when the texts of another one do not come", async () => {
  const { i18n, activateLocale } = await startLanguage();
  const { arrive, fail, asked } = catalogues();
  const switching = activateLocale("uk");
  expect(asked()).toEqual(["uk visitor", "uk app"]);
  arrive("uk visitor");
  fail("uk app");
  await expect(switching).rejects.toThrow("Failed to fetch");
  expect([i18n.locale, document.documentElement.lang]).toEqual(["en", "en"]);
});

async function startStore(activate: (locale: Locale) => Promise<void>) {
  const { createLanguageStore } = await startLanguage();
  const storage = createStorage(() => window.localStorage);
  const warn = vi.fn<(message: Parameters<typeof english>[0]) => void>();
  let shown: Locale = "en";
  const store = createLanguageStore({
    storage,
    notifier: { warn },
    logger: { warn: () => {} },
    activate: async (locale) => {
      await activate(locale);
      shown = locale;
    },
    shown: () => shown,
  });
  return { store, warn };
}

it("remembers a visitor's choice until a user's settings hold it", async () => {
  const { store } = await startStore(async () => {});
  await store.choose("ru", "visitor");
  expect([store.get(), store.ofVisitor()]).toEqual(["ru", "ru"]);
  expect((await startStore(async () => {})).store.ofVisitor()).toEqual("ru");
  await store.choose("ru", "user");
  expect([store.get(), store.ofVisitor()]).toEqual(["ru", null]);
});

it("follows the browser again when no language is chosen", async () => {
  const { store } = await startStore(async () => {});
  await store.choose("ru", "user");
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["es-MX"]);
  await store.choose(null, "user");
  expect([store.get(), localStorage.getItem("leadloom_language")]).toEqual(["es", null]);
});

it("shows the language that another tab has set, without setting it again", async () => {
  const { store } = await startStore(async () => {});
  const other = createStorage(() => window.localStorage);
  other.set("leadloom_language", "ru");
  window.dispatchEvent(new StorageEvent("storage", { key: "leadloom_language", newValue: "ru" }));
  await vi.waitFor(() => expect(store.get()).toEqual("ru"));
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["es-MX"]);
  other.remove("leadloom_language");
  window.dispatchEvent(new StorageEvent("storage", { key: "leadloom_language", newValue: null }));
  await vi.waitFor(() => expect(store.get()).toEqual("es"));
  expect(other.get("leadloom_language")).toBeNull();
});

it("shows the choice at once, and takes it back when it cannot be loaded", async () => {
  const loading = Promise.withResolvers<void>();
  const { store, warn } = await startStore(() => loading.promise);
  const shown: Locale[] = [];
  store.subscribe(() => shown.push(store.get()));
  const choosing = store.choose("ru", "visitor");
  loading.reject(new TypeError("Failed to fetch"));
  await choosing;
  expect([shown, store.ofVisitor()]).toEqual([["ru", "en"], null]);
  expect(warn.mock.calls.map(([message]) => english(message))).toEqual([
    "The language could not be loaded. Check your connection and try again.",
  ]);
});
