import { IMPORT_MAX_DAYS } from "../../../domain/chat-import.ts";
import {
  ChatImportProvider,
  type createChatImport,
  endWords,
  pauseWords,
  progressWords,
  selectForm,
  selectIsCancelling,
  selectIsLoading,
  selectIsRunning,
  selectIsStarting,
  selectUnread,
  useCanChatImport,
  useChatImport,
  useChatImportEvents,
} from "../../machines/chat-import/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { handFocusOn } from "../../ui/focus.ts";
import { NotRead } from "../../ui/NotRead.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Switch } from "../../ui/Switch.tsx";
import css from "./ChatImportCard.module.css";

export type ChatImportLogic = ReturnType<typeof createChatImport>;

/** Offers to read existing chats into leads, and shows how far that is. */
export function ChatImportCard({ logic }: { logic: ChatImportLogic }) {
  return (
    <ChatImportProvider logic={logic}>
      <Card className={css["card"]}>
        <h2 className={css["title"]}>Import existing chats</h2>
        <ChatImportParts />
      </Card>
    </ChatImportProvider>
  );
}

export function ChatImportParts() {
  const isLoading = useChatImport(selectIsLoading);
  const unread = useChatImport(selectUnread);
  const isRunning = useChatImport(selectIsRunning);
  const { retry } = useChatImportEvents();
  if (isLoading) return <Skeleton height="5rem" />;
  if (unread !== null) return <NotRead what={unread} onRetry={retry} />;
  return isRunning ? <Progress /> : <Order />;
}

function Order() {
  const { days, includesContacts, job, problem } = useChatImport(selectForm);
  const isStarting = useChatImport(selectIsStarting);
  const canStart = useCanChatImport({ type: "import.start" });
  const { changeDays, changeContacts, start } = useChatImportEvents();
  const ended = endWords(job);
  return (
    <>
      <p className={css["hint"]}>
        People who wrote to you become leads with their true dates. Nothing is sent and nothing is marked as read;
        follow-ups that would be overdue wait for your word.
      </p>
      <form
        className={css["form"]}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <NumberField
          label="Days to look back"
          min={1}
          max={IMPORT_MAX_DAYS}
          step={1}
          readOnly={isStarting}
          value={days}
          errorMessage={problem}
          onChange={(event) => changeDays(event.target.value)}
        />
        <Switch
          label="Include people in my contacts"
          checked={includesContacts}
          disabled={isStarting}
          onChange={(event) => changeContacts(event.target.checked)}
        />
        <Button ref={handFocusOn} type="submit" isPending={isStarting} isResting={!canStart && !isStarting}>
          {isStarting ? "Starting..." : "Import chats"}
        </Button>
      </form>
      {ended !== null && (
        <p className={css["hint"]} role="status">
          {ended}
        </p>
      )}
    </>
  );
}

function Progress() {
  const { job, problem, isBehind } = useChatImport(selectForm);
  const isCancelling = useChatImport(selectIsCancelling);
  const { cancel } = useChatImportEvents();
  if (job === null) return null;
  const pause = pauseWords(job);
  return (
    <>
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      <p role="status">{pause ?? "Your chats are being read. You can leave this page; the import goes on."}</p>
      {pause === null && <progress className={css["bar"]} aria-label="Import of existing chats" />}
      <p className={css["hint"]}>{progressWords(job)}</p>
      {isBehind && <p className={css["hint"]}>The progress could not be read just now; it is asked for again.</p>}
      <Button ref={handFocusOn} onClick={cancel} isPending={isCancelling}>
        {isCancelling ? "Cancelling..." : "Cancel import"}
      </Button>
    </>
  );
}
