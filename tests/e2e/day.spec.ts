import { connectAccount, connectByCode, expect, logIn, menuLink, newPhone, receiveLeads, test } from "./fixtures.ts";

const HOUR = 3_600;

test("a newcomer ticks off the first steps, and dismisses the rest for good", async ({
  page,
  subscriber,
  api,
  sandbox,
  shot,
}) => {
  await logIn(page, subscriber);
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps).toContainText("0 of 5 done");
  await expect(steps.getByRole("link", { name: "Open the sandbox phone" })).toHaveAttribute("href", "/sandbox");
  await steps.getByRole("button", { name: "Add example stages" }).click();
  await expect(steps).toContainText("1 of 5 done");
  await expect(page.getByRole("region", { name: "Active stages" })).toContainText("4");
  expect(await api.call("GET", "/stages")).toMatchObject([
    { name: "Initial Contact" },
    { name: "Interested", color: "#2563eb" },
    { name: "Ready to buy", color: "#d97706" },
    { name: "Customer", color: "#16a34a" },
  ]);
  await connectAccount(api, sandbox);
  await expect(steps).toContainText("2 of 5 done");
  await expect(steps.getByRole("link", { name: "Import" })).toBeVisible();
  await shot("first-steps");
  await steps.getByRole("button", { name: "Dismiss" }).click();
  await expect(steps).toBeHidden();
  await page.reload();
  await expect(page.getByRole("region", { name: "Waiting", exact: true })).toBeVisible();
  await expect(steps).toBeHidden();
});

test("the day tells what goes out next, and the activity that it went", async ({
  page,
  person,
  sandbox,
  api,
  shot,
}) => {
  await logIn(page, person);
  const phone = newPhone();
  await sandbox.createAccount({ phone });
  await connectByCode(page, sandbox, phone);
  const [stage] = await api.call<{ id: string }[]>("GET", "/stages");
  const hours = { auto_followup_start_hour: 0, auto_followup_end_hour: 0 };
  await api.call("POST", "/user_settings", { auto_followups_enabled: true, ...hours });
  for (const [order, message] of ["Did you have a look, {name}?", "Shall I call you?"].entries())
    await api.call("POST", "/followups", undefined, {
      stage_id: stage?.id ?? "",
      message,
      followup_order: order,
      delay_hours: order + 2,
    });

  await menuLink(page, "Dashboard").click();
  const planned = page.getByRole("region", { name: "Next 24 hours" });
  await expect(planned).toContainText("Nothing is planned yet");
  await shot("first-run");
  await receiveLeads(api, sandbox, phone, ["Ann"]);
  // Whoever wrote last waits for an answer, and the day hears of them by itself.
  await expect(page.getByRole("region", { name: "Waiting", exact: true })).toContainText("Ann");
  const next = planned.getByRole("link", { name: /Ann/ }).first();
  await expect(next).toContainText("Did you have a look, Ann?");
  const due = await next.getByRole("time").getAttribute("datetime");
  const now = (await sandbox.now()).getTime();
  expect(Math.abs(Date.parse(due ?? "") - now - 2 * HOUR * 1_000)).toBeLessThan(5 * 60_000);
  await shot("next-send");
  await next.click();
  await expect(page).toHaveURL(/\/leads\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: "Ann" }).first()).toBeVisible();
  await page.getByRole("link", { name: "All sends to this person" }).click();
  await expect(page).toHaveURL(/\/activity\?lead_id=[0-9a-f-]{36}$/);

  const left = Math.round((Date.parse(due ?? "") - (await sandbox.now()).getTime()) / 1_000);
  await sandbox.advance(left - 20);
  await sandbox.advance(30);
  await expect
    .poll(async () => (await sandbox.sent(phone)).map(({ text }) => text))
    .toEqual(["Did you have a look, Ann?"]);
  const [sent] = await sandbox.sent(phone);
  expect(Math.abs(Date.parse(sent?.at ?? "") - Date.parse(due ?? ""))).toBeLessThan(60_000);
  const row = page.getByRole("row", { name: /Did you have a look, Ann\?/ });
  await expect(row).toContainText("Sent");
  await shot("sent");
  await page.getByLabel("Kind").selectOption("Bulk message");
  await expect(page.getByText("No message matches these filters")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Kind")).toHaveValue("bulk");
  await page.goBack();
  await expect(row).toContainText("Sent");
});
