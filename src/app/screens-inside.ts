/**
 * The ways to the code of the screens inside the shell. They name dozens of files, which someone who logs in has no use for:
 * this comes beside the shell's code, and after the leads list.
 */
export const screensInside = {
  "/subscribe": () => import("./routes/subscribe.tsx"),
  "/dashboard": () => import("./routes/dashboard.tsx"),
  "/inbox": () => import("./routes/inbox.tsx"),
  "/board": () => import("./routes/board.tsx"),
  "/stages": () => import("./routes/stages.tsx"),
  "/followups": () => import("./routes/followups.tsx"),
  "/reminders": () => import("./routes/reminders.tsx"),
  "/snippets": () => import("./routes/snippets.tsx"),
  "/bulk-message": () => import("./routes/bulk-message.tsx"),
  "/activity": () => import("./routes/activity.tsx"),
  "/stats": () => import("./routes/stats.tsx"),
  "/settings": () => import("./routes/settings.tsx"),
  "/connect-telegram": () => import("./routes/connect-telegram.tsx"),
};
