import { msg } from "@lingui/core/runtime-macro";
import type { ComponentType } from "react";
import type { UiText } from "../../../domain/ui-text.ts";
import { loadTexts } from "../../language/activate.ts";
import { rangeOf } from "../../machines/stats/stats.period.ts";
import { leadsAddresses } from "../../services/addresses.ts";
import LoginRoute from "../routes/login.tsx";
import type { Services } from "../services.ts";
import { type Loadable, createLoadable, createLoaded, withTextsInside } from "./loadable.tsx";

/** Who may see a screen: anyone, only someone signed out, signed in, or signed in with a subscription. */
type Audience = "anyone" | "signedOut" | "signedIn" | "subscribed";

type ScreenProps = { services: Services };

type Facts = {
  title: UiText;
  audience: Audience;
  /** The addresses that the screen reads first, exactly as it requests them. */
  firstReads?: (services: Services) => readonly string[];
};

export type Screen = Facts & { code: Loadable<ScreenProps> };

type Load = { load: () => Promise<{ default: ComponentType<ScreenProps> }> };

const screen = ({ load, ...facts }: Facts & Load): Screen => ({
  ...facts,
  code: createLoadable(load, { isScreen: true }),
});

/** A screen in the shell. Its texts load together with its code. */
const inside = ({ load, ...facts }: Facts & Load): Screen => screen({ ...facts, load: () => withTextsInside(load) });

/** Every screen by its path, in the order in which their code is prefetched. */
export const screens = {
  // In the entry chunk: a visit to the login needs one round trip less.
  "/login": { title: msg`Log in`, audience: "signedOut", code: createLoaded(LoginRoute) } satisfies Screen,
  "/signup": screen({ title: msg`Sign up`, audience: "signedOut", load: () => import("../routes/signup.tsx") }),
  "/forgot-password": screen({
    title: msg`Forgot password`,
    audience: "anyone",
    load: () => import("../routes/forgot-password.tsx"),
  }),
  "/reset-password": screen({
    title: msg`New password`,
    audience: "anyone",
    load: () => import("../routes/reset-password.tsx"),
  }),
  "/billing/success": screen({
    title: msg`Finalizing`,
    audience: "anyone",
    load: () => import("../routes/finalizing.tsx"),
  }),
  "/leads": screen({
    title: msg`Leads`,
    audience: "subscribed",
    // In the same chunk as the shell.
    load: () => import("../routes/leads.tsx"),
    firstReads: leadsAddresses,
  }),
  "/inbox": inside({ title: msg`Inbox`, audience: "subscribed", load: () => import("../routes/inbox.tsx") }),
  "/dashboard": inside({
    title: msg`Dashboard`,
    audience: "subscribed",
    load: () => import("../routes/dashboard.tsx"),
  }),
  "/stages": inside({
    title: msg`Manage Stages`,
    audience: "subscribed",
    load: () => import("../routes/stages.tsx"),
    firstReads: () => ["/api/stages"],
  }),
  "/followups": inside({
    title: msg`Follow-up Settings`,
    audience: "subscribed",
    load: () => import("../routes/followups.tsx"),
    firstReads: () => [
      "/api/followups",
      "/api/stages",
      "/api/user_settings",
      "/api/followups/overdue",
      "/api/followups/results",
      "/api/settings",
    ],
  }),
  "/stats": inside({
    title: msg`Stats`,
    audience: "subscribed",
    load: () => import("../routes/stats.tsx"),
    firstReads({ clock }) {
      const range = rangeOf({ name: "7d", start: "", end: "" }, clock.now());
      if (range === null) return [];
      const { start, end } = range;
      const figures = ["volume", "total", "stage-breakdown", "funnel"];
      return [
        "/api/stages",
        ...figures.map((figure) => `/api/stats/${figure}?start=${start}&end=${end}`),
        `/api/followups/results?from=${start}&to=${end}`,
      ];
    },
  }),
  "/connect-telegram": inside({
    title: msg`Connect Telegram`,
    audience: "subscribed",
    load: () => import("../routes/connect-telegram.tsx"),
    firstReads: () => ["/api/telegram/status"],
  }),
  "/bulk-message": inside({
    title: msg`Bulk Message`,
    audience: "subscribed",
    load: () => import("../routes/bulk-message.tsx"),
  }),
  "/reminders": inside({
    title: msg`Reminder Rules`,
    audience: "subscribed",
    load: () => import("../routes/reminders.tsx"),
    firstReads: () => ["/api/reminders", "/api/stages"],
  }),
  "/snippets": inside({
    title: msg`Snippets`,
    audience: "subscribed",
    load: () => import("../routes/snippets.tsx"),
    firstReads: () => ["/api/snippets"],
  }),
  "/settings": inside({ title: msg`Settings`, audience: "subscribed", load: () => import("../routes/settings.tsx") }),
  "/subscribe": inside({ title: msg`Billing`, audience: "signedIn", load: () => import("../routes/subscribe.tsx") }),
  "/activity": inside({ title: msg`Activity`, audience: "subscribed", load: () => import("../routes/activity.tsx") }),
  "/board": inside({ title: msg`Board`, audience: "subscribed", load: () => import("../routes/board.tsx") }),
};

export type ScreenPath = keyof typeof screens;

export const isScreenPath = (path: string): path is ScreenPath => Object.hasOwn(screens, path);

/** Whether the screen is inside the shell. */
export const isInShell = ({ audience }: Pick<Screen, "audience">): boolean =>
  audience === "subscribed" || audience === "signedIn";

/** The frame around the screens of someone signed in, with the texts inside it. */
export const shell = createLoadable(
  async () => {
    const [module] = await Promise.all([import("../InShell.tsx"), loadTexts("app")]);
    return module;
  },
  { isScreen: true },
);
