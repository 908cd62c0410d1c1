import { kb, line } from "./report.ts";
import { BUDGETS, KB, weighWeb } from "./sizes.ts";

/** What the first visits are to weigh; the gate that `npm test` holds lies above. */
const AIMS = { login: 100 * KB, leads: 124 * KB };

/** Prints what each screen's code weighs after gzip. */
export function reportSizes(): void {
  const { login, leads, css, charts, board, extras, heaviest } = weighWeb();
  const bytes = (what: string, size: number, most: number, cause = "") =>
    line(what, kb(size), { words: kb(most), isKept: size <= most, cause });
  console.log("JS and CSS after gzip");
  bytes("login screen", login, AIMS.login, heaviest.login);
  bytes("leads list", leads, AIMS.leads, heaviest.leads);
  for (const [route, size] of Object.entries(extras))
    if (size > KB / 4) bytes(`${route}, beside the list's`, size, BUDGETS.routeExtra);
  bytes("board", board, BUDGETS.board);
  bytes("charts", charts, BUDGETS.charts);
  bytes("all CSS", css, BUDGETS.css);
}
