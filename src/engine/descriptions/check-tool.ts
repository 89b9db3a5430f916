/**
 * Whether what a server offers speaks to the model behind its user's back: for scans of source and of running servers, and
 * for gateways before they show tools to agents. Pure: a definition in, observations with the words that carried them out.
 */
import { argumentNames, textsOf, type DescribedTool, type ToolText } from './tool.ts';
import { phrases } from './phrases.ts';
import { greedyArguments, signs, type Category, type Sign } from './signs.ts';
import { hiddenCharacters, viewsOf, type View } from './views.ts';

/** What a judge of texts, such as the embedded engine, says about prompt injection in a text. */
export type TextJudge = (text: string) => Promise<{ probability: number; reason: string } | undefined>;

type Judgement = Awaited<ReturnType<TextJudge>>;

/** A code of the issues that scanners of MCP servers share: E errors, W warnings. */
export type IssueCode = 'E001' | 'E002' | 'W001' | 'W021';

export interface DescriptionIssue {
  code: IssueCode;
  category: Category;
  /** 0 to 1. */
  score: number;
  field: string;
  /** The words themselves, shortened, hidden characters made visible. */
  quote: string;
  /** A sentence for people. */
  says: string;
}

export interface ToolVerdict {
  flagged: boolean;
  categories: string[];
  categoryScores: Record<string, number>;
  explanation: Record<string, string>;
  issues: DescriptionIssue[];
}

export interface CheckOptions {
  /** Asked about descriptions; without one the fixed signs decide alone. */
  judge?: TextJudge | undefined;
  /** Tools of other servers of the same configuration: naming one in an order is shadowing. */
  otherTools?: readonly { server: string; name: string }[] | undefined;
}

const flagFrom = 0.5;

/**
 * What the judge's probability counts: it was made for chats, where descriptions that address a model are rare, so alone
 * it must be nearly sure.
 */
const judgeAlone = 0.97;
const judgeSupport = 0.5;

const most = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

const visible = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(
    // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- that is what is made visible.
    /[\u{E0000}-\u{E01EF}\u200B-\u200F\u2060-\u2064\uFEFF\u202A-\u202E\u2066-\u2069\u0000-\u001F\u007F-\u009F]/gu,
    (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
  );

interface Hit {
  sign: Sign;
  quote: string;
  field: string;
  view: View;
}

function hitsIn({ field, text }: ToolText): Hit[] {
  return viewsOf(text).flatMap((view) =>
    [...signs, ...phrases].flatMap((sign) => {
      const found = sign.pattern.exec(view.text);
      if (found === null) return [];
      const around = view.text.slice(Math.max(0, found.index - 60), found.index + found[0].length + 40);
      return sign.unless?.test(around) === true ? [] : [{ sign, quote: found[0], field, view }];
    }),
  );
}

/** Both lists of wordings speak of the same things: they are added up apart. */
const scoreOf = (hits: readonly Hit[]): number =>
  Math.max(
    joined(hits.filter(({ sign }) => signs.includes(sign))),
    joined(hits.filter(({ sign }) => !signs.includes(sign))),
  );

/** Independent signs of the same text add up; what is hidden or encoded counts more. */
function joined(hits: readonly Hit[]): number {
  const bySign = new Map<string, number>();
  for (const { sign, view } of hits) {
    const score = view.kind === 'plain' ? sign.score : Math.min(0.98, sign.score + 0.35);
    bySign.set(sign.id, Math.max(bySign.get(sign.id) ?? 0, score));
  }
  let innocent = 1;
  for (const score of bySign.values()) innocent *= 1 - score;
  return 1 - innocent;
}

function hiddenIssue({ field, text }: ToolText): DescriptionIssue[] {
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

function shadowIssues(texts: readonly ToolText[], tool: DescribedTool, others: CheckOptions['otherTools']) {
  const issues: DescriptionIssue[] = [];
  for (const { server, name } of others ?? []) {
    // A word such as "search" is no reference; a name with a separator is.
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

function greedyIssues(tool: DescribedTool): DescriptionIssue[] {
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

function issueOf(hits: readonly Hit[], category: Category, total: number): DescriptionIssue | undefined {
  const own = hits.filter(({ sign }) => sign.category === category);
  const best = own.toSorted((a, b) => b.sign.score - a.sign.score)[0];
  if (best === undefined) return undefined;
  const where = best.view.how === '' ? '' : `, read through ${best.view.how},`;
  const isFlagged = total >= flagFrom;
  return {
    code: isFlagged ? (category === 'Tool Shadowing' ? 'E002' : 'E001') : 'W001',
    category,
    score: total,
    field: best.field,
    quote: most(visible(best.quote), 200),
    says: `The ${best.field}${where} ${best.sign.says}: “${most(visible(best.quote), 160)}”.`,
  };
}

/**
 * Judges one definition by fixed signs in all its texts, read in all ways, and by the judge where one is given. Nothing is
 * called, and nothing of what the texts say is done.
 */
export async function checkTool(
  tool: DescribedTool,
  { judge, otherTools }: CheckOptions = {},
): Promise<ToolVerdict> {
  const judged = await judge?.(
    textsOf(tool)
      .map(({ text }) => text)
      .join('\n'),
  );
  return checkTexts(tool, { judged, otherTools });
}

/** The same with what a judge has said already, or by the fixed signs alone. */
export function checkTexts(
  tool: DescribedTool,
  { judged, otherTools }: Pick<CheckOptions, 'otherTools'> & { judged?: Judgement } = {},
): ToolVerdict {
  const texts = textsOf(tool);
  const hits = texts.flatMap(hitsIn);
  const greedy = greedyIssues(tool);
  const total = combined(scoreOf(hits), judged?.probability ?? 0, greedy.length > 0);
  return verdictOf([
    ...judgedCategories.flatMap((category) => issueOf(hits, category, total) ?? []),
    ...judgedIssue(tool, judged, total),
    ...texts.flatMap(hiddenIssue),
    ...shadowIssues(texts, tool, otherTools),
    ...greedy,
  ]);
}

const judgedCategories = [
  'Prompt Injection',
  'Tool Shadowing',
  'Data Exfiltration',
  'Sensitive Data Access',
  'Malicious Purpose',
] as const;

/** Fixed signs decide; a judge that agrees, and an argument that takes in the conversation, each count as one sign more. */
function combined(fixed: number, probability: number, isGreedy: boolean): number {
  const supported = fixed > 0 && probability >= judgeSupport ? 1 - (1 - fixed) * 0.6 : fixed;
  return isGreedy ? 1 - (1 - supported) * 0.6 : supported;
}

function judgedIssue({ description }: DescribedTool, judged: Judgement, total: number): DescriptionIssue[] {
  if (judged === undefined || judged.probability < judgeAlone || total >= flagFrom) return [];
  return [
    {
      code: 'E001',
      category: 'Prompt Injection',
      score: judged.probability,
      field: 'description',
      quote: most(visible(description), 200),
      says: judged.reason,
    },
  ];
}

function verdictOf(issues: DescriptionIssue[]): ToolVerdict {
  const scores: Record<string, number> = { 'Prompt Injection': 0 };
  const explanation: Record<string, string> = {};
  for (const { category, score, says } of issues)
    if (score >= (scores[category] ?? 0)) {
      scores[category] = Math.round(score * 1000) / 1000;
      explanation[category] = says;
    }
  const categories = Object.keys(scores).filter((name) => (scores[name] ?? 0) >= flagFrom);
  return { flagged: categories.length > 0, categories, categoryScores: scores, explanation, issues };
}
