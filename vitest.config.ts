import { lingui } from "@lingui/vite-plugin";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Long enough for any machine: what takes longer hangs. */
const HANG_MS = 30_000;
const shared = {
  restoreMocks: true,
  testTimeout: 180_000,
  // Whatever waits, waits for what it asserts.
  expect: { poll: { timeout: HANG_MS, interval: 25 } },
};

const server = {
  ...shared,
  environment: "node",
  setupFiles: ["tests/support/setup-server.ts"],
  hookTimeout: 180_000,
  maxWorkers: 3,
  // Tests open and close their own servers; a process for each file would compile the same code again.
  isolate: false,
  // An embedded Postgres lives for seconds here: optimized compilation would cost more than it gains.
  execArgv: ["--liftoff-only"],
} satisfies UserWorkspaceConfig["test"];

/** Files that take half a minute and more: begun last, they would be the only ones at work. */
const LONG = ["outbox/returning", "processes/kill", "processes/stop", "processes/freeze"];

/** Gateways are held against the API page, which a server writes. */
const GATEWAYS = "tests/services/gateways.test.ts";

/** What the build does with texts. */
const plugins = [lingui({ macroTransform: true })];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          environment: "node",
          include: ["tests/domain/**/*.test.ts", "tests/repository/**/*.test.ts"],
          setupFiles: ["tests/support/equal-texts.ts"],
        },
      },
      {
        plugins,
        test: {
          ...shared,
          name: "model",
          environment: "jsdom",
          include: ["tests/machines/**/*.test.{ts,tsx}"],
          setupFiles: ["tests/support/setup-dom.ts"],
          // Charts and their paths are values: a page and a set of modules for each file would be most of the time.
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          ...shared,
          name: "views",
          environment: "jsdom",
          include: ["tests/views/**/*.test.{ts,tsx}", "tests/services/**/*.test.ts"],
          exclude: [GATEWAYS],
          setupFiles: ["tests/support/setup-dom.ts"],
          // As above. What a test stubs it puts back, and what a page leaves to the next one is that of a reload.
          isolate: false,
          css: { modules: { classNameStrategy: "non-scoped" } },
        },
      },
      {
        test: {
          ...server,
          name: "server",
          include: ["tests/server/**/*.test.ts", GATEWAYS],
          globalSetup: ["tests/support/on-postgres.ts"],
        },
      },
      // What differs between the two databases runs on both.
      {
        test: {
          ...server,
          name: "embedded",
          include: ["tests/server/**/*.both.test.ts"],
          globalSetup: ["tests/support/on-embedded.ts"],
          sequence: { groupOrder: 1 },
        },
      },
      // No part of `npm test`: `npm run chaos -- drills` runs them.
      {
        test: {
          ...server,
          name: "drills",
          include: ["tools/chaos/drills/*.test.ts"],
          globalSetup: ["tests/support/on-postgres.ts"],
          testTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
