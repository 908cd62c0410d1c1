import { defineConfig } from "@playwright/test";
import { chromiumPath, launchArgs } from "./scripts/chromium.mjs";

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./scripts/build.mjs",
  outputDir: "test-results/browser",
  fullyParallel: true,
  workers: 2,
  // Long enough for any machine: what takes longer hangs.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  use: {
    launchOptions: { executablePath: await chromiumPath(), args: launchArgs },
    locale: "en-GB",
    timezoneId: "UTC",
    // A trace takes as long as the test itself: `--trace on` when one has failed.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
