import type { ComponentPropsWithRef, CSSProperties, ElementType } from "react";
import { classNames } from "./class-names.ts";
import css from "./layout.module.css";

type Space = 1 | 2 | 3 | 4 | 5;

/** How a primitive looks. Sizes are steps of the tokens; whatever else a view needs is a class of its own module. */
export type Look = {
  /** The room between children. */
  gap?: Space | undefined;
  /** The room between lines, where it is not `gap`. */
  lines?: 0 | 1 | 2 | 3 | undefined;
  align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
  justify?: "start" | "center" | "end" | "between" | undefined;
  /** A row goes on in the next line where it is too long. */
  wraps?: boolean | undefined;
  /** A row stands within a line of text. */
  isInline?: boolean | undefined;
  /** A stack that is higher than its children keeps them at its top. */
  isPacked?: boolean | undefined;
  /** The room above and below. */
  before?: Space | undefined;
  after?: Space | undefined;
  pad?: 3 | 4 | 5 | undefined;
  /** The room inside, above and below alone. */
  padBlock?: 1 | 2 | 3 | 5 | undefined;
  /** What it stands on: a card, or a sunken part of one. */
  surface?: "card" | "well" | undefined;
  /** Lines between children. */
  isDivided?: boolean | undefined;
  /** The greatest width. */
  max?: string | undefined;
  /** In a row: takes what is left of it, keeps its size, may be cut, or takes a line of its own. */
  share?: "rest" | "own" | "less" | "line" | undefined;
  /** In a stack: as wide as what it holds. */
  atStart?: boolean | undefined;
  size?: "xs" | "sm" | "md" | "lg" | "xl" | undefined;
  tone?: "muted" | "good" | "bad" | "warn" | "accent" | undefined;
  weight?: "normal" | "firm" | "medium" | "strong" | undefined;
  isCentred?: boolean | undefined;
  /** One line, with an ellipsis where it is too long. */
  isCut?: boolean | undefined;
  /** At most so many lines of text. */
  clamp?: number | undefined;
  /** Where letters have one width, as in code. */
  isMono?: boolean | undefined;
  /** In a grid: its columns, or the least width of each. */
  columns?: string | undefined;
  min?: string | undefined;
};

type Props<T extends ElementType> = Look & { as?: T | undefined } & Omit<ComponentPropsWithRef<T>, keyof Look | "as">;

const step = (name: string, value: string | number | undefined) =>
  value === undefined ? undefined : css[`${name}-${value}`];

function primitive<Default extends ElementType>(name: string | undefined, tag: Default, byDefault: Look = {}) {
  return function Primitive<T extends ElementType = Default>(props: Props<T>) {
    const { as: Tag = tag, className, style, ...all } = { ...byDefault, ...props } as Props<"div">;
    const { gap, lines, align, justify, wraps, isInline, isPacked, before, after, pad, padBlock, ...others } = all;
    const { surface, isDivided, max, share, atStart, size, tone, weight, isCentred, isCut, ...more } = others;
    const { clamp, isMono, min, columns = min && `repeat(auto-fit, minmax(min(${min}, 100%), 1fr))`, ...rest } = more;
    const hasStyle = max !== undefined || clamp !== undefined || columns !== undefined;
    return (
      <Tag
        {...rest}
        style={hasStyle ? ({ ...style, "--max": max, "--clamp": clamp, "--columns": columns } as CSSProperties) : style}
        className={classNames(
          name,
          isInline && css["inline"],
          wraps && css["wraps"],
          step("gap", gap),
          step("lines", lines),
          step("align", align),
          step("justify", justify),
          isPacked && css["packed"],
          step("before", before),
          step("after", after),
          step("pad", pad),
          step("pad-block", padBlock),
          step("surface", surface),
          isDivided && css["divided"],
          max !== undefined && css["max"],
          step("share", share),
          atStart && css["at-start"],
          step("size", size),
          step("tone", tone),
          step("weight", weight),
          isCentred && css["centred"],
          isCut && css["cut"],
          clamp !== undefined && css["clamp"],
          isMono && css["mono"],
          className,
        )}
      />
    );
  };
}

/** One below the other. */
export const Stack = primitive(css["stack"], "div");
/** One beside the other. */
export const Row = primitive(css["row"], "div");
/** As many beside each other as there is room for. */
export const Grid = primitive(css["grid"], "div");
/** Anything else that takes a part of its surroundings. */
export const Box = primitive(undefined, "div");
/** Words, in a paragraph unless `as` says otherwise. */
export const Text = primitive(undefined, "p");
/** A quiet remark. */
export const Note = primitive(undefined, "p", { size: "sm", tone: "muted" });
