import { connectByCode, expect, menuLink, newPhone, rowOf, test } from "./fixtures.ts";

test("goes from sign-up to a delivered follow-up", async ({ page, person, sandbox }) => {
  const phone = newPhone();

  await test.step("sign up", async () => {
    await page.goto("/signup");
    await page.getByLabel("Full Name", { exact: true }).fill(person.name);
    await page.getByLabel("Email", { exact: true }).fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByLabel("Confirm Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Create Account", exact: true }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText("✅ Account created! Check your email to confirm.");
    await dialog.getByRole("button", { name: "OK", exact: true }).click();
    await expect(page).toHaveURL(/\/subscribe$/);
  });

  await test.step("log in again", async () => {
    await page.getByRole("button", { name: "Log out", exact: true }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText("You can log in now.", { exact: true })).toBeVisible();
    await page.getByLabel("Email", { exact: true }).fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page.getByText("🚫 Subscription Required", { exact: true })).toBeVisible();
  });

  await test.step("subscribe and pay", async () => {
    await page.getByRole("button", { name: "Subscribe with Stripe", exact: true }).click();
    await expect(page).toHaveURL(/\/sandbox\/billing\/checkout\//);
    await page.getByRole("button", { name: /^pay/i }).click();
    await expect(page).toHaveURL(/\/subscribe\?from=checkout$/);
    await expect(page.getByText("✅ Subscription Active", { exact: true })).toBeVisible();
  });

  await test.step("connect the Telegram account", async () => {
    await connectByCode(page, sandbox, phone);
    await expect(page.getByText(phone).first()).toBeVisible();
  });

  await test.step("set up a stage and its follow-up", async () => {
    await menuLink(page, "Stages").click();
    await page.getByRole("button", { name: "Add Stage", exact: true }).click();
    const row = page.getByRole("row").last();
    await row.getByRole("textbox", { name: "Name", exact: true }).fill("Interested");
    await row.getByRole("textbox", { name: "Keywords", exact: true }).fill('price, "demo"');
    await page.getByRole("button", { name: "Save Changes", exact: true }).click();
    const saved = page.getByRole("alertdialog");
    await expect(saved).toContainText("✅ Stages saved");
    await saved.getByRole("button", { name: "OK", exact: true }).click();

    await menuLink(page, "Follow-up Settings").click();
    const form = page
      .getByRole("form", { name: "Add New Follow-up", exact: true })
      .or(page.getByRole("region", { name: "Add New Follow-up", exact: true }));
    await form.getByLabel("Stage", { exact: true }).selectOption({ label: "Interested" });
    await form.getByLabel("Message", { exact: true }).fill("Here are our prices. Shall we talk?");
    await form.getByRole("button", { name: "Add Follow-up", exact: true }).click();
    await expect(page.getByText("Follow-up added successfully.", { exact: true })).toBeVisible();
  });

  await test.step("a message arrives; a keyword moves the lead", async () => {
    await menuLink(page, "Leads").click();
    await expect(page.getByText("No leads found for selected filters.", { exact: true })).toBeVisible();
    const { user_id } = await sandbox.receive(
      phone,
      { first_name: "Grace", last_name: "Hopper", username: "grace" },
      "Hi there!",
    );
    await expect(async () => {
      await page.getByRole("button", { name: "Refresh", exact: true }).click();
      await expect(page.getByRole("cell", { name: "Grace Hopper", exact: true })).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(rowOf(page, "Grace Hopper")).toContainText("Initial Contact");
    await sandbox.receive(
      phone,
      { first_name: "Grace", last_name: "Hopper", username: "grace", user_id },
      "What is the PRICE?",
    );
    await expect(async () => {
      await page.getByRole("button", { name: "Refresh", exact: true }).click();
      await expect(rowOf(page, "Grace Hopper")).toContainText("Interested", { timeout: 1_000 });
    }).toPass();
  });

  await test.step("the follow-up is sent and delivered", async () => {
    const row = rowOf(page, "Grace Hopper");
    await row.getByRole("button", { name: "Send Follow-Up", exact: true }).click();
    await expect(row.getByText("Follow-up sent!", { exact: true })).toBeVisible();
    expect((await sandbox.sent(phone)).map(({ text }) => text)).toEqual(["Here are our prices. Shall we talk?"]);
    await page.getByRole("button", { name: "Refresh", exact: true }).click();
    await expect(rowOf(page, "Grace Hopper")).toContainText("1/1");
    await expect(rowOf(page, "Grace Hopper").getByRole("cell", { name: "Yes", exact: true })).toBeVisible();
  });

  await test.step("the statistics count it", async () => {
    await menuLink(page, "Dashboard").click();
    await expect(page.getByText("Subscription: active", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Last lead received", exact: true })).toContainText(
      /just now|(?<!\d)\dm ago/,
    );
  });
});
