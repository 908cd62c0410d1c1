import { t } from "@lingui/core/macro";
import { translate } from "#language";
import type { Stage } from "../../../domain/stage.ts";
import { momentText } from "../../language/format.ts";
import { Story } from "../../machines/story/story.machine.ts";
import { lineOf } from "../../machines/story/story.texts.ts";
import { Button } from "../../ui/Button.tsx";
import { passFocusToNewRow } from "../../ui/lost-focus.ts";
import { Skeleton } from "../../ui/Loading.tsx";
import { Note, Stack, Text } from "../../ui/layout.tsx";
import css from "./LeadPanel.module.css";
import { ReadProblems } from "../shell/ReadProblems.tsx";

/** The lead's history, newest first: who or what caused each change, and the matched keyword. */
export function StoryList({ stages }: { stages: readonly Stage[] }) {
  const [chart, send] = Story.use();
  const { items } = chart.context;
  const { older } = chart.value;
  const stageName = (id: string) => stages.find((stage) => stage.id === id)?.name ?? null;
  if (chart.matches({ newest: "loading" })) return <Skeleton height="6rem" />;
  if (chart.matches({ newest: "loadFailed" })) return <ReadProblems chart={chart} send={send} />;
  return (
    <>
      <ReadProblems chart={chart} send={send} />
      {items.length === 0 && <Note size="xs">{t`Nothing has happened yet.`}</Note>}
      <Stack as="ol" after={2} gap={3}>
        {items.map((item) => {
          const { title, detail, quote, by } = lineOf(item, stageName);
          return (
            <Stack
              as="li"
              surface="quote"
              key={item.id}
              className={css["item"]}
              data-type={item.type}
              data-state={item.state ?? undefined}
            >
              <Text weight="firm">{translate(title)}</Text>
              {(detail !== null || quote !== null) && (
                <Text clamp={3} size="sm">
                  {detail !== null && translate(detail)} {quote !== null && <q dir="auto">{quote}</q>}
                </Text>
              )}
              <Note size="xs">
                <bdi>{translate(by)}</bdi> · <time dateTime={item.at}>{momentText(item.at)}</time>
              </Note>
            </Stack>
          );
        })}
      </Stack>
      {older === "failed" && <p role="alert">{t`Older parts could not be read.`}</p>}
      {(chart.can({ type: "older.load" }) || older === "loading") && (
        <Button
          ref={passFocusToNewRow}
          variant="ghost"
          size="small"
          isPending={older === "loading"}
          onClick={() => send({ type: "older.load" })}
        >
          {older === "failed" ? t`Load older again` : t`Show older`}
        </Button>
      )}
    </>
  );
}
