import type { Browser, Page } from "@playwright/test";
import type { Seen } from "./probe.ts";
import { describeFrames, line, median, ms, spread } from "./report.ts";
import { PROFILES, type StorageState, inFreshContext, inTime } from "./visit.ts";

/** The budget from a key press to the frame with the people found for the query. */
const LETTER_MS = 50;
/** Queries, typed letter by letter at typing speed. */
const QUERIES = ["zola", "anna s", "ann le", "o'neil"];
const BETWEEN_MS = 120;

/** Measures finding people by name in the palette, letter by letter, in one visit after a first query as a warm-up. */
export async function measurePalette(
  browser: Browser,
  baseURL: string,
  signedIn: StorageState,
  leads: number,
): Promise<void> {
  const [fullSpeed] = PROFILES;
  if (!fullSpeed) throw new Error("There is no profile.");
  const { times, frames } = await inFreshContext(browser, baseURL, fullSpeed, signedIn, async ({ page, network }) => {
    await page.goto("/dashboard");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await network.settled();
    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    await typeWord(page, "bob 100");
    await page.evaluate("{ __bench.tasks.length = __bench.frames.length = 0; undefined; }");
    const typed: number[] = [];
    for (const word of QUERIES) typed.push(...(await typeWord(page, word)));
    const seen = await page.evaluate<Seen>("__bench");
    return { times: typed, frames: seen.frames };
  });
  console.log(`\nPeople in the palette of ${leads} leads, full speed, ${times.length} letters in one visit`);
  line("from a letter to the people it names", spread(times, ms), {
    limit: ms(LETTER_MS),
    isMet: median(times) <= LETTER_MS,
    cause: describeFrames(frames),
  });
}

/** Returns the time of each letter, from the key press to the frame with the people found for it. */
async function typeWord(page: Page, word: string): Promise<number[]> {
  const field = page.getByRole("searchbox").or(page.getByRole("combobox"));
  await field.fill("");
  await page.waitForTimeout(500);
  const times: number[] = [];
  for (let length = 1; length <= word.length; length += 1) {
    const typed = word.slice(0, length);
    await page.evaluate(`{
      const palette = document.querySelector("dialog[open]");
      const isAnswered = () => palette.querySelector("input").value === ${JSON.stringify(typed)}
        && palette.querySelector("[role=status]").textContent !== ""
        && [...palette.querySelectorAll('[role=option][data-key^="person "]')]
          .some((person) => person.textContent.toLowerCase().includes(${JSON.stringify(typed.trim())}));
      __bench.answered = __bench.when(isAnswered).then((end) => end - __bench.input);
      undefined;
    }`);
    await page.keyboard.press((word[length - 1] ?? "").replace(" ", "Space"));
    times.push(await inTime(`the people for '${typed}'`, page.evaluate<number>("__bench.answered")));
    await page.waitForTimeout(BETWEEN_MS);
  }
  return times;
}
