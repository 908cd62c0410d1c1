import {
  selectIsLoading,
  selectIsOn,
  selectIsStarting,
  selectIsUnread,
  selectProblem,
  selectReview,
  useCanDryRun,
  useDryRun,
  useDryRunEvents,
} from "../../machines/dry-run/index.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Switch } from "../../ui/Switch.tsx";

/** Switches the dry run on; off leads over what it would have sent, which the banner shows. */
export function DryRunSwitch() {
  const isOn = useDryRun(selectIsOn);
  const isLoading = useDryRun(selectIsLoading);
  const isUnread = useDryRun(selectIsUnread);
  const isStarting = useDryRun(selectIsStarting);
  const review = useDryRun(selectReview);
  const problem = useDryRun(selectProblem);
  const canStart = useCanDryRun({ type: "dryRun.start" });
  const canLeave = useCanDryRun({ type: "dryRun.leave" });
  const { retry, start, leave } = useDryRunEvents();
  if (isLoading) return <Skeleton height="2.5rem" />;
  if (isUnread) return <NotRead what="whether it is a dry run" onRetry={retry} />;
  if (isOn === null) return null;
  return (
    <>
      <Switch
        label="Dry run"
        description={
          review === null
            ? "Automatic messages are decided and written down, and none leaves. Messages that you send yourself go out."
            : "Look at the top of the page: what would have gone out stands there, with the way to send from now on."
        }
        checked={isOn || isStarting}
        aria-disabled={(!canStart && !canLeave) || undefined}
        onChange={isOn ? leave : start}
      />
      {problem !== null && !isOn && <FormProblem>{problem}</FormProblem>}
    </>
  );
}
