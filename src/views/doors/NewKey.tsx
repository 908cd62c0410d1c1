import { ApiKeys } from "../../machines/api-key/api-key.machine.ts";
import { mcpConfig } from "../../machines/api-key/api-key.texts.ts";
import { Button } from "../../ui/Button.tsx";
import { focusIfLost } from "../../ui/focus.ts";
import { Stack } from "../../ui/layout.tsx";
import css from "./doors.module.css";
import { SecretText } from "./SecretText.tsx";

/** The secret of the key that was created a moment ago, alone and as an assistant's configuration. */
export function NewKey() {
  const [chart, send] = ApiKeys.use();
  const { made, copied, origin } = chart.context;
  const copySecret = { type: "secret.copy", what: "secret" } as const;
  const copyConfig = { type: "secret.copy", what: "config" } as const;
  const dismiss = { type: "secret.dismiss" } as const;
  if (made === null) return null;
  return (
    <Stack
      as="section"
      surface="well"
      isPacked
      gap={4}
      pad={4}
      share="less"
      ref={focusIfLost}
      tabIndex={-1}
      className={css["revealed"]}
      aria-labelledby="new-key"
    >
      <h3 id="new-key">
        Your new key ‘<bdi>{made.name}</bdi>’
      </h3>
      <p>Copy it now. It is shown only this once: we keep no more of it than is needed to recognise it.</p>
      <SecretText
        label="Key"
        text={made.secret}
        outcome={copied["secret"]}
        isResting={!chart.can(copySecret)}
        copyLabel="Copy key"
        onCopy={() => send(copySecret)}
      />
      <SecretText
        label="Configuration for an assistant (MCP)"
        description="Goes into the file in which the assistant keeps its servers, the key included."
        text={mcpConfig(origin, made.secret)}
        outcome={copied["config"]}
        isResting={!chart.can(copyConfig)}
        copyLabel="Copy configuration"
        onCopy={() => send(copyConfig)}
      />
      <Button variant="primary" className={css["add"]} isResting={!chart.can(dismiss)} onClick={() => send(dismiss)}>
        Done
      </Button>
    </Stack>
  );
}
