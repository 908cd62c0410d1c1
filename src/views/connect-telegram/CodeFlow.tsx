import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import {
  Telegram,
  selectCodeStep,
  selectFieldProblem,
  selectSuggestedPhone,
} from "../../machines/telegram/telegram.machine.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { useFocusBetween } from "../../ui/focus.ts";
import { submitting } from "../../ui/form.tsx";
import type { TextDraft } from "../../machines/kit/page.ts";
import { TextField } from "../../ui/Field.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";

export function CodeFlow({ phoneDraft }: { phoneDraft: TextDraft | undefined }) {
  const step = Telegram.useSelector(selectCodeStep);
  if (step === "code") return <CodeStep />;
  return step === "password" ? <PasswordStep /> : <PhoneStep draft={phoneDraft} />;
}

function PhoneStep({ draft }: { draft: TextDraft | undefined }) {
  const [chart, send] = Telegram.use();
  const isBusy = chart.hasTag("busy");
  const phone = selectSuggestedPhone(chart);
  const [typedBefore] = useState(() => draft?.read()?.text ?? phone);
  const field = useFocusBetween<HTMLInputElement>(isBusy);
  const submit = submitting((text) => {
    if (!isBusy) send({ type: "phone.submit", phone: text("phone") });
  });
  return (
    <Stack max="28rem" as="form" gap={4} onSubmit={submit} noValidate>
      <Text tone="muted">
        <Trans>
          <Badge tone="good">Recommended</Badge> Telegram sends a login code to your app.
        </Trans>
      </Text>
      <TextField
        ref={field}
        label={t`Phone number`}
        name="phone"
        type="tel"
        autoComplete="tel"
        placeholder="+15551234567"
        defaultValue={typedBefore}
        onChange={(event) => draft?.write({ text: event.target.value }, { text: phone })}
        description={t`In international form, with the country's code.`}
        errorMessage={selectFieldProblem(chart)}
      />
      <Row wraps gap={2}>
        <Button type="submit" variant="primary" isPending={isBusy}>
          {t`Send Login Code`}
        </Button>
      </Row>
    </Stack>
  );
}

function CodeStep() {
  const [chart, send] = Telegram.use();
  const isBusy = chart.hasTag("busy");
  const { phone } = chart.context;
  const field = useFocusBetween<HTMLInputElement>(isBusy);
  const submit = submitting((text) => {
    if (!isBusy) send({ type: "code.submit", code: text("code") });
  });
  return (
    <Stack max="28rem" as="form" gap={4} onSubmit={submit} noValidate>
      <TextField
        ref={field}
        label={t`Login code`}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        errorMessage={selectFieldProblem(chart)}
        description={
          phone === "" ? (
            t`Sent to the Telegram app of your phone.`
          ) : (
            <Trans>
              Sent to the Telegram app of <bdi dir="ltr">{phone}</bdi>.
            </Trans>
          )
        }
      />
      <Row wraps gap={2}>
        <Button type="submit" variant="primary" isPending={isBusy}>
          {t`Confirm Code`}
        </Button>
        <RestartButton />
      </Row>
    </Stack>
  );
}

function PasswordStep() {
  return <PasswordForm lead={t`This account is protected by a two-step password.`} secondary={<RestartButton />} />;
}

function RestartButton() {
  const [chart, send] = Telegram.use();
  return (
    <Button variant="ghost" onClick={() => send({ type: "login.restart" })} disabled={chart.hasTag("busy")}>
      {t`Use another phone number`}
    </Button>
  );
}

/** Asks for the account's two-step password, which both login methods may require. */
export function PasswordForm({ lead, secondary }: { lead: string; secondary: React.ReactNode }) {
  const [chart, send] = Telegram.use();
  const isBusy = chart.hasTag("busy");
  const hint = chart.context.passwordHint;
  const field = useFocusBetween<HTMLInputElement>(isBusy);
  const submit = submitting((text) => {
    if (!isBusy) send({ type: "password.submit", password: text("password") });
  });
  return (
    <Stack max="28rem" as="form" gap={4} onSubmit={submit} noValidate>
      <Text tone="muted">{lead}</Text>
      <TextField
        ref={field}
        label={t`Telegram password`}
        name="password"
        type="password"
        autoComplete="off"
        errorMessage={selectFieldProblem(chart)}
        description={hint === null ? undefined : <>{t`Your hint: ${hint}`}</>}
      />
      <Row wraps gap={2}>
        <Button type="submit" variant="primary" isPending={isBusy}>
          {t({ message: "Confirm Password", context: "button" })}
        </Button>
        {secondary}
      </Row>
    </Stack>
  );
}
