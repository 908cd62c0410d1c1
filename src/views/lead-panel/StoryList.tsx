import { useMemo } from "react";
import type { Stage } from "../../../domain/stage.ts";
import { momentText } from "../../machines/kit/format.ts";
import {
  lineOf,
  selectIsLoading,
  selectIsUnread,
  selectItems,
  selectOlder,
  selectOutdated,
  selectUnread,
  useCanStory,
  useStory,
  useStoryEvents,
} from "../../machines/story/index.ts";
import { Button } from "../../ui/Button.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import css from "./StoryList.module.css";

/** What happened to the lead, newest first: who or what did it, and the word that moved it. */
export function StoryList({ stages }: { stages: readonly Stage[] }) {
  const items = useStory(selectItems);
  const isLoading = useStory(selectIsLoading);
  const unread = useStory(selectUnread);
  const isUnread = useStory(selectIsUnread);
  const outdated = useStory(selectOutdated);
  const older = useStory(selectOlder);
  const canLoad = useCanStory({ type: "older.load" });
  const { retry, loadOlder } = useStoryEvents();
  const names = useMemo(() => new Map(stages.map(({ id, name }) => [id, name])), [stages]);
  if (isLoading) return <Skeleton height="6rem" />;
  if (isUnread) return <NotRead what={unread ?? "the story"} onRetry={retry} />;
  return (
    <>
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retry} />}
      {items.length === 0 && <p className={css["by"]}>Nothing has happened yet.</p>}
      <ol className={css["story"]}>
        {items.map((item) => {
          const { title, detail, quote, by } = lineOf(item, (id) => names.get(id) ?? null);
          return (
            <li key={item.id} className={css["item"]} data-type={item.type} data-state={item.state ?? undefined}>
              <p className={css["title"]} dir="auto">
                {title}
              </p>
              {(detail !== null || quote !== null) && (
                <p className={css["detail"]} dir="auto">
                  {detail} {quote !== null && <q>{quote}</q>}
                </p>
              )}
              <p className={css["by"]}>
                <bdi>{by}</bdi> · <time dateTime={item.at}>{momentText(item.at)}</time>
              </p>
            </li>
          );
        })}
      </ol>
      {older === "failed" && <p role="alert">Older parts could not be read.</p>}
      {(canLoad || older === "loading") && (
        <Button variant="ghost" size="small" isPending={older === "loading"} onClick={loadOlder}>
          {older === "failed" ? "Load older again" : "Show older"}
        </Button>
      )}
    </>
  );
}
