import { t } from "@lingui/core/macro";
import { i18n } from "@lingui/core";
import { CalendarDays } from "lucide-react";
import { type ComponentProps, Suspense, lazy, useRef, useState } from "react";
import { loadTexts } from "../../language/activate.ts";
import { readDate, writeDate, readLocalDay, writeLocalDay } from "../../machines/leads/leads.dates.ts";
import { type LeadFilters, isReversed } from "../../machines/leads/leads.filters.ts";
import { Leads } from "../../machines/leads/leads.machine.ts";
import { IconButton } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import css from "./LeadsHead.module.css";

const RangeCalendar = lazy(() =>
  Promise.all([import("../../ui/RangeCalendar.tsx"), loadTexts("inside")]).then(
    ([calendar]) => calendar,
    () => ({ default: CalendarUnavailable }),
  ),
);

/** Date filters as text fields, with a calendar that loads on first use. */
export function DateFilter({ formId }: { formId: string }) {
  const { from, to } = Leads.useSelector((list) => list.context.draft);
  const areRefused = Leads.useSelector((list) => list.context.areDatesRefused);
  const send = Leads.useSend();
  const changeFilter = (change: Partial<LeadFilters>) => send({ type: "filter.change", change });
  const [isOpen, setIsOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const problemOf = (text: string) =>
    areRefused && text.trim() !== "" && readDate(text) === null ? t`Write it as MM/dd/yyyy.` : undefined;
  const common = { form: formId, onChange: changeFilter };

  return (
    <Stack gap={1} className={css["dates"]}>
      <DayField
        side="from"
        label={t`From`}
        placeholder={t`From MM/dd/yyyy`}
        day={from}
        errorMessage={problemOf(from)}
        {...common}
      />
      <DayField
        side="to"
        label={t`To`}
        placeholder={t`To MM/dd/yyyy`}
        day={to}
        errorMessage={problemOf(to) ?? (areRefused && isReversed({ from, to }) ? t`Comes before From.` : undefined)}
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

type DayFieldProps = {
  side: "from" | "to";
  /** As MM/dd/yyyy, or the text as typed. */
  day: string;
  onChange: (change: Partial<LeadFilters>) => void;
} & Pick<ComponentProps<typeof TextField>, "label" | "placeholder" | "errorMessage" | "form">;

/** Shows a day in the page's language, and keeps text as typed. */
function DayField({ side, day, onChange, ...props }: DayFieldProps) {
  const [typed, setTyped] = useState({ text: "", day: "", locale: "" });
  const isTyped = typed.day === day && typed.locale === i18n.locale;
  return (
    <TextField
      isLabelHidden
      autoComplete="off"
      inputMode="text"
      value={isTyped ? typed.text : writeLocalDay(day)}
      onChange={({ target: { value } }) => {
        const read = readLocalDay(value);
        setTyped({ text: value, day: read, locale: i18n.locale });
        onChange({ [side]: read });
      }}
      {...props}
    />
  );
}

/** If the calendar's code fails to load, the list still works without it. */
function CalendarUnavailable() {
  return (
    <Text size="xs" tone="bad" role="alert">
      {t`The calendar could not be loaded. Type the dates instead.`}
    </Text>
  );
}
