import { msg } from "@lingui/core/runtime-macro";
import { plural, t } from "@lingui/core/macro";
import { Search } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Collection } from "react-aria-components/Collection";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox";
import { SearchField } from "react-aria-components/SearchField";
import { translate, useLocale } from "#language";
import type { Lead } from "../../../domain/lead.ts";
import type { UiText } from "../../../domain/ui-text.ts";
import type { Command } from "../../commands/commands.ts";
import { bestMatches, findCommands, matchRank } from "../../commands/find.ts";
import { Palette, selectFound } from "../../machines/palette/palette.machine.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { VisuallyHidden, Box, Note, Text } from "../../ui/layout.tsx";
import { nameOf } from "../conversation/names.ts";
import css from "./PaletteView.module.css";

const PEOPLE = 8;
/** Maximum number of commands for a query: further ones match only by chance. */
const COMMANDS = 12;

export type PaletteViewProps = {
  /** Whether a command is available now. */
  isOffered: (command: Command) => boolean;
  onCommand: (command: Command) => void;
  onPerson: (leadId: string) => void;
  onClose: () => void;
};

type Item = { id: string; name: string; hint: string; keys: string; choose: () => void };
type SectionId = Command["group"] | "people";
type Section = { id: SectionId; items: Item[] };

const HEADINGS: Record<SectionId, UiText> = {
  here: msg({ message: "Here", comment: "Heading over what can be done on the current screen." }),
  screens: msg`Screens`,
  actions: msg`Actions`,
  people: msg`People`,
};

/** The rank of leads that match by something other than the name. */
const ELSEWHERE = 3;

/** Returns matching leads, best first: the server's results or, until they load, leads from earlier results. */
function peopleFor(typed: string, found: readonly Lead[] | null, known: readonly Lead[]): Lead[] {
  const rankOf = (lead: Lead) => matchRank(nameOf(lead), typed, lead.username ?? "");
  const named = bestMatches(found ?? [], (lead) => rankOf(lead) ?? ELSEWHERE);
  const rest = bestMatches(known, rankOf).filter(({ id }) => !named.some((lead) => lead.id === id));
  return [...named, ...rest].slice(0, PEOPLE);
}

/** One field for leads, screens and commands; arrows and Enter choose. */
export function PaletteView({ isOffered, onCommand, onPerson, onClose }: PaletteViewProps) {
  const locale = useLocale();
  const query = Palette.useSelector(({ context }) => context.query);
  const found = Palette.useSelector(selectFound);
  const known = Palette.useSelector(({ context }) => context.known);
  const isBusy = Palette.useSelector((chart) => chart.hasTag("busy"));
  const hasFailed = Palette.useSelector((chart) => chart.matches("loadFailed"));
  const send = Palette.useSend();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const sections = useMemo<Section[]>(() => {
    const commands = findCommands(query, isOffered, translate).slice(0, query.trim() === "" ? undefined : COMMANDS);
    const itemsOf = (group: Command["group"]) =>
      commands
        .filter(({ command }) => command.group === group)
        .map(({ command, name }) => ({
          id: command.id,
          name,
          hint: "",
          keys: command.keys ?? "",
          choose: () => onCommand(command),
        }));
    const people = peopleFor(query, found, known).map((lead) => ({
      id: `person ${lead.id}`,
      name: nameOf(lead),
      hint: lead.username && lead.name ? `@${lead.username}` : "",
      keys: "",
      choose: () => onPerson(lead.id),
    }));
    const groups = (["here", "screens", "actions"] as const).map((id) => ({ id, items: itemsOf(id) }));
    // A query that matches a screen's name most likely means it; otherwise leads come first.
    const isScreen = query.trim() === "" || commands.some(({ name }) => matchRank(name, query) === 0);
    const named = { id: "people" as const, items: people };
    return (isScreen ? [...groups, named] : [named, ...groups]).filter(({ items }) => items.length > 0);
    // oxlint-disable-next-line react/exhaustive-deps -- the names are in the language of the page
  }, [query, found, known, isOffered, onCommand, onPerson, locale]);
  const count = sections.reduce((sum, { items }) => sum + items.length, 0);

  return (
    // Escape also closes it; clicking outside is for the mouse.
    <Dialog
      className={css["palette"]}
      aria-label={t`Find people, screens and actions`}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={css["inside"]}>
        <Autocomplete inputValue={query} onInputChange={(value) => send({ type: "query.change", query: value })}>
          <SearchField
            aria-label={t`Find people, screens and actions`}
            className={css["field"] ?? ""}
            onKeyDown={(event) => {
              if (event.key === "Escape") onClose();
              else event.continuePropagation();
            }}
          >
            <Search />
            <Input
              ref={field}
              className={css["input"] ?? ""}
              dir="auto"
              placeholder={t`Find people, screens and actions`}
              maxLength={100}
            />
          </SearchField>
          {hasFailed && (
            <Box pad={[3, 4]} tone="muted">
              <LoadError what={t`people`} onRetry={() => send({ type: "reading.retry" })} />
            </Box>
          )}
          <ListBox
            aria-label={t`Results`}
            className={css["list"] ?? ""}
            items={sections}
            selectionMode="none"
            onAction={(key) =>
              sections
                .flatMap(({ items }) => items)
                .find(({ id }) => id === key)
                ?.choose()
            }
            renderEmptyState={() =>
              // After a failed search there may still be matching leads.
              hasFailed ? null : (
                <Text pad={[3, 4]} tone="muted">
                  {isBusy ? t`Looking…` : t`Nothing is called ''${{ query: query.trim() }}''.`}
                </Text>
              )
            }
          >
            {(section: Section) => (
              <ListBoxSection id={section.id}>
                <Header className={css["heading"] ?? ""}>{translate(HEADINGS[section.id])}</Header>
                <Collection items={section.items}>
                  {(item: Item) => (
                    <ListBoxItem id={item.id} textValue={item.name} className={css["item"] ?? ""}>
                      <Text as="bdi" clamp={1}>
                        {item.name}
                      </Text>
                      {item.hint !== "" && (
                        <Note as="span" clamp={1}>
                          {item.hint}
                        </Note>
                      )}
                      {item.keys !== "" && (
                        <Note as="kbd" size="xs" className={css["keys"]}>
                          {item.keys}
                        </Note>
                      )}
                    </ListBoxItem>
                  )}
                </Collection>
              </ListBoxSection>
            )}
          </ListBox>
        </Autocomplete>
        <VisuallyHidden role="status">
          {isBusy || hasFailed ? "" : t`${plural({ count }, { one: "# result", other: "# results" })}`}
        </VisuallyHidden>
      </div>
    </Dialog>
  );
}
