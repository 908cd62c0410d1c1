import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";
import { AriaLanguage } from "../language/AriaLanguage.tsx";
import segments from "./Segments.module.css";
import css from "./Tabs.module.css";

export type TabItem = { id: string; label: string; content: ReactNode; command?: string; isDisabled?: boolean };

export type TabsProps = {
  label: string;
  items: readonly TabItem[];
  selected: string;
  onSelect: (id: string) => void;
};

/** A row of tabs with one panel; arrow keys move between the enabled ones. */
export function Tabs({ label, items, selected, onSelect }: TabsProps) {
  return (
    <AriaLanguage>
      <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
        <TabList aria-label={label} className={segments["segments"] ?? ""}>
          {items.map(({ id, label: name, command, isDisabled = false }) => (
            <Tab key={id} id={id} data-command={command} isDisabled={isDisabled} className={segments["segment"] ?? ""}>
              {name}
            </Tab>
          ))}
        </TabList>
        {items.map(({ id, content }) => (
          <TabPanel key={id} id={id} className={css["panel"] ?? ""}>
            {content}
          </TabPanel>
        ))}
      </AriaTabs>
    </AriaLanguage>
  );
}
