import { useLingui } from "@lingui/react/macro";
import { CalendarDays } from "lucide-react";
import { Suspense, lazy, useRef, useState } from "react";
import { readDate, writeDate } from "../../machines/leads/leads.dates.ts";
import { type LeadFilters, isReversed } from "../../machines/leads/leads.filters.ts";
import { Leads } from "../../machines/leads/leads.machine.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import css from "./LeadsHead.module.css";

const RangeCalendar = lazy(() => import("../../ui/RangeCalendar.tsx").catch(() => ({ default: CalendarUnavailable })));

/** From and To as typed or pasted text, with a calendar that loads when it is first opened. */
export function DateFilter({ formId }: { formId: string }) {
  const { t } = useLingui();
  const { from, to } = Leads.useSelector((list) => list.context.draft);
  const areRefused = Leads.useSelector((list) => list.context.areDatesRefused);
  const send = Leads.useSend();
  const changeFilter = (change: Partial<LeadFilters>) => send({ type: "filter.change", change });
  const [isOpen, setIsOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const problemOf = (text: string) =>
    areRefused && text.trim() !== "" && readDate(text) === null ? t`Write it as MM/dd/yyyy.` : undefined;
  const common = { isLabelHidden: true, form: formId, autoComplete: "off", inputMode: "text" } as const;

  return (
    <Stack gap={1} className={css["dates"]}>
      <TextField
        label={t`From`}
        placeholder={t`From MM/dd/yyyy`}
        value={from}
        errorMessage={problemOf(from)}
        onChange={(event) => changeFilter({ from: event.target.value })}
        {...common}
      />
      <TextField
        label={t`To`}
        placeholder={t`To MM/dd/yyyy`}
        value={to}
        errorMessage={problemOf(to) ?? (areRefused && isReversed({ from, to }) ? t`Comes before From.` : undefined)}
        onChange={(event) => changeFilter({ to: event.target.value })}
        {...common}
      />
      <IconButton
        ref={trigger}
        label={t`Open calendar`}
        icon={<CalendarDays />}
        className={css["calendar"]}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <RangeCalendar
            label={t`Dates`}
            triggerRef={trigger}
            range={{ start: readDate(from), end: readDate(to) }}
            onRange={({ start, end }) => {
              changeFilter({ from: writeDate(start), to: writeDate(end) });
              setIsOpen(false);
            }}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </Stack>
  );
}

/** Without its code the calendar is a help less, never a reason to lose the list. */
function CalendarUnavailable() {
  const { t } = useLingui();
  return (
    <Text size="xs" tone="bad" role="alert">
      {t`The calendar could not be loaded. Type the dates instead.`}
    </Text>
  );
}
