/** Whether a part of a text is quoted or spoken of, rather than said. Pure. */

const pairs: Readonly<Record<string, string>> = {
  '“': '”',
  '„': '“”',
  '«': '»',
  '‘': '’',
  '「': '」',
  '『': '』',
};
/** How far from a part the marks of its quotation may stand. */
const mostBefore = 300;
const mostBehind = 600;

interface Quotation {
  readonly opensAt: number;
  readonly closesAt: number;
}

/** The last of an odd number of equal marks. */
function unpaired(line: string, mark: string, from: number, to: number): number | undefined {
  let [count, last] = [0, -1];
  for (let at = line.indexOf(mark, from); at !== -1 && at < to; at = line.indexOf(mark, at + 1))
    [count, last] = [count + 1, at];
  return count % 2 === 1 ? last : undefined;
}

const closing = /[”»」』]/u;

/** The opening mark before a place in its line that is not closed before it. */
function opened(line: string, from: number, to: number): number | undefined {
  const straight = unpaired(line, '"', from, to) ?? unpaired(line, '`', from, to);
  if (straight !== undefined) return straight;
  for (let at = to - 1; at >= from; at--) {
    const sign = line.charAt(at);
    if (closing.test(sign)) return undefined;
    if (pairs[sign] !== undefined || (sign === "'" && isOpeningApostrophe(line, at))) return at;
  }
  return undefined;
}

const isOpeningApostrophe = (line: string, at: number): boolean =>
  !/[\p{L}\p{N}]/u.test(line.charAt(at - 1)) && /[\p{L}\p{N}<[]/u.test(line.charAt(at + 1));

const closings: Readonly<Record<string, string>> = { '"': '"', '`': '`', "'": "'", ...pairs };

function quotationAround(text: string, from: number, to: number): Quotation | undefined {
  const lineStart = Math.max(text.lastIndexOf('\n', from - 1) + 1, from - mostBefore);
  const opensAt = opened(text, lineStart, from);
  if (opensAt === undefined) return undefined;
  const closes = closings[text.charAt(opensAt)] ?? '';
  for (let at = to; at < Math.min(text.length, to + mostBehind); at++) {
    const sign = text.charAt(at);
    if (sign === '\n' && text.charAt(at + 1) === '\n') return undefined;
    if (!closes.includes(sign)) continue;
    if (sign === "'" && /[\p{L}\p{N}]/u.test(text.charAt(at + 1))) continue;
    return { opensAt, closesAt: at };
  }
  return undefined;
}

const wordsIn = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0;
const fewestAround = 3;

/** Values of JSON and attributes of markup stand between marks that quote nothing. */
const valueOf = /"[^"\n]{1,60}"\s{0,3}:\s{0,3}$/u;
const attribute = /<[a-z][^<>]{0,200}=$/iu;

const isValue = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 220), at);
  return text.charAt(at) === '"' && (valueOf.test(before) || attribute.test(before));
};

/** A quotation has something around it that quotes. */
function isQuoted(text: string, from: number, to: number): boolean {
  const quotation = quotationAround(text, from, to);
  if (quotation === undefined || isValue(text, quotation.opensAt)) return false;
  const { opensAt, closesAt } = quotation;
  return (
    wordsIn(text.slice(Math.max(0, opensAt - 400), opensAt)) +
      wordsIn(text.slice(closesAt, closesAt + 400)) >=
    fewestAround
  );
}

const fence = /(?:^|\n)[ \t]{0,8}(?:```|~~~)/g;

/** Within a block of code that is not the whole text. */
function isInCode(text: string, from: number): boolean {
  const fences = [...text.matchAll(fence)].map(({ index }) => index);
  const before = fences.filter((at) => at < from);
  if (before.length % 2 === 0) return false;
  const end = fences[before.length] ?? text.length;
  return wordsIn(text.slice(0, before.at(-1))) + wordsIn(text.slice(end)) >= fewestAround;
}

/** What the lines before, or the line itself, are about. */
const topic =
  /prompt[- ]?injection|\bjailbreak|\binjections?\b|\battack(?:s|er|ers)?\b|\bpayloads?\b|\badversarial|\bmalicious|\bred[- ]?team|\b(?:block|deny)list|\bassert|\bexpect\(|\btest (?:case|file|string|prompt)s?\b|\bguardrails?\b|\bhoneypot|"(?:label|class|is_\w+|expected|verdict|attack|injected|y|target|category)"\s*:|\bangriff|\battaque|\bataque|\battacc|\bатак|\binyecci|\binjeção|\biniezione|注入|攻击|攻撃/iu;
/** What leads to an example in the same clause. */
const leadsToExample =
  /(?:such as|for example|for instance|e\.\s?g\.|i\.\s?e\.|examples?|like|zum beispiel|z\.\s?b\.|par exemple|por ejemplo|ad esempio|por exemplo|wie|comme|como|says?|said|reads?|contains?|containing|called|phrases?|strings?|sentences?|lines?)\s?[:,]?\s?$/iu;
const linesBefore = 3;

function isDiscussed(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - mostBefore), from);
  if (leadsToExample.test(before)) return true;
  const near = before.split('\n').slice(-linesBefore).join('\n');
  const behind = text.slice(to, to + 160).split('\n')[0] ?? '';
  return topic.test(near) || topic.test(behind);
}

/** Whether what stands from `from` to `to` is quoted, code, an example or the subject of the text around it. */
export const isQuotedOrDiscussed = (text: string, from: number, to: number): boolean =>
  isQuoted(text, from, to) || isInCode(text, from) || isDiscussed(text, from, to);
