/** What is found without weighing words: invisible characters, names of other servers' tools, arguments that take it all. */
import { most, visible, type DescriptionIssue } from './issue.ts';
import { lookAlikesIn } from './look-alikes.ts';
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

/** A name that can be taken for another one. */
export function lookAlikeIssue(name: string, field: string): DescriptionIssue | undefined {
  const letters = lookAlikesIn(name);
  if (letters.length === 0) return undefined;
  const codes = letters.map(
    (letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return {
    code: 'W025',
    category: 'Tool Shadowing',
    score: 0.7,
    field,
    quote: most(visible(name), 200),
    says: `The name has letters that only look like those of the Latin alphabet (${letters.join(', ')}: ${codes.join(', ')}), so that it can be taken for another name.`,
  };
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
