import LoginRoute from "./routes/login.tsx";
import type { ScreenPath } from "./routing.ts";
import { type Loader, type ScreenProps, createLoader, presentLoader } from "./screen-loader.ts";
import type { screensInside } from "./screens-inside.ts";

export type Screen = Loader<ScreenProps> & { title: string };

const screen = (title: string, loader: Loader<ScreenProps>): Screen => ({ title, ...loader });

/** The ways to the screens inside the shell; whoever is likely to need them asks ahead. */
export const loadWaysInside = () => import("./screens-inside.ts");

const inside = (title: string, path: keyof typeof screensInside): Screen =>
  screen(
    title,
    createLoader(async () => (await loadWaysInside()).screensInside[path]()),
  );

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
  "/subscribe": inside("Billing", "/subscribe"),
  "/dashboard": inside("Dashboard", "/dashboard"),
  "/inbox": inside("Inbox", "/inbox"),
  // Its code comes with the shell's own.
  "/leads": screen(
    "Leads",
    createLoader(() => import("./routes/leads.tsx")),
  ),
  "/board": inside("Board", "/board"),
  "/stages": inside("Manage Stages", "/stages"),
  "/followups": inside("Follow-up Settings", "/followups"),
  "/reminders": inside("Reminder Rules", "/reminders"),
  "/snippets": inside("Snippets", "/snippets"),
  "/bulk-message": inside("Bulk Message", "/bulk-message"),
  "/activity": inside("Activity", "/activity"),
  "/stats": inside("Stats", "/stats"),
  "/settings": inside("Settings", "/settings"),
  "/connect-telegram": inside("Connect Telegram", "/connect-telegram"),
};

/** The frame around the screens of someone signed in. */
export const shell = createLoader(() => import("./InShell.tsx"));
