import { type SVGProps, createElement } from "react";

/** One of Lucide's icons as its package describes it: its name, and its shapes on a field of 24 by 24. */
type IconData = { name: string; node: readonly (readonly [tag: string, attributes: Record<string, string>])[] };

const DRAWING = {
  xmlns: "http://www.w3.org/2000/svg",
  width: 24,
  height: 24,
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  "aria-hidden": true,
} as const;

/** The component of an icon, drawn as the package draws it: in the text's colour, for the eye alone unless told otherwise. */
export default function createIcon({ name, node }: IconData) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function Icon({ size, className, ...props }: SVGProps<SVGSVGElement> & { size?: number }) {
    const drawing = {
      ...DRAWING,
      ...(size === undefined ? {} : { width: size, height: size }),
      className: `lucide lucide-${name}${className === undefined ? "" : ` ${className}`}`,
      ...props,
    };
    return createElement("svg", drawing, shapes);
  };
}
