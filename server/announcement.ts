import type { Config } from "./core/config.ts";

/** Returns the lines that a process prints once it has started: its parts and its address. */
export function announcement(config: Config, isWebBuilt: boolean): string[] {
  const { database, auth, telegram, billing } = config;
  const parts = [
    `database   ${database.kind === "pglite" ? `embedded Postgres in ${database.dataDir}` : "Postgres (DATABASE_URL)"}`,
    `sign-in    ${auth.kind === "embedded" ? `embedded, ${auth.smtpUrl === null ? "no e-mail confirmation" : "e-mail by SMTP_URL"}` : `Supabase at ${auth.url}`}`,
    `Telegram   ${telegram.kind === "sandbox" ? "simulated" : "the real network"}`,
    `cards      ${billing.kind === "sandbox" ? "simulated" : "Stripe"}`,
  ];
  if (config.role === "worker") return [...parts, "worker is running"];
  const hasSandbox = telegram.kind === "sandbox" || billing.kind === "sandbox";
  return [
    ...parts,
    ...(hasSandbox ? [`sandbox: ${config.publicUrl}/sandbox`] : []),
    ...(isWebBuilt ? [] : ["the browser code is not built: run npm run build, or npm run dev"]),
    `open ${config.publicUrl}`,
  ];
}
