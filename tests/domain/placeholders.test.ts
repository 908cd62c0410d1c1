import { describe, expect, it } from "vitest";
import { fillPlaceholders, hasPlaceholders, placeholdersIn, unknownBraces } from "../../domain/placeholders.ts";

const ann = { name: "Ann Lee", username: "ann_lee", stage: "Interested" };
const unnamed = { name: null, username: null, stage: null };

describe("placeholders in a message", () => {
  it.each([
    ["Hi {first_name}!", "Hi Ann!"],
    ["{name} (@{username}) is {stage}", "Ann Lee (@ann_lee) is Interested"],
    ["Hi {first_name|friend}", "Hi Ann"],
    ["{first_name}{first_name}", "AnnAnn"],
    ["{Name} {first name} {} {{name}} {x|y} {name", "{Name} {first name} {} {Ann Lee} {x|y} {name"],
    ["a $& b {name}", "a $& b Ann Lee"],
  ])("turn %j into %j", (text, filled) => expect(fillPlaceholders(text, ann)).toEqual(filled));

  it.each([
    ["Hi {first_name|friend}!", "Hi friend!"],
    ["Hi {first_name|}!", "Hi !"],
    ["Hi {name}", "Hi "],
  ])("turn %j into %j without a value", (text, filled) => expect(fillPlaceholders(text, unnamed)).toEqual(filled));

  it("fill a value only once", () =>
    expect(fillPlaceholders("{name}", { ...ann, name: "{username} {stage}" })).toEqual("{username} {stage}"));

  it("use their fallbacks when the values make the message too long", () => {
    const long = { ...ann, name: "A".repeat(50) };
    expect(fillPlaceholders("Hi {name|you}, news", long, 30)).toEqual("Hi you, news");
    expect(fillPlaceholders("Hi {name|you}, news", long, 100)).toEqual(`Hi ${"A".repeat(50)}, news`);
  });

  it("are listed with the unknown ones, each once", () => {
    const text = "{name} {name} {Name} {first name} {} {{stage}} {x|y} {first_name|you} {name {x|y}";
    expect(placeholdersIn(text)).toEqual(["{name}", "{stage}", "{first_name|you}"]);
    expect(unknownBraces(text)).toEqual(["{Name}", "{first name}", "{x|y}"]);
  });

  it("are distinguished from other braces", () =>
    expect(["{name}", "{stage|new}", "{other}", "plain"].map(hasPlaceholders)).toEqual([true, true, false, false]));
});
