import LoginRoute from "./routes/login.tsx";
import type { ScreenPath } from "./routing.ts";
import { type ScreenLoader, createScreenLoader, presentScreen } from "./screen-loader.ts";

export type Screen = ScreenLoader & { title: string };

const screen = (title: string, loader: ScreenLoader): Screen => ({ title, ...loader });

/** Every screen with its title and the way to its code. Login is in the first bundle: it saves that visit a round trip. */
export const screens: Record<ScreenPath, Screen> = {
  "/login": screen("Log in", presentScreen(LoginRoute)),
  "/signup": screen(
    "Sign up",
    createScreenLoader(() => import("./routes/signup.tsx")),
  ),
  "/forgot-password": screen(
    "Forgot password",
    createScreenLoader(() => import("./routes/forgot-password.tsx")),
  ),
  "/reset-password": screen(
    "New password",
    createScreenLoader(() => import("./routes/reset-password.tsx")),
  ),
  "/billing/success": screen(
    "Finalizing",
    createScreenLoader(() => import("./routes/finalizing.tsx")),
  ),
  "/subscribe": screen(
    "Billing",
    createScreenLoader(() => import("./routes/subscribe.tsx")),
  ),
  "/dashboard": screen(
    "Dashboard",
    createScreenLoader(() => import("./routes/dashboard.tsx")),
  ),
  "/leads": screen(
    "Leads",
    createScreenLoader(() => import("./routes/leads.tsx")),
  ),
  "/stages": screen(
    "Manage Stages",
    createScreenLoader(() => import("./routes/stages.tsx")),
  ),
  "/followups": screen(
    "Follow-up Settings",
    createScreenLoader(() => import("./routes/followups.tsx")),
  ),
  "/reminders": screen(
    "Reminder Rules",
    createScreenLoader(() => import("./routes/reminders.tsx")),
  ),
  "/bulk-message": screen(
    "Bulk Message",
    createScreenLoader(() => import("./routes/bulk-message.tsx")),
  ),
  "/stats": screen(
    "Stats",
    createScreenLoader(() => import("./routes/stats.tsx")),
  ),
  "/connect-telegram": screen(
    "Connect Telegram",
    createScreenLoader(() => import("./routes/connect-telegram.tsx")),
  ),
};
