import { Trans } from "@lingui/react/macro";
import { Spinner } from "../../ui/Loading.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./Shell.module.css";

/** Shown in place of any route until the session check has finished. */
export function CheckingView() {
  return (
    <main className={css["checking"]}>
      <Row as="p" gap={3} tone="muted" role="status">
        <Trans>
          <Spinner />
          Checking subscription...
        </Trans>
      </Row>
    </main>
  );
}
