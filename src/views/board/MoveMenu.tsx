import { t } from "@lingui/core/macro";
import { useRef } from "react";
import { Menu, MenuItem } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import type { Stage } from "../../../domain/stage.ts";
import { ColorDot } from "../../ui/Badge.tsx";
import { Box, Row } from "../../ui/layout.tsx";
import css from "./MoveMenu.module.css";

export type MoveMenuProps = {
  label: string;
  trigger: HTMLElement;
  stages: readonly Stage[];
  onChoose: (stageId: string) => void;
  onClose: () => void;
};

export default function MoveMenu({ label, trigger, stages, onChoose, onClose }: MoveMenuProps) {
  const triggerRef = useRef(trigger);
  return (
    <Box
      as={Popover}
      aria-label={label}
      surface="raised"
      triggerRef={triggerRef}
      isOpen
      placement="bottom end"
      className={css["popover"] ?? ""}
      onOpenChange={(isOpen: boolean) => {
        if (!isOpen) onClose();
      }}
    >
      <Menu
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened it
        autoFocus="first"
        className={css["menu"] ?? ""}
        onAction={(stageId) => {
          onClose();
          onChoose(String(stageId));
        }}
      >
        {stages.map(({ id, name, color }) => (
          <Row as={MenuItem} gap={2} key={id} id={id} textValue={name ?? ""} className={css["item"] ?? ""}>
            <ColorDot color={color} />
            <bdi>{name || t`Unnamed stage`}</bdi>
          </Row>
        ))}
      </Menu>
    </Box>
  );
}
