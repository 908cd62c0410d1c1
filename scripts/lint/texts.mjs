// Oxlint plugin: what a person reads is a message that a translator gets to see (docs/translating.md).
const ATTRIBUTES =
  "alt aria-description aria-label aria-roledescription aria-valuetext caption copyLabel data-label description empty help hint " +
  "intro label lead legend note placeholder question removeLabel retryLabel subtitle text title what";
const attributes = new Set(ATTRIBUTES.split(" "));
const UNTRANSLATED = new Set(["Trans", "Plural", "Select", "code", "kbd", "samp", "style", "path"]);
const message =
  "Write this as a message: t`…`, <Trans> or msg`…`. One sentence is one message, with its values inside.";

const apostrophe = "A single apostrophe beside a value hides the value from the message format: write two.";

const hasWord = (text) => /\p{L}{2}/u.test(text);
const nameOf = ({ name }) => (name.type === "JSXIdentifier" ? name.name : "");

/** The parts of an expression that end up as text: "a" and "b" of `x ? "a" : "b"`. */
function textsOf(node) {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "string" && hasWord(node.value) ? [node] : [];
    case "TemplateLiteral":
      return node.quasis.some(({ value }) => hasWord(value.raw)) ? [node] : [];
    case "ConditionalExpression":
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case "LogicalExpression":
      return [...(node.operator === "&&" ? [] : textsOf(node.left)), ...textsOf(node.right)];
    case "BinaryExpression":
      return node.operator === "+" ? [...textsOf(node.left), ...textsOf(node.right)] : [];
    case "JSXExpressionContainer":
      return textsOf(node.expression);
    default:
      return [];
  }
}

const isInMessage = (node) => {
  for (let above = node.parent; above != null; above = above.parent)
    if (above.type === "JSXElement" && UNTRANSLATED.has(nameOf(above.openingElement))) return true;
  return false;
};

const translated = {
  create(context) {
    const report = (node) => context.report({ node, message });
    return {
      TaggedTemplateExpression({ tag, quasi: { quasis } }) {
        if (tag.type !== "Identifier" || !["t", "msg"].includes(tag.name)) return;
        for (const [place, quasi] of quasis.entries()) {
          const isBefore = place < quasis.length - 1 && /(?<!')'$/.test(quasi.value.raw);
          const isAfter = place > 0 && /^'(?!')/.test(quasi.value.raw);
          if (isBefore || isAfter) context.report({ node: quasi, message: apostrophe });
        }
      },
      JSXText(node) {
        if (hasWord(node.value) && !isInMessage(node)) report(node);
      },
      JSXExpressionContainer(node) {
        if (node.parent.type !== "JSXAttribute" && !isInMessage(node)) textsOf(node).forEach(report);
      },
      JSXAttribute(node) {
        if (node.name.type === "JSXIdentifier" && attributes.has(node.name.name)) textsOf(node.value).forEach(report);
      },
    };
  },
};

export default { meta: { name: "texts" }, rules: { translated } };
