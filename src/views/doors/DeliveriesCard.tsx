import { ArrowLeft } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { selectProblemOver } from "../../machines/kit/failed.ts";
import {
  selectHasOlder,
  selectIsEnabling,
  selectIsGone,
  selectIsLoading,
  selectIsTesting,
  selectItems,
  selectOlder,
  selectOutdated,
  selectUnread,
  selectWebhook,
  useCanDeliveries,
  useDeliveries,
  useDeliveriesEvents,
} from "../../machines/webhook-deliveries/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { DeliveryRow } from "./DeliveryRow.tsx";
import css from "./doors.module.css";

/** What one webhook was sent, newest first, and what became of it. */
export function DeliveriesCard() {
  const webhook = useDeliveries(selectWebhook);
  const isLoading = useDeliveries(selectIsLoading);
  const isGone = useDeliveries(selectIsGone);
  const unread = useDeliveries(selectUnread);
  const outdated = useDeliveries(selectOutdated);
  const problem = useDeliveries(selectProblemOver);
  const { retry } = useDeliveriesEvents();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card className={css["card"]}>
      <Link href="/settings#webhooks" className={css["back"] ?? ""}>
        <ArrowLeft size={16} aria-hidden="true" />
        All webhooks
      </Link>
      <h3 ref={heading} tabIndex={-1} className={css["title"]}>
        Deliveries
        {webhook !== null && (
          <>
            {" to "}
            <span className={css["address"]}>{webhook.url}</span>
          </>
        )}
      </h3>
      {isLoading && <Skeleton height="6rem" />}
      {unread !== null && <NotRead what={unread} onRetry={retry} />}
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retry} />}
      {isGone && <p className={css["empty"]}>This webhook was deleted.</p>}
      <Switched />
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      {webhook !== null && <Sent />}
    </Card>
  );
}

/** Why nothing goes there any more, with the way back. */
function Switched() {
  const webhook = useDeliveries(selectWebhook);
  const isEnabling = useDeliveries(selectIsEnabling);
  const canEnable = useCanDeliveries({ type: "webhook.enable" });
  const { enable } = useDeliveriesEvents();
  if (webhook === null || webhook.enabled) return null;
  return (
    <Banner
      tone="warn"
      actions={
        <Button size="small" isPending={isEnabling} isResting={!canEnable && !isEnabling} onClick={enable}>
          Enable again
        </Button>
      }
    >
      {webhook.disabled_reason ?? "You disabled this webhook."} What happens meanwhile is not kept for it.
    </Banner>
  );
}

function Sent() {
  const items = useDeliveries(selectItems);
  const isTesting = useDeliveries(selectIsTesting);
  const canTest = useCanDeliveries({ type: "webhook.test" });
  const { test } = useDeliveriesEvents();
  return (
    <>
      <Button className={css["add"]} isPending={isTesting} isResting={!canTest && !isTesting} onClick={test}>
        Send a test event
      </Button>
      {items.length === 0 ? (
        <p className={css["empty"]}>Nothing yet. A test event shows whether the address answers.</p>
      ) : (
        <ol className={css["list"]} aria-label="Deliveries">
          {items.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ol>
      )}
      <Older />
    </>
  );
}

function Older() {
  const hasOlder = useDeliveries(selectHasOlder);
  const older = useDeliveries(selectOlder);
  const canLoad = useCanDeliveries({ type: "older.load" });
  const { loadOlder } = useDeliveriesEvents();
  if (!hasOlder) return null;
  const isLoading = older === "loading";
  return (
    <div className={css["actions"]}>
      {older === "failed" && (
        <span role="status" className={css["note"]}>
          Older deliveries could not be read.
        </span>
      )}
      <Button size="small" isPending={isLoading} isResting={!canLoad && !isLoading} onClick={loadOlder}>
        {older === "failed" ? "Try older ones again" : "Older"}
      </Button>
    </div>
  );
}
