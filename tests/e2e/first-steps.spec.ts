import { connectAccount, expect, logIn, test } from "./fixtures.ts";

test("checks off a new user's first steps, and dismisses the rest permanently", async ({
  page,
  subscriber,
  api,
  sandbox,
}) => {
  await logIn(page, subscriber);
  const steps = page.getByRole("region", { name: "First steps", exact: true });
  await expect(steps).toContainText("0 of 5 done");
  await expect(steps.getByRole("link", { name: "Open the sandbox phone", exact: true })).toHaveAttribute(
    "href",
    "/sandbox",
  );
  await steps.getByRole("button", { name: "Add example stages", exact: true }).click();
  await expect(steps).toContainText("1 of 5 done");
  await expect(page.getByRole("region", { name: "Active stages", exact: true })).toContainText("4");
  expect(await api.call("GET", "/stages")).toMatchObject([
    { name: "Initial Contact" },
    { name: "Interested", color: "#2563eb" },
    { name: "Ready to buy", color: "#d97706" },
    { name: "Customer", color: "#16a34a" },
  ]);
  await connectAccount(api, sandbox);
  await expect(steps).toContainText("2 of 5 done");
  await expect(steps.getByRole("link", { name: "Import", exact: true })).toBeVisible();
  await steps.getByRole("button", { name: "Dismiss", exact: true }).click();
  await expect(steps).toBeHidden();
  await page.reload();
  await expect(page.getByRole("region", { name: "Waiting", exact: true })).toBeVisible();
  await expect(steps).toBeHidden();
});
