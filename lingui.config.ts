import fs from "node:fs";
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";
import { createSwcExtractor } from "@lingui/native-tools";
import { LOCALE_TAGS } from "./domain/locales.ts";

/** Files whose texts are shown before the shell has loaded. Their catalogue comes with the page's first scripts. */
const VISITOR = [
  "domain/sign-in-problems.ts",
  "src/app/App.tsx",
  "src/app/loading",
  "src/app/notifications.tsx",
  "src/machines/finalizing",
  "src/machines/kit",
  "src/machines/leaving",
  "src/machines/login",
  "src/machines/new-password",
  "src/machines/notifications",
  "src/machines/password-link",
  "src/machines/session",
  "src/machines/signup",
  "src/services/auth.ts",
  "src/services/http.ts",
  "src/services/updates.ts",
  "src/ui",
  "src/views/finalizing",
  "src/language/store.ts",
  "src/views/language/LanguageSwitch.tsx",
  "src/views/login",
  "src/views/notifications",
  "src/views/recovery",
  "src/views/shell/AuthLayout.tsx",
  "src/views/shell/Brand.tsx",
  "src/views/shell/CheckingView.tsx",
  "src/views/shell/RouteProblem.tsx",
  "src/views/shell/UncheckedView.tsx",
  "src/views/signup",
];

/** Files whose texts come with the shell and the leads list. Those of every other screen come with the first of them. */
const APP = [
  "src/app/InShell.tsx",
  "src/app/routes/leads.tsx",
  "src/commands/screens.ts",
  "src/language/format.ts",
  "src/language/joining.ts",
  "src/machines/language",
  "src/machines/lead-row",
  "src/machines/leads",
  "src/services/conversation.ts",
  "src/views/conversation/names.ts",
  "src/views/conversation/times.ts",
  "src/views/language",
  "src/views/leads",
  "src/views/shell",
];

/** Files whose texts the server sends: only it translates them. */
const SENT = ["domain/reminder-text.ts"];

const filesOf = (parts: readonly string[]) => parts.map((part) => (/\.tsx?$/.test(part) ? part : `${part}/**`));

export default defineConfig({
  sourceLocale: "en",
  locales: LOCALE_TAGS.filter((locale) => fs.existsSync(`locales/${locale}`)),
  catalogs: [
    { path: "<rootDir>/locales/{locale}/visitor", include: VISITOR },
    { path: "<rootDir>/locales/{locale}/app", include: APP, exclude: filesOf(VISITOR) },
    {
      path: "<rootDir>/locales/{locale}/inside",
      include: ["src", "domain"],
      exclude: filesOf([...VISITOR, ...APP, ...SENT]),
    },
    { path: "<rootDir>/locales/{locale}/server", include: ["server", "sandbox", ...SENT] },
  ],
  format: formatter({ lineNumbers: false }),
  extractors: [createSwcExtractor()],
  experimental: { runtimeMacro: true },
  runtimeConfigModule: { Trans: ["#language", "Trans"] },
});
