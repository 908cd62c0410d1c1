import {
  mcpConfig,
  selectCopied,
  selectMade,
  selectOrigin,
  useApiKey,
  useApiKeyEvents,
  useCanApiKey,
} from "../../machines/api-key/index.ts";
import { Button } from "../../ui/Button.tsx";
import { focusIfLost } from "../../ui/focus.ts";
import css from "./doors.module.css";
import { SecretText } from "./SecretText.tsx";

/** The secret of the key that was created a moment ago, alone and as an assistant's configuration. */
export function NewKey() {
  const made = useApiKey(selectMade);
  const copied = useApiKey(selectCopied);
  const origin = useApiKey(selectOrigin);
  const canCopy = useCanApiKey({ type: "secret.copy", what: "secret" });
  const canDismiss = useCanApiKey({ type: "secret.dismiss" });
  const { copy, dismiss } = useApiKeyEvents();
  if (made === null) return null;
  return (
    <section ref={focusIfLost} tabIndex={-1} className={css["revealed"]} aria-labelledby="new-key">
      <h3 id="new-key" className={css["title"]}>
        Your new key ‘<bdi>{made.name}</bdi>’
      </h3>
      <p>Copy it now. It is shown only this once: we keep no more of it than is needed to recognise it.</p>
      <SecretText
        label="Key"
        text={made.secret}
        outcome={copied["secret"]}
        isResting={!canCopy}
        copyLabel="Copy key"
        onCopy={() => copy("secret")}
      />
      <SecretText
        label="Configuration for an assistant (MCP)"
        description="Goes into the file in which the assistant keeps its servers, the key included."
        text={mcpConfig(origin, made.secret)}
        outcome={copied["config"]}
        isResting={!canCopy}
        copyLabel="Copy configuration"
        onCopy={() => copy("config")}
      />
      <Button variant="primary" className={css["add"]} isResting={!canDismiss} onClick={dismiss}>
        Done
      </Button>
    </section>
  );
}
