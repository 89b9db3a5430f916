/** Which words decide what a list shows: `readOnly` and `write` of `tools.filter((t) => !readOnly || !t.write)`. */

export interface Policy {
  /** Names of variables, fields and functions in its conditions. */
  words: ReadonlySet<string>;
}

/** Words of conditions that speak of what somebody may do. */
const speaksOfRights =
  /read_?only|writ(?:e|es|able|ing)$|mutat|destruct|danger|unsafe|admin|roles?(?![a-z])|scope|permi|allow|enabl|disabl|den(?:y|ied)|block|forbid|restrict|group|feature|profile|hidden|visible|expos|access|auth|safe|toolset|active|licen[cs]e|tier|plan\b|premium|internal|capabilit|privileg|entitle|grant|can_?[A-Z_]/i;

const keywords = new Set(
  'if not and or in is None True False true false null undefined return const let await async typeof function lambda for else elif continue new this self'.split(
    ' ',
  ),
);

const ofCollections = /^\s*\??\.\s*(?:includes|has|contains|get|some|indexOf|contains_key|Contains)\b/;
const asksCollections =
  /^(?:includes|has|contains|get|some|every|indexOf|contains_key|startsWith|startswith|toLowerCase|lower|filter|map|Boolean|bool|len|isinstance|getattr|any|all|set|list|keys|values)$/;

/** A condition without the texts in it. */
const withoutTexts = (code: string): string => code.replaceAll(/(["'`])[^"'`\n]{0,200}\1/g, '""');

/** The last names of what a condition asks. */
function wordsIn(condition: string): string[] {
  const code = withoutTexts(condition);
  const words: string[] = [];
  for (const { 0: word, index } of code.matchAll(/\b[A-Za-z_$][\w$]*/g)) {
    const behind = code.slice(index + word.length, index + word.length + 24);
    if (keywords.has(word) || asksCollections.test(word)) continue;
    // Of `settings.readOnly` it is the field; of `enabled.has(name)` it is what holds the names.
    if (/^\s*\??\./.test(behind) && !ofCollections.test(behind)) continue;
    words.push(word);
  }
  // What a settings file or the machine is asked for by a text in brackets: `process.env["READ_ONLY"]`, `tool["write"]`.
  for (const [, word = ''] of condition.matchAll(/(?:\[|get\w{0,8}\()\s*["'`](\w{3,40})["'`]/g))
    words.push(word);
  return words;
}

/** The code from an opening bracket to the one that closes it. */
function bracketed(code: string, from: number): string {
  let depth = 0;
  for (let at = from; at < Math.min(code.length, from + 600); at++) {
    const letter = code[at];
    if (letter === '(' || letter === '[' || letter === '{') depth++;
    else if (letter === ')' || letter === ']' || letter === '}') {
      depth--;
      if (depth === 0) return code.slice(from, at);
    }
  }
  return code.slice(from, from + 600);
}

/** How code leaves something out of a list; the condition is the first group. */
const leavesOut: readonly RegExp[] = [
  // Python: `[t for t in tools if not t.write]`
  /\bfor\s[^\n]{1,80}?\bin\b[^[\]]{1,120}?\sif\s([^\]}\n]{1,200})/g,
  /\bif\b([^\n]{1,200}?)[{:)]\s{0,40}\n?\s{0,40}continue\b/g,
  /\bif\b([^\n]{1,200}?)[{:)]\s{0,40}\n?\s{0,40}[\w.]{1,60}(?:\.(?:push|append|extend|add)\(|\s?\+=|\s?=\s?append\(|\s?=\s?\[)/g,
  /\.\.\.\s?\(?\s?([\w.!= '"()]{1,120}?)\s{0,4}(?:\?|&&)\s?/g,
  /[=(:]\s{0,4}(!?[\w.]{3,60})\s?\?\s?[\w.]{1,60}\s{0,20}:\s?[\w.]{1,60}/g,
  /\breturn\s[\w.]{1,60}\s{0,4}if\s([^\n]{1,120}?)\selse\b/g,
];

/** Conditions under which code leaves something out of what it lists. */
function conditionsIn(code: string): string[] {
  const found = leavesOut.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, condition = '']) => condition),
  );
  for (const { index, 0: whole } of code.matchAll(/\.(?:filter|retain|removeIf|reject)\(/g))
    found.push(
      bracketed(code, index + whole.length - 1).replace(
        /^\(\s{0,40}(?:async\s)?(?:\(?[\w\s,{}:[\]]{0,80}\)?\s{0,4}(?:=>|->)|\|[^|]{1,40}\||lambda\s[\w,\s]{1,40}:)/,
        '',
      ),
    );
  return found;
}

/** What decides about a list, where what somebody may do decides; undefined where anything else does. */
export function policyIn(code: string): Policy | undefined {
  const words = conditionsIn(code)
    .map(wordsIn)
    .filter((each) => each.some((word) => speaksOfRights.test(word)))
    .flat()
    .filter(
      (word) =>
        word.length > 2 &&
        !/^(?:tools?|names?|def|definition|args|arguments|params|request|description|item|each|entry)$/.test(
          word,
        ),
    );
  return words.length === 0 ? undefined : { words: new Set(words) };
}

/** Words of a test of any kind that may be the same check in other words. */
const checksRights =
  /\b\w*(?:(?:[aA]ssert|[eE]nsure|[cC]heck|[gG]uard|[vV]erify|[rR]equire|[iI]s|[cC]an|[mM]ay)_?(?:[tT]ool|[cC]all|[wW]rit|[aA]ccess|[pP]olicy)|[aA]uthori[sz]|[pP]ermi(?:t|ss)|[aA]llow|[eE]nabled|[dD]isabled|[rR]ead_?[oO]nly|READ_?ONLY|[fF]orbid|[dD]enied|[vV]isible|[hH]idden|[rR]oles?(?![a-zA-Z])|[sS]copes?(?![a-z])|[pP]olicy)\w*/;

const escaped = (word: string): string => word.replaceAll('$', String.raw`\$`);

/** Whether the code that answers a call asks any of it. */
export function asks({ words }: Policy, code: string): boolean {
  const bare = withoutTexts(code);
  if (checksRights.test(bare)) return true;
  // A tuple's part is asked by its place.
  if (/\bif\b[^\n]{0,120}\w\[\d\]/.test(bare)) return true;
  return [...words].some((word) => new RegExp(String.raw`\b${escaped(word)}\b`).test(code));
}

/** Whether what is called on the way asks it in a test: settings are named in places that ask nothing. */
export const asksInTest = ({ words }: Policy, code: string): boolean =>
  [...words].some((word) =>
    new RegExp(
      String.raw`\b(?:if|when|unless|while|assert)\b[^\n]{0,160}\b${escaped(word)}\b|\b${escaped(word)}\b[^\n]{0,60}(?:\?[^.?]|&&|\|\|)|(?:&&|\|\|)[^\n]{0,60}\b${escaped(word)}\b`,
    ).test(code),
  );
