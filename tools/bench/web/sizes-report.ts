import { kb, line } from "./report.ts";
import { BUDGETS, KB, weighWeb } from "./sizes.ts";

/** Prints the size of each screen's code after gzip. */
export function reportSizes(): void {
  const { login, leads, charts, screens, files } = weighWeb();
  const bytes = (what: string, size: number, most: number, cause = "") =>
    line(what, kb(size), { limit: kb(most), isMet: size <= most, cause });
  console.log("JS and CSS after gzip");
  bytes("login screen", login, BUDGETS.login, files.login);
  bytes("leads list", leads, BUDGETS.leads, files.leads);
  for (const [screen, size] of Object.entries(screens))
    if (size > KB / 4) bytes(`${screen}, on top of the list`, size, BUDGETS.screen);
  bytes("charts", charts, BUDGETS.charts);
}
