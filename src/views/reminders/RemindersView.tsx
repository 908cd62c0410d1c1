import { t } from "@lingui/core/macro";
import { BellRing } from "lucide-react";
import { Reminders } from "../../machines/reminders/reminders.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { ReminderForm } from "./ReminderForm.tsx";
import { ReminderItem } from "./ReminderItem.tsx";
import { Box, Grid, Note, Stack } from "../../ui/layout.tsx";
import css from "./RemindersView.module.css";

export function RemindersView() {
  return (
    <>
      <PageHeader
        title={t`Reminder Rules`}
        subtitle={t`Be told in a Telegram channel when a lead stays in one stage too long.`}
      />
      <Grid min="22rem" align="start" gap={5}>
        <ReminderForm />
        <ReminderList />
      </Grid>
    </>
  );
}

function ReminderList() {
  const [chart, send] = Reminders.use();
  const { reminders } = chart.context;
  const isLoading = chart.matches({ list: "loading" }) || chart.matches({ list: { shown: "refreshing" } });
  const hasFailed = chart.matches({ list: "loadFailed" });
  const isOutdated = chart.matches({ list: { shown: "outdated" } });
  const keepFocus = useFocusKeeper("li");
  return (
    <Box as="section" share="less" aria-labelledby="reminder-rules">
      <h2 id="reminder-rules">{t`Rules`}</h2>
      <Note className={css["status"]} role="status">
        {isLoading && t`Loading reminders...`}
      </Note>
      {(hasFailed || isOutdated) && (
        <Banner tone="bad" actions={<Button onClick={() => send({ type: "reading.retry" })}>{t`Try again`}</Button>}>
          {t`Failed to load reminders`}
        </Banner>
      )}
      {reminders.length > 0 ? (
        <Stack as="ul" gap={3} ref={keepFocus} aria-busy={isLoading}>
          {reminders.map((reminder) => (
            <ReminderItem key={reminder.id} reminder={reminder} />
          ))}
        </Stack>
      ) : (
        !isLoading &&
        !hasFailed && (
          <EmptyState icon={<BellRing />} title={t`No reminders yet`}>
            {t`Name a stage and a channel, and how many days are too many.`}
          </EmptyState>
        )
      )}
    </Box>
  );
}
