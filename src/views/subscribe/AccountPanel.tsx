import { t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";
import { Account } from "../../machines/account/account.machine.ts";
import { Session, selectEmail } from "../../machines/session/session.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Row, Stack, Text } from "../../ui/layout.tsx";
import { FormProblem, submitting } from "../../ui/form.tsx";
import { TextField } from "../../ui/Field.tsx";

/** Exports the account's data, and deletes the account. */
export function AccountPanel() {
  const [account, send] = Account.use();
  return (
    <Stack as={Card} gap={4} aria-labelledby="account-title">
      <h2 id="account-title">{t`Your account`}</h2>
      {account.matches("awaitingConfirmation") || account.matches("deleting") ? (
        <DeletionForm />
      ) : (
        <>
          <Text tone="muted">
            {t`Everything that is stored of you and your leads, as one JSON file for your records. For spreadsheets, or to move to another Leadloom, take the zip below.`}
          </Text>
          <FormProblem>{account.context.problem}</FormProblem>
          <Row wraps gap={2}>
            <Button
              isPending={account.matches("exporting")}
              isAriaDisabled={!account.can({ type: "export.request" })}
              onClick={() => send({ type: "export.request" })}
            >
              {t`Export my data`}
            </Button>
            <Button
              variant="ghost"
              disabled={!account.can({ type: "deletion.open" })}
              onClick={() => send({ type: "deletion.open" })}
            >
              {t`Delete account…`}
            </Button>
          </Row>
        </>
      )}
    </Stack>
  );
}

function DeletionForm() {
  const email = Session.useSelector(selectEmail);
  const [account, send] = Account.use();
  const isDeleting = account.matches("deleting");
  const confirmation = useRef<HTMLFormElement>(null);
  useEffect(() => confirmation.current?.querySelector("input")?.focus(), []);

  const submit = submitting((text) =>
    send({ type: "deletion.confirm", email: text("confirmation"), password: text("password") }),
  );

  return (
    <Stack as="form" max="26rem" gap={4} ref={confirmation} onSubmit={submit}>
      <p>
        {t`This deletes your leads, messages, media and settings, and ends the Telegram connection. Nobody can bring them back.`}
      </p>
      <TextField
        label={t`Your email, to confirm`}
        name="confirmation"
        autoComplete="off"
        required
        description={email === null ? t`Type your email` : t`Type ${email}`}
      />
      <TextField label={t`Your password`} name="password" type="password" autoComplete="current-password" required />
      <FormProblem>{account.context.problem}</FormProblem>
      <Row wraps gap={2}>
        <Button type="submit" variant="danger" isPending={isDeleting}>
          {t`Delete account for good`}
        </Button>
        <Button variant="ghost" disabled={isDeleting} onClick={() => send({ type: "deletion.cancel" })}>
          {t`Keep my account`}
        </Button>
      </Row>
    </Stack>
  );
}
