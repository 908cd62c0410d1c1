import { fromPromise } from "xstate";
import { type UiTextOrString, isUiText } from "../../../domain/ui-text.ts";
import type { Logger } from "./reporting.ts";
import { type FailureText, failureMessage } from "./failed.ts";
import type { Notifier } from "./speaking.ts";

export type WritingPage = { notifier: Pick<Notifier, "toast" | "warn">; logger: Logger };

/** What to say of a write that was answered: good news, or a refusal that came as an output. */
export type News = UiTextOrString | { failed: UiTextOrString };

type Told<Output, Input> = {
  /** Said of a success when nobody waits for it any more; without it, or for null, a success passes in silence. */
  done?: UiTextOrString | ((output: Output, input: Input) => News | null);
  /** Said of a failure when nobody waits for it any more. */
  failed: FailureText | ((error: unknown, input: Input) => FailureText);
};

/**
 * A write as an actor. It gets no signal, so that it goes on to its end when its chart stops or leaves the state; what
 * became of it is then told by the notifier, since no screen is left to show it. While the chart waits, the chart tells.
 */
export const writing = <Output, Input>(
  { notifier, logger }: WritingPage,
  write: (input: Input) => Promise<Output>,
  told: Told<Output, Input>,
) =>
  fromPromise<Output, Input>(({ input, signal }) => {
    const work = write(input);
    work.then(
      (output) => {
        if (!signal.aborted) return;
        const news = typeof told.done === "function" ? told.done(output, input) : told.done;
        if (typeof news === "string" || isUiText(news)) notifier.toast(news);
        else if (news) notifier.warn(news.failed);
      },
      (error: unknown) => {
        if (!signal.aborted) return;
        logger.warn("a write failed after its screen was left", error);
        const text = typeof told.failed === "function" ? told.failed(error, input) : told.failed;
        notifier.warn(failureMessage(error, text));
      },
    );
    return work;
  });
