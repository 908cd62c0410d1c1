import { X } from "lucide-react";
import {
  selectIsBusy,
  selectJob,
  selectProblem,
  useSelection,
  useSelectionEvents,
} from "../../machines/selection/index.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { BatchProgress } from "./BatchProgress.tsx";
import css from "./LeadTools.module.css";

/** What is being done to many leads, and why it was not done, where the list is not there to show it. */
export function BatchBanner() {
  const isBusy = useSelection(selectIsBusy);
  const isFollowing = useSelection(selectJob) !== null;
  const problem = useSelection(selectProblem);
  const { clear } = useSelectionEvents();
  if (!(isBusy && isFollowing) && problem === null) return null;
  return (
    <section className={css["banner"]} aria-label="Work on many leads">
      {isBusy && isFollowing && <BatchProgress />}
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      {problem !== null && <IconButton label="Close" icon={<X />} onClick={clear} />}
    </section>
  );
}
