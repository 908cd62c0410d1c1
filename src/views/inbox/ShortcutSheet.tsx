import { t } from "@lingui/core/macro";
import { translate } from "#language";
import { SHORTCUTS } from "../../commands/keyed.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { Stack } from "../../ui/layout.tsx";
import css from "./InboxView.module.css";

type ShortcutSheetProps = {
  onClose: () => void;
  /** Whether single-key shortcuts are on. */
  areSingleKeysOn: boolean;
  onSingleKeys: (areOn: boolean) => void;
};

/** The list of keyboard shortcuts, as a dialog. */
export default function ShortcutSheet({ onClose, areSingleKeysOn, onSingleKeys }: ShortcutSheetProps) {
  return (
    <Dialog className={css["sheet"]} aria-labelledby="shortcuts" onClose={onClose}>
      <h2 id="shortcuts">{t`Keyboard shortcuts`}</h2>
      <Switch
        label={t`Keys without Ctrl`}
        description={t`When off, only keys with Ctrl and Esc work. The button still opens this list.`}
        checked={areSingleKeysOn}
        onChange={({ target }) => onSingleKeys(target.checked)}
      />
      <Stack as="dl" gap={2} before={4} after={4}>
        {SHORTCUTS.map(({ keys, name }) => (
          <div key={keys} className={css["key"]} data-off={(!areSingleKeysOn && keys.length === 1) || undefined}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{translate(name)}</dd>
          </div>
        ))}
      </Stack>
      <Button variant="primary" onClick={onClose}>
        {t`Close`}
      </Button>
    </Dialog>
  );
}
