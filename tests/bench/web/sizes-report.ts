import { kb, line } from "./report.ts";
import { BUDGETS, KB, weighWeb } from "./sizes.ts";

/** Prints what each screen's code weighs after gzip. */
export function reportSizes(): void {
  const { login, leads, css, charts, board, extras, heaviest } = weighWeb();
  const bytes = (what: string, size: number, most: number, cause = "") =>
    line(what, kb(size), { words: kb(most), isKept: size <= most, cause });
  console.log("JS and CSS after gzip");
  bytes("login screen", login, BUDGETS.login, heaviest.login);
  bytes("leads list", leads, BUDGETS.leads, heaviest.leads);
  for (const [route, size] of Object.entries(extras))
    if (size > KB / 4) bytes(`${route}, beside the list's`, size, BUDGETS.routeExtra);
  bytes("board", board, BUDGETS.board);
  bytes("charts", charts, BUDGETS.charts);
  bytes("all CSS", css, BUDGETS.css);
}
