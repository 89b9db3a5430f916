/** What is found without weighing words: invisible characters, names of other servers' tools, arguments that take it all. */
import { confusable } from '#engine/text/confusables.ts';
import { most, visible, type DescriptionIssue } from './issue.ts';
import { greedyArguments } from './signs.ts';
import { argumentNames, type DescribedTool, type ToolText } from './tool.ts';
import { hiddenCharacters } from './views.ts';

export function hiddenIssue({ field, text }: ToolText): DescriptionIssue[] {
  const { count, kinds, spelled } = hiddenCharacters(text);
  if (count === 0) return [];
  const isWords = spelled.length >= 4;
  const isMany = kinds.length >= 3 || count >= 10;
  return [
    {
      code: 'W021',
      category: 'Hidden Text',
      score: isWords ? 0.98 : isMany ? 0.7 : 0.3,
      field,
      quote: most(isWords ? visible(spelled) : visible(text), 200),
      says: isWords
        ? `The ${field} has invisible characters that spell “${most(visible(spelled), 120)}”.`
        : `The ${field} has ${count} invisible characters (${kinds.join(', ')}).`,
    },
  ];
}

/** Scripts with letters that look like Latin ones. */
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const latin = /\p{Script=Latin}/u;

/** Whether letters of another script stand among Latin ones, where they look like them. */
const isMixed = (word: string): boolean =>
  latin.test(word) && Array.from(word).some((letter) => foreign.test(letter) && looksLatin(letter));

const looksLatin = (letter: string): boolean => confusable(letter.toLowerCase().charCodeAt(0)) !== 0;

/** A name whose letters only look like those of another name: nobody writes one word in two scripts. */
export function mixedScriptIssues({ name }: DescribedTool): DescriptionIssue[] {
  const word = name.match(/[\p{L}\p{M}]+/gu)?.find(isMixed);
  if (word === undefined) return [];
  const letters = [...new Set(word)].filter((letter) => foreign.test(letter));
  const codes = letters.map(
    (letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return [
    {
      code: 'W025',
      category: 'Tool Shadowing',
      score: 0.7,
      field: 'name',
      quote: most(visible(name), 200),
      says: `The name has letters of another script that look like Latin ones (${letters.join(', ')}: ${codes.join(', ')}), so that it can be taken for another name.`,
    },
  ];
}

/** Tools of other servers that the texts name. A word such as "search" is no reference; a name with a separator is. */
export function shadowIssues(
  texts: readonly ToolText[],
  tool: DescribedTool,
  others: readonly { server: string; name: string }[] | undefined,
): DescriptionIssue[] {
  const issues: DescriptionIssue[] = [];
  for (const { server, name } of others ?? []) {
    if (name === tool.name || name.length < 5 || !/[_\-.A-Z]/.test(name.slice(1))) continue;
    const pattern = new RegExp(
      String.raw`(?<![\w-])${name.replaceAll(/[^\w]/g, (sign) => `\\${sign}`)}(?![\w-])`,
      'i',
    );
    for (const { field, text } of texts) {
      const found = pattern.exec(text);
      if (found === null) continue;
      issues.push({
        code: 'E002',
        category: 'Tool Shadowing',
        score: 0.75,
        field,
        quote: most(visible(text.slice(Math.max(0, found.index - 60), found.index + 120)), 200),
        says: `The ${field} speaks of ${name}, a tool of the server ${server}.`,
      });
      break;
    }
  }
  return issues;
}

export function greedyIssues(tool: DescribedTool): DescriptionIssue[] {
  return [...new Set(argumentNames(tool.inputSchema))]
    .filter((name) => greedyArguments.test(name))
    .slice(0, 5)
    .map((name) => ({
      code: 'W001' as const,
      category: 'Data Exfiltration' as const,
      score: 0.4,
      field: `input_schema.${name}`,
      quote: name,
      says: `The argument ${name} takes in what the agent knows of the conversation.`,
    }));
}
