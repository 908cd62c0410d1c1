import { t } from "@lingui/core/macro";
import { Session } from "../../machines/session/session.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { RouteProblem } from "./RouteProblem.tsx";

/** Replaces a guarded screen while access is unknown; the address stays. */
export function UncheckedView() {
  const sendSession = Session.useSend();
  return (
    <main>
      <RouteProblem
        title={t`Your subscription could not be checked`}
        onRetry={() => sendSession({ type: "reading.retry" })}
        actions={
          <Button variant="ghost" onClick={() => sendSession({ type: "session.end" })}>
            {t`Log out`}
          </Button>
        }
      >
        {t`The server gave no answer. Nothing has changed, and this page opens once your subscription is known.`}
      </RouteProblem>
    </main>
  );
}
