import { t } from "@lingui/core/macro";
import type { Exclusion } from "../../../domain/exclusion.ts";
import { selectProblemOf } from "../../machines/kit/writing.ts";
import { dateText } from "../../language/format.ts";
import { Exclusions } from "../../machines/exclusions/exclusions.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Note, Row, Stack, Span } from "../../ui/layout.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/form.tsx";
import { SettingCard } from "./SettingCard.tsx";

/** Excluded people, each with a restore button. */
export function ExclusionsCard() {
  const [chart, send] = Exclusions.use();
  const { people } = chart.context;
  const keepFocus = useFocusKeeper("li");
  return (
    <SettingCard
      title={t`Not leads`}
      intro={<Note>{t`Nothing these people write is stored, and nothing goes out to them.`}</Note>}
      height="3rem"
      chart={chart}
      send={send}
    >
      {people.length === 0 && <Note>{t`Nobody yet. Choose ‘Not a lead’ in a lead’s panel to add someone.`}</Note>}
      <Stack as="ul" ref={keepFocus} scroll="24rem" aria-label={t`Not leads`}>
        {people.map((person) => (
          <Person key={person.telegram_user_id} person={person} />
        ))}
      </Stack>
    </SettingCard>
  );
}

function Person({ person }: { person: Exclusion }) {
  const { telegram_user_id: telegramUserId, name, username, excluded_at: at } = person;
  const [chart, send] = Exclusions.use();
  const restore = { type: "person.restore", telegramUserId } as const;
  const isActive = chart.context.active === telegramUserId;
  const problem = selectProblemOf(telegramUserId)(chart);
  const shown = name ?? (username === null ? t`Telegram user ${telegramUserId}` : `@${username}`);
  return (
    <Row as="li" pad={[1, 0]} wraps gap={2}>
      <Span share="rest">
        <bdi>{shown}</bdi> <Note as="span">{t`since ${{ at: dateText(at) ?? at }}`}</Note>
      </Span>
      <Button
        size="small"
        aria-label={t`Restore ${shown}`}
        isPending={isActive}
        isAriaDisabled={!chart.can(restore)}
        onClick={() => send(restore)}
      >
        {t`Restore`}
      </Button>
      <FormProblem share="line">{problem}</FormProblem>
    </Row>
  );
}
