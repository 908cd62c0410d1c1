import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";
import { createSwcExtractor } from "@lingui/native-tools";

/** What someone sees who is signed out. These texts come with the page's first scripts, so that they have a catalogue of their own. */
const VISITOR = [
  "src/views/login",
  "src/views/signup",
  "src/views/recovery",
  "src/views/shell/AuthLayout.tsx",
  "src/machines/login",
  "src/machines/signup",
  "src/machines/new-password",
  "src/machines/password-link",
];

export default defineConfig({
  sourceLocale: "en",
  locales: ["en"],
  catalogs: [{ path: "<rootDir>/locales/{locale}/visitor", include: VISITOR }],
  format: formatter({ lineNumbers: false }),
  extractors: [createSwcExtractor()],
  runtimeConfigModule: { useLingui: ["#language", "useLingui"], Trans: ["#language", "Trans"] },
  experimental: { runtimeMacro: true },
});
