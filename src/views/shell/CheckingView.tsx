import { Trans } from "@lingui/react/macro";
import { Spinner } from "../../ui/Loading.tsx";
import { Row, Stack } from "../../ui/layout.tsx";

/** Shown in place of any route until the session check has finished. */
export function CheckingView() {
  return (
    <Stack as="main" isScreen justify="center">
      <Row as="p" gap={3} tone="muted" role="status">
        <Trans>
          <Spinner />
          Checking subscription...
        </Trans>
      </Row>
    </Stack>
  );
}
