import LoginRoute from "./routes/login.tsx";
import type { ScreenPath } from "./routing.ts";
import { type Loader, type ScreenProps, createLoader, presentLoader } from "./screen-loader.ts";

export type Screen = Loader<ScreenProps> & { title: string };

const screen = (title: string, loader: Loader<ScreenProps>): Screen => ({ title, ...loader });

/** Every screen with its title and the way to its code. Login is in the first bundle: it saves that visit a round trip. */
export const screens: Record<ScreenPath, Screen> = {
  "/login": screen("Log in", presentLoader(LoginRoute)),
  "/signup": screen(
    "Sign up",
    createLoader(() => import("./routes/signup.tsx")),
  ),
  "/forgot-password": screen(
    "Forgot password",
    createLoader(() => import("./routes/forgot-password.tsx")),
  ),
  "/reset-password": screen(
    "New password",
    createLoader(() => import("./routes/reset-password.tsx")),
  ),
  "/billing/success": screen(
    "Finalizing",
    createLoader(() => import("./routes/finalizing.tsx")),
  ),
  "/subscribe": screen(
    "Billing",
    createLoader(() => import("./routes/subscribe.tsx")),
  ),
  "/dashboard": screen(
    "Dashboard",
    createLoader(() => import("./routes/dashboard.tsx")),
  ),
  "/inbox": screen(
    "Inbox",
    createLoader(() => import("./routes/inbox.tsx")),
  ),
  "/leads": screen(
    "Leads",
    createLoader(() => import("./routes/leads.tsx")),
  ),
  "/board": screen(
    "Board",
    createLoader(() => import("./routes/board.tsx")),
  ),
  "/stages": screen(
    "Manage Stages",
    createLoader(() => import("./routes/stages.tsx")),
  ),
  "/followups": screen(
    "Follow-up Settings",
    createLoader(() => import("./routes/followups.tsx")),
  ),
  "/reminders": screen(
    "Reminder Rules",
    createLoader(() => import("./routes/reminders.tsx")),
  ),
  "/snippets": screen(
    "Snippets",
    createLoader(() => import("./routes/snippets.tsx")),
  ),
  "/bulk-message": screen(
    "Bulk Message",
    createLoader(() => import("./routes/bulk-message.tsx")),
  ),
  "/activity": screen(
    "Activity",
    createLoader(() => import("./routes/activity.tsx")),
  ),
  "/stats": screen(
    "Stats",
    createLoader(() => import("./routes/stats.tsx")),
  ),
  "/settings": screen(
    "Settings",
    createLoader(() => import("./routes/settings.tsx")),
  ),
  "/connect-telegram": screen(
    "Connect Telegram",
    createLoader(() => import("./routes/connect-telegram.tsx")),
  ),
};

/** The frame around the screens of someone signed in. */
export const shell = createLoader(() => import("./InShell.tsx"));
