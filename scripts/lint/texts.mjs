// Oxlint plugin: every text that users read must be a translatable message (docs/translating.md).
const ATTRIBUTES =
  "alt aria-description aria-label aria-roledescription aria-valuetext caption copyLabel data-label description empty help hint " +
  "intro label lead legend note placeholder question removeLabel retryLabel subtitle text title what";
const attributes = new Set(ATTRIBUTES.split(" "));
const MESSAGES = new Set(["Trans", "Plural", "Select"]);
const UNTRANSLATED = new Set([...MESSAGES, "code", "kbd", "samp", "style", "path"]);
const message =
  "Write this as a message: t`…`, <Trans> or msg`…`. One sentence is one message, with its values inside.";

const apostrophe = "A single apostrophe beside a value hides the value from the message format: write two.";

const hasWord = (text) => /\p{L}{2}/u.test(text);
const nameOf = ({ name }) => (name.type === "JSXIdentifier" ? name.name : "");

/** Returns the parts of an expression that can become text: "a" and "b" of `x ? "a" : "b"`. */
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

/** An expression inside a message is one of its values; texts in it are not extracted. */
const isInMessage = (node) => {
  let isOfValue = false;
  for (let above = node.parent; above != null; above = above.parent) {
    if (above.type === "JSXExpressionContainer") isOfValue = true;
    if (above.type !== "JSXElement") continue;
    const name = nameOf(above.openingElement);
    if (UNTRANSLATED.has(name) && !(isOfValue && MESSAGES.has(name))) return true;
  }
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
      AssignmentPattern({ left, right }) {
        if (left.type === "Identifier" && (attributes.has(left.name) || left.name.endsWith("Label")))
          textsOf(right).forEach(report);
      },
      JSXAttribute(node) {
        if (node.name.type === "JSXIdentifier" && attributes.has(node.name.name)) textsOf(node.value).forEach(report);
      },
    };
  },
};

/** Properties whose value is shown. A single word counts as a text only here; elsewhere it may be a code. */
const SHOWN = new Set(
  "alert body confirm deleted description detail help hint label message note placeholder problem question refused restored subtitle summary text title toast unknown warning".split(
    " ",
  ),
);
/** Calls whose arguments only developers read: errors for bugs, logs, API descriptions and names of drafts. */
const FOR_DEVELOPERS =
  /^(?:console|logger|log)\.|^(?:Error|TypeError|RangeError|super|createReporter|reportFailure|failed|require|createChart|v\.description|drafts\.of)$/;
const IN_MESSAGE = new Set(["msg", "t", "plural", "select"]);
const COMPARED = new Set(["===", "!==", "==", "!=", "in"]);

const calleeOf = ({ callee }) => {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "Super") return "super";
  if (callee.type === "CallExpression") return calleeOf(callee);
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return "";
  const object = callee.object.type === "MemberExpression" ? callee.object.property : callee.object;
  return `${object.name ?? ""}.${callee.property.name}`;
};

/** True if the text's position shows that it is for the program or its developers. */
function isTechnical(node) {
  for (let [below, above] = [node, node.parent]; above != null; [below, above] = [above, above.parent]) {
    switch (above.type) {
      case "TaggedTemplateExpression":
      case "TSLiteralType":
      case "ImportDeclaration":
      case "ImportExpression":
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
        return above.type !== "ExportNamedDeclaration" || above.source === below;
      case "Property":
      case "PropertyDefinition":
      case "MemberExpression":
        if (above.key === below || above.property === below) return true;
        if (["comment", "context"].includes(above.key?.name)) return true;
        break;
      case "BinaryExpression":
        if (COMPARED.has(above.operator)) return true;
        break;
      case "SwitchCase":
        return above.test === below;
      case "NewExpression":
      case "CallExpression":
        if (FOR_DEVELOPERS.test(calleeOf(above)) || IN_MESSAGE.has(calleeOf(above))) return true;
        break;
      case "BlockStatement":
        return false;
    }
  }
  return false;
}

const keyOf = ({ parent }) =>
  parent.type === "Property" && parent.key.type === "Identifier" && !parent.computed ? parent.key.name : "";

/** True if the text is a sentence or a label for users, not a code, a selector or part of an address. */
const isProse = (text, key) => {
  const plain = text.trim();
  if (!hasWord(plain) || /^(?:Bearer|Ctrl \+) /.test(plain)) return false;
  if (/^\p{Lu}\p{Ll}*[’']?\p{Ll}*$/u.test(plain)) return SHOWN.has(key);
  return (
    /^[“"'(]?\p{Lu}\S*\s+\S/u.test(plain) ||
    /\p{L}{2,}[ ,]+\S+.*[.?!…:]$/su.test(plain) ||
    ((SHOWN.has(key) || plain.includes("{}")) && /\p{L}{2} \p{L}{2}/u.test(plain))
  );
};

const joined = "Make this one message with its values inside: other languages order the parts in another way.";

/** True if an expression is or may be a translated text. */
function isMessage(node) {
  switch (node.type) {
    case "TaggedTemplateExpression":
      return node.tag.type === "Identifier" && ["t", "msg"].includes(node.tag.name);
    case "CallExpression":
      return ["t", "msg", "translate"].includes(calleeOf(node));
    case "ConditionalExpression":
      return isMessage(node.consequent) || isMessage(node.alternate);
    case "LogicalExpression":
      return isMessage(node.left) || isMessage(node.right);
    case "ParenthesizedExpression":
      return isMessage(node.expression);
    default:
      return false;
  }
}

const whole = {
  create(context) {
    return {
      BinaryExpression(node) {
        if (node.operator === "+" && (isMessage(node.left) || isMessage(node.right)))
          context.report({ node, message: joined });
      },
      TemplateLiteral(node) {
        if (node.parent.type !== "TaggedTemplateExpression" && node.expressions.some(isMessage))
          context.report({ node, message: joined });
      },
    };
  },
};

const outsideComponents = {
  create(context) {
    const check = (node, text) => {
      if (isProse(text, keyOf(node)) && !isTechnical(node)) context.report({ node, message });
    };
    return {
      Literal(node) {
        if (typeof node.value === "string") check(node, node.value);
      },
      TemplateLiteral(node) {
        check(node, node.quasis.map(({ value }) => value.raw).join("{}"));
      },
    };
  },
};

export default { meta: { name: "texts" }, rules: { translated, whole, "outside-components": outsideComponents } };
