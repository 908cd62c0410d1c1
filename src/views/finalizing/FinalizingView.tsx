import { t } from "@lingui/core/macro";
import { Spinner } from "../../ui/Loading.tsx";
import { Stack } from "../../ui/layout.tsx";

export function FinalizingView() {
  return (
    <Stack as="main" justify="center" pad={5} isScreen>
      <Stack justify="center" gap={3} role="status">
        <h1 tabIndex={-1}>{t`🎉 Finalizing your subscription...`}</h1>
        <Stack justify="center" gap={3} tone="muted">
          <p>{t`This will only take a moment.`}</p>
          <Spinner />
        </Stack>
      </Stack>
    </Stack>
  );
}
