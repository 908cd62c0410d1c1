import {
  ReadReceiptsProvider,
  type createReadReceipts,
  selectIsLoading,
  selectIsOn,
  selectReceipts,
  selectUnread,
  useCanReadReceipts,
  useReadReceipts,
  useReadReceiptsEvents,
} from "../../machines/read-receipts/index.ts";
import { Card } from "../../ui/Card.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Switch } from "../../ui/Switch.tsx";
import css from "./ReadReceiptsCard.module.css";

/** Lets a person show others that their messages were read. */
export function ReadReceiptsCard({ logic }: { logic: ReturnType<typeof createReadReceipts> }) {
  return (
    <ReadReceiptsProvider logic={logic}>
      <Card className={css["card"]}>
        <h3 className={css["title"]}>Read receipts</h3>
        <ReadReceiptsSwitch />
      </Card>
    </ReadReceiptsProvider>
  );
}

export function ReadReceiptsSwitch() {
  const isLoading = useReadReceipts(selectIsLoading);
  const unread = useReadReceipts(selectUnread);
  const isOn = useReadReceipts(selectIsOn);
  const { problem } = useReadReceipts(selectReceipts);
  const canSwitch = useCanReadReceipts({ type: "receipts.switch" });
  const { retry, flip } = useReadReceiptsEvents();
  if (isLoading) return <Skeleton height="2.5rem" />;
  if (unread !== null) return <NotRead what={unread} onRetry={retry} />;
  return (
    <>
      <Switch
        label="Show people that I have read their messages"
        description="Otherwise Telegram tells them only when you answer."
        checked={isOn}
        aria-disabled={!canSwitch || undefined}
        onChange={flip}
      />
      {problem !== null && <FormProblem>{problem}</FormProblem>}
    </>
  );
}
