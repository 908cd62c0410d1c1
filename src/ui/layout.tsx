import type { ComponentPropsWithRef, CSSProperties, ElementType, ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import css from "./layout.module.css";

type Step = 1 | 2 | 3 | 4 | 5;
/** A spacing step of the tokens, or one for block and one for inline. */
type Room = Step | [block: Step | 0, inline: Step | 0];

/** How a primitive looks. Sizes are steps of the tokens; everything else is a class of the view's own module. */
export type Look = {
  gap?: Room | undefined;
  align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
  /** In a stack, `center` centers everything, text too. */
  justify?: "start" | "center" | "end" | "between" | undefined;
  /** Wraps a row that is too long. */
  wraps?: boolean | undefined;
  isDivided?: boolean | undefined;
  /** A grid's columns, or their minimum width. */
  columns?: string | undefined;
  min?: string | undefined;
  /** A grid has one column in a narrow window. */
  folds?: boolean | undefined;

  /** Margin above, margin below and padding. */
  before?: Step | undefined;
  after?: Step | undefined;
  pad?: Room | undefined;
  /** The surface: a card, a sunken part of one, an overlay, or a line beside it. */
  surface?: "card" | "well" | "raised" | "callout" | "quote" | undefined;
  max?: string | undefined;
  /** The maximum height; longer content scrolls. */
  scroll?: string | undefined;
  /** At least as high as the window. */
  isScreen?: boolean | undefined;
  /** Its share of a row or grid: takes the rest, keeps its size, may shrink, or takes a whole line. */
  share?: "rest" | "own" | "less" | "line" | undefined;

  size?: "xs" | "sm" | "md" | "lg" | "xl" | undefined;
  tone?: "muted" | "good" | "bad" | "warn" | "accent" | undefined;
  /** The soft background color of a tone. */
  tint?: "good" | "bad" | "warn" | "accent" | undefined;
  weight?: "normal" | "firm" | "medium" | "strong" | undefined;
  /** Maximum number of lines; longer text ends in an ellipsis. */
  clamp?: number | undefined;
};

type Props<T extends ElementType> = Look & { as?: T | undefined } & Omit<ComponentPropsWithRef<T>, keyof Look | "as">;

const stepOf = (step: Step | 0) => (step === 0 ? "0" : `var(--space-${step})`);
const roomOf = (room: Room | undefined) =>
  typeof room === "object" ? room.map(stepOf).join(" ") : room && stepOf(room);
const tokenOf = (name: string | undefined) => name && `var(--${name})`;

/** Each prop sets a class that reads a custom property of the same name; the values are tokens. */
function primitive<Default extends ElementType>(name: string | undefined, tag: Default, byDefault: Look = {}) {
  return function Primitive<T extends ElementType = Default>(props: Props<T>) {
    const { as: Tag = tag, className, style, ...look } = { ...byDefault, ...props } as Props<"div">;
    const { gap, align, justify, columns, min, before, after, pad, max, scroll, size, tone, tint, weight, ...others } =
      look;
    const { clamp, wraps, isDivided, folds, isScreen, surface, share, ...rest } = others;
    const chosen = Object.entries({
      gap: roomOf(gap),
      align,
      justify: justify === "between" ? "space-between" : justify,
      columns: columns ?? (min && `repeat(auto-fit, minmax(min(${min}, 100%), 1fr))`),
      before: roomOf(before),
      after: roomOf(after),
      pad: roomOf(pad),
      max,
      scroll,
      size: tokenOf(size && `text-${size}`),
      tone: tokenOf(tone === "muted" ? "text-muted" : tone),
      tint: tokenOf(tint && `${tint}-soft`),
      weight: tokenOf(weight && `weight-${weight}`),
      clamp,
    }).filter(([, value]) => value !== undefined);
    const values = Object.fromEntries(chosen.map(([choice, value]) => [`--${choice}`, value])) as CSSProperties;
    return (
      <Tag
        {...rest}
        style={chosen.length > 0 ? { ...style, ...values } : style}
        className={classNames(
          name,
          ...chosen.map(([choice]) => css[choice]),
          justify === "center" && css["centred"],
          clamp === 1 && css["cut"],
          wraps && css["wraps"],
          isDivided && css["divided"],
          folds && css["folds"],
          isScreen && css["screen"],
          surface && css[surface],
          share && css[share],
          className,
        )}
      />
    );
  };
}

export const Stack = primitive(css["stack"], "div");
export const Row = primitive(css["row"], "div");
/** As many columns as fit. */
export const Grid = primitive(css["grid"], "div");
/** Any other element with layout props. */
export const Box = primitive(undefined, "div");
/** Text, in a paragraph unless `as` says otherwise. */
export const Text = primitive(undefined, "p");
export const Span = primitive(undefined, "span");
export const Code = primitive(undefined, "code", { size: "sm" });
/** Secondary text. */
export const Note = primitive(undefined, "p", { size: "sm", tone: "muted" });

/** The class of a link in the surrounding color, which gets the accent color and an underline on hover. */
export const plainLink = css["link"] ?? "";

/** Text for screen readers alone. */
export function VisuallyHidden(props: ComponentProps<"span">) {
  return <span {...props} className={css["hidden"]} />;
}

/** A surface that groups related content. */
export function Card({ className, ...props }: ComponentProps<"section">) {
  return <Box as="section" surface="card" share="less" {...props} className={classNames(css["roomy"], className)} />;
}
