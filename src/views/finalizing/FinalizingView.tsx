import { useLingui } from "@lingui/react/macro";
import { Spinner } from "../../ui/Loading.tsx";
import { Stack } from "../../ui/layout.tsx";
import css from "./FinalizingView.module.css";

export function FinalizingView() {
  const { t } = useLingui();
  return (
    <Stack as="main" justify="center" pad={5} className={css["finalizing"]}>
      <Stack justify="center" gap={3} tone="muted" role="status">
        <h1 tabIndex={-1} className={css["title"]}>
          {t`🎉 Finalizing your subscription...`}
        </h1>
        <p>{t`This will only take a moment.`}</p>
        <Spinner />
      </Stack>
    </Stack>
  );
}
