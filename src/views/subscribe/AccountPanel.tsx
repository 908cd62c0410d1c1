import { type FormEvent, useEffect, useRef } from "react";
import { Account } from "../../machines/account/account.machine.ts";
import { selectEmail, useSession } from "../../machines/session/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { formText } from "../../ui/form-text.ts";
import css from "./AccountPanel.module.css";

/** The account's data as a file, and its deletion. */
export function AccountPanel() {
  const [account, send] = Account.use();
  return (
    <Card className={css["account"]} aria-labelledby="account-title">
      <h2 id="account-title" className={css["title"]}>
        Your account
      </h2>
      {account.matches("awaitingConfirmation") || account.matches("deleting") ? (
        <DeletionForm />
      ) : (
        <>
          <p className={css["hint"]}>
            Everything that is stored of you and your leads, as one JSON file for your records. For spreadsheets, or to
            move to another Leadloom, take the zip below.
          </p>
          <FormProblem>{account.context.problem}</FormProblem>
          <div className={css["actions"]}>
            <Button
              isPending={account.matches("exporting")}
              isResting={!account.can({ type: "export.request" })}
              onClick={() => send({ type: "export.request" })}
            >
              Export my data
            </Button>
            <Button
              variant="ghost"
              disabled={!account.can({ type: "deletion.open" })}
              onClick={() => send({ type: "deletion.open" })}
            >
              Delete account…
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}

function DeletionForm() {
  const email = useSession(selectEmail);
  const [account, send] = Account.use();
  const isDeleting = account.matches("deleting");
  const confirmation = useRef<HTMLFormElement>(null);
  useEffect(() => confirmation.current?.querySelector("input")?.focus(), []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = formText(event.currentTarget);
    send({ type: "deletion.confirm", email: text("confirmation"), password: text("password") });
  };

  return (
    <form ref={confirmation} className={css["deletion"]} onSubmit={submit}>
      <p>
        This deletes your leads, messages, media and settings, and ends the Telegram connection. Nobody can bring them
        back.
      </p>
      <TextField
        label="Your email, to confirm"
        name="confirmation"
        autoComplete="off"
        required
        description={<>Type {email ?? "your email"}</>}
      />
      <TextField label="Your password" name="password" type="password" autoComplete="current-password" required />
      <FormProblem>{account.context.problem}</FormProblem>
      <div className={css["actions"]}>
        <Button type="submit" variant="danger" isPending={isDeleting}>
          Delete account for good
        </Button>
        <Button variant="ghost" disabled={isDeleting} onClick={() => send({ type: "deletion.cancel" })}>
          Keep my account
        </Button>
      </div>
    </form>
  );
}
