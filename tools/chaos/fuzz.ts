// npm run chaos -- fuzz: sends generated requests to every call of the product. No response may be 500 or more, and none may be missing.
// FUZZ_REQUESTS and FUZZ_SEED choose how many and which.
import { runFuzz } from "./fuzz-run.ts";

const print = (line: string) => console.log(`fuzz · ${line}`);
const requests = Number(process.env["FUZZ_REQUESTS"] ?? 20_000);
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 1_000_000);

print(`seed ${seed}`);
const figures = await runFuzz({ requests, seed, print });
for (const failure of figures.failures.slice(0, 50)) console.error(failure);
console.table(figures.statuses);
print(
  `${figures.requests} requests to ${figures.calls} calls in ${figures.seconds} s: ${figures.failures.length} responses of 500 or more, or missing`,
);
process.exitCode = figures.failures.length === 0 && figures.requests >= requests ? 0 : 1;
