import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import {
  ComboBox as AriaComboBox,
  Button,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from "react-aria-components";
import css from "./ComboBox.module.css";
import fieldCss from "./Field.module.css";

export type ComboBoxItem = { id: string; name: string };

export type ComboBoxProps = {
  label: string;
  description?: ReactNode;
  errorMessage?: string | undefined;
  items: readonly ComboBoxItem[];
  selected: string;
  isDisabled?: boolean;
  onSelect: (id: string) => void;
};

/** A field that narrows a long list down as one types. What is typed and chosen by nobody gives way to what holds. */
export function ComboBox({ label, description, errorMessage, items, selected, isDisabled, onSelect }: ComboBoxProps) {
  return (
    <AriaComboBox
      className={fieldCss["field"] ?? ""}
      defaultItems={items}
      selectedKey={selected}
      isDisabled={isDisabled ?? false}
      isInvalid={errorMessage !== undefined}
      menuTrigger="focus"
      onSelectionChange={(key) => {
        if (key !== null) onSelect(String(key));
      }}
    >
      <Label className={fieldCss["label"] ?? ""}>{label}</Label>
      <div className={css["row"]}>
        <Input className={`${fieldCss["control"] ?? ""} ${css["input"] ?? ""}`} />
        <Button className={css["button"] ?? ""}>
          <ChevronDown size={16} aria-hidden="true" />
        </Button>
      </div>
      {description != null && (
        <Text slot="description" className={fieldCss["description"] ?? ""}>
          {description}
        </Text>
      )}
      <FieldError className={fieldCss["error"] ?? ""}>{errorMessage}</FieldError>
      <Popover className={css["popover"] ?? ""} offset={4}>
        <ListBox<ComboBoxItem>
          className={css["list"] ?? ""}
          renderEmptyState={() => <p className={css["none"]}>Nothing is called like that.</p>}
        >
          {({ id, name }) => (
            <ListBoxItem id={id} textValue={name} className={css["item"] ?? ""}>
              {name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
