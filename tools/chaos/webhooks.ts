// npm run chaos -- webhooks: delivers to 100 receivers that refuse, respond late, redirect or hang, next to one that responds well, and
// kills workers 50 times. WEBHOOK_KILLS changes how often.
import { runWebhooks } from "./webhooks-run.ts";

const print = (line: string) => console.log(`webhooks · ${line}`);
const kills = Number(process.env["WEBHOOK_KILLS"] ?? 50);
const figures = await runWebhooks({ kills, badOwners: 10, webhooksEach: 10, changes: 60 }, print);
console.log(figures ?? "webhooks · no Postgres here: install Debian's postgresql");
const isGood =
  figures !== null && figures.lost + figures.outOfOrder === 0 && figures.besideMs.most <= figures.aloneMs.most + 1_000;
print(
  isGood
    ? "nothing was lost, every lead's events arrived in order, good receivers never waited for bad ones"
    : "FAILED",
);
process.exitCode = isGood ? 0 : 1;
