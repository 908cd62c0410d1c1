import type { Messages } from "@lingui/core";
import { afterEach, expect, it, vi } from "vitest";
import { LOCALE_TAGS, type Locale, matchLocale } from "../../domain/locales.ts";
import type { Part } from "../../src/language/catalogues.ts";
import { createStorage } from "../../src/services/storage.ts";
import { english } from "../support/english.ts";

const fetchCatalogue = vi.fn<(locale: Locale, part: Part) => Promise<Messages>>();

/** Imports the modules again with these catalogues; only English is loaded. */
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

/** Catalogues whose texts name their language and part; each promise is settled by the test. */
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
    requested: () => [...settle.keys()],
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

it("shows a language and direction once loaded, and ignores a late one", async () => {
  const { i18n, activateEnglish, activateLocale } = await startLanguage();
  const { arrive } = catalogues();
  const { documentElement: page } = document;
  const [first, second] = [activateLocale("ru"), activateLocale("ar")];
  for (const part of ["ar visitor", "ar app"]) arrive(part);
  await second;
  expect([i18n.locale, page.lang, page.dir]).toEqual(["ar", "ar", "rtl"]);
  for (const part of ["ru visitor", "ru app"]) arrive(part);
  await first;
  expect([i18n.locale, i18n._("visitor")]).toEqual(["ar", "visitor in ar"]);
  await activateLocale("ru");
  expect([i18n.locale, page.lang, page.dir, i18n._("app")]).toEqual(["ru", "ru", "ltr", "app in ru"]);
  activateEnglish();
  expect([i18n.locale, page.lang]).toEqual(["en", "en"]);
});

it("isolates values in right-to-left text, so that they keep their order", async () => {
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

it("keeps the language when another one fails to load", async () => {
  const { i18n, activateLocale } = await startLanguage();
  const { arrive, fail, requested } = catalogues();
  const switching = activateLocale("uk");
  expect(requested()).toEqual(["uk visitor", "uk app"]);
  arrive("uk visitor");
  fail("uk app");
  await expect(switching).rejects.toThrow("Failed to fetch");
  expect([i18n.locale, document.documentElement.lang]).toEqual(["en", "en"]);
});

async function startStore(activate: (locale: Locale) => Promise<void> = async () => {}) {
  const { createLanguageStore } = await startLanguage();
  const storage = createStorage(() => window.localStorage);
  const notices: string[] = [];
  let shown: Locale = "en";
  const store = createLanguageStore({
    storage,
    notifier: { warn: (message) => void notices.push(english(message)) },
    logger: { warn: () => {} },
    activate: (locale) => activate(locale).then(() => void (shown = locale)),
    shown: () => shown,
  });
  return { store, storage, notices };
}
const browserSpeaks = (language: string) => vi.spyOn(navigator, "languages", "get").mockReturnValue([language]);

it("remembers a visitor's choice until a user saves it; default is the browser", async () => {
  const { store, storage } = await startStore();
  await store.choose("ru", "visitor");
  expect([store.get(), store.ofVisitor()]).toEqual(["ru", "ru"]);
  expect((await startStore()).store.ofVisitor()).toEqual("ru");
  await store.choose("ru", "user");
  expect([store.get(), store.ofVisitor()]).toEqual(["ru", null]);
  browserSpeaks("es-MX");
  await store.choose(null, "user");
  expect([store.get(), storage.get("leadloom_language")]).toEqual(["es", null]);
});

it("shows the language that another tab has set, without setting it again", async () => {
  const { store, storage } = await startStore();
  const setElsewhere = (newValue: string | null) => {
    if (newValue === null) storage.remove("leadloom_language");
    else storage.set("leadloom_language", newValue);
    window.dispatchEvent(new StorageEvent("storage", { key: "leadloom_language", newValue }));
  };
  setElsewhere("ru");
  await vi.waitFor(() => expect(store.get()).toEqual("ru"));
  browserSpeaks("es-MX");
  setElsewhere(null);
  await vi.waitFor(() => expect(store.get()).toEqual("es"));
  expect(storage.get("leadloom_language")).toBeNull();
});

it("shows the choice at once, and reverts it when it cannot be loaded", async () => {
  const { store, notices } = await startStore(() => Promise.reject(new TypeError("Failed to fetch")));
  const shown: Locale[] = [];
  store.subscribe(() => shown.push(store.get()));
  await store.choose("ru", "visitor");
  expect([shown, store.ofVisitor()]).toEqual([["ru", "en"], null]);
  expect(notices).toEqual(["The language could not be loaded. Check your connection and try again."]);
});
