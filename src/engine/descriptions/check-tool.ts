/**
 * Whether what a server offers speaks to the model behind its user's back: for scans of source and of running servers, and
 * for gateways before they show tools to agents. Pure: a definition in, observations with the words that carried them out.
 */
import { hitsIn, isNameField, isOfAttack, scoreOf, signIssues, type Hit } from './fixed-signs.ts';
import { allowedFor, allowedHits } from './instructions.ts';
import { most, visible, type DescriptionIssue } from './issue.ts';
import { judgeSentences, tellingWords, type JudgedSentence } from './judge-sentences.ts';
import { greedyIssues, hiddenIssue, lookAlikeIssue, shadowIssues } from './plain-issues.ts';
import { weighOwnEffects, withoutOwnEffects } from './own-effects.ts';
import type { Category } from './signs.ts';
import { readTexts, textsOf, type DescribedTool } from './tool.ts';
import { shippedWeights, type DescriptionWeights } from './weights.ts';
import { classesIn, classNames, wordsOf } from './word-classes.ts';

export type { DescriptionIssue } from './issue.ts';

/** What a judge of texts, such as the embedded engine, says about prompt injection in a text. */
export type TextJudge = (text: string) => Promise<
  | {
      probability: number;
      reason: string;
      /** It understands what it reads, as a language model does: its verdict stands without support. */
      decides?: boolean;
    }
  | undefined
>;

type Judgement = Awaited<ReturnType<TextJudge>>;

/** `high`: hold it back. `medium`: have a person look. `none`: nothing was found in what was read. */
export type Tier = 'high' | 'medium' | 'none';

/** A sentence that was told apart, with the words that weigh most in it. */
export interface MarkedSentence {
  field: string;
  /** How it had to be read, such as `base64`; empty for the text as it stands. */
  how: string;
  sentence: string;
  words: string[];
  /** 0 to 1; from 0.5 on a verdict. */
  score: number;
}

export interface ToolVerdict {
  flagged: boolean;
  tier: Tier;
  /**
   * Whether it does what only attacks do, or the judge is nearly sure. Of 1,594 tools of 112 public servers 31 are flagged,
   * mostly as they order a way of working, and none of them is certain; of poisoned ones about half are.
   */
  isCertain: boolean;
  categories: string[];
  categoryScores: Record<string, number>;
  explanation: Record<string, string>;
  issues: DescriptionIssue[];
  /** The worst sentences, at most five. */
  marked: MarkedSentence[];
  /** What was not read, in sentences. */
  notes: string[];
}

export interface CheckOptions {
  /** Asked about descriptions as well; without one the learned judge of sentences and the fixed signs decide. */
  judge?: TextJudge | undefined;
  /** Tools of other servers of the same configuration: naming one is shadowing. */
  otherTools?: readonly { server: string; name: string }[] | undefined;
}

const flagFrom = 0.5;
const mediumFrom = 0.4;

/**
 * What the judge's probability counts: it was made for chats, where descriptions that address a model are rare, so alone
 * it must be nearly sure.
 */
const judgeAlone = 0.97;
/** Harmless descriptions of public servers reach .94. */
const certainFrom = 0.95;
const judgeSupport = 0.5;
/** A word such as "IMPORTANT:" is no sign that a judge of chats could bear out. */
const leastSign = 0.3;

/**
 * Judges one definition: each sentence of all its texts, read in all ways, by the learned judge; fixed signs and the other
 * judge, where one is given, support it. Nothing is called, and nothing of what the texts say is done.
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

/** The same with what a judge has said already, or without one. */
export function checkTexts(
  tool: DescribedTool,
  { judged, otherTools }: Pick<CheckOptions, 'otherTools'> & { judged?: Judgement | undefined } = {},
): ToolVerdict {
  const { texts, unread: unreadCharacters } = readTexts(tool);
  const model = shippedWeights();
  const { sentences: all, unread } = judgeSentences(texts);
  const sentences = weighOwnEffects(allowedFor(tool, all, model), tool, model);
  const worst = sentences[0]?.logit ?? -Infinity;
  const hits = withoutOwnEffects(allowedHits(tool, texts.flatMap(hitsIn)), tool, texts);
  const greedy = greedyIssues(tool);
  const fixed = supported(scoreOf(hits), judged?.probability ?? 0, greedy.length > 0);
  const isSupported = fixed >= flagFrom && bears(fixed, hits, worst, model);
  const marked = markedIn(sentences, model);
  const issues = [
    ...marked.map(({ issue }) => issue),
    ...signIssues(hits, isSupported ? fixed : Math.min(fixed, mediumFrom), isSupported),
    ...judgedIssue(tool, judged, worst >= model.support),
    ...texts.flatMap(hiddenIssue),
    ...[lookAlikeIssue(tool.name, 'name')].filter((issue) => issue !== undefined),
    ...shadowIssues(texts, tool, otherTools),
    ...greedy,
  ];
  const scores = marked.map(({ mark }) => mark.score);
  return verdictOf(issues, {
    isCertain: (isSupported && hits.some(isOfAttack)) || isNearlySure(judged, scores),
    marked: marked.map(({ mark }) => mark),
    notes: [
      ...(unreadCharacters > 0 ? [`${unreadCharacters} characters of ${tool.name} were not read.`] : []),
      ...(unread > 0
        ? [`${unread} of ${unread + sentences.length} sentences of ${tool.name} were not judged.`]
        : []),
    ],
  });
}

const isNearlySure = (judged: Judgement, scores: readonly number[]): boolean =>
  Math.max(judged?.decides === true ? judged.probability : 0, ...scores) >= certainFrom;

/**
 * Whether the learned judge bears out what fixed signs say: the surer they are, the less of it is needed. Words of attacks
 * alone are what security tools speak of. A name is no documentation that could quote an attack.
 */
function bears(fixed: number, hits: readonly Hit[], worst: number, model: DescriptionWeights): boolean {
  const orders = hits.filter(({ sign }) => sign.category !== 'Malicious Purpose');
  if (orders.length === 0) return worst >= model.medium;
  if (orders.some(({ field, sign }) => isNameField(field) && sign.category === 'Prompt Injection'))
    return true;
  return worst >= model.support - 3.2 * (fixed - flagFrom);
}

/** A judge that agrees, and an argument that takes in the conversation, each count as one sign more. */
function supported(fixed: number, probability: number, isGreedy: boolean): number {
  const withJudge = fixed >= leastSign && probability >= judgeSupport ? 1 - (1 - fixed) * 0.6 : fixed;
  return isGreedy ? 1 - (1 - withJudge) * 0.6 : withJudge;
}

/** A logit as a score: `medium` is 0.4, `high` is 0.5. */
function scoreOfLogit(logit: number, { high, medium }: DescriptionWeights): number {
  const slope = logit >= high ? 1 : Math.log(1 / mediumFrom - 1) / Math.max(0.1, high - medium);
  return 1 / (1 + Math.exp(-(logit - high) * slope));
}

const mostMarked = 5;

function markedIn(sentences: readonly JudgedSentence[], model: DescriptionWeights) {
  const seen = new Set<string>();
  return sentences
    .filter(({ logit, unit }) => {
      // A sentence is also read behind the one before it: it is told once.
      const ending = unit.text.slice(-60);
      if (logit < model.medium || seen.has(ending)) return false;
      seen.add(ending);
      return true;
    })
    .slice(0, mostMarked)
    .map(({ unit, how, logit }) => {
      const score = Math.round(scoreOfLogit(logit, model) * 1000) / 1000;
      const words = tellingWords(unit, model);
      const category = categoryOf(unit.text);
      const where = how === '' ? '' : `, read through ${how},`;
      const field = unit.field;
      const issue: DescriptionIssue = {
        code: score >= flagFrom ? (category === 'Tool Shadowing' ? 'E002' : 'E001') : 'W001',
        category,
        score,
        field,
        quote: most(visible(unit.text), 200),
        says: `The ${field}${where} reads like an order to the agent: “${most(visible(unit.text), 160)}” (${words.join(', ')}).`,
      };
      return { issue, mark: { field, how, sentence: most(visible(unit.text), 600), words, score } };
    });
}

const handing = new Set(['send', 'send-abroad', 'put', 'remote']);
const belongings = new Set([
  'conversation',
  'conversation-abroad',
  'private',
  'secret',
  'secret-abroad',
  'file',
]);

/** What a sentence is about, by the word classes in it: for people, the verdict does not depend on it. */
function categoryOf(sentence: string): Category {
  const text = sentence.toLowerCase();
  const names = classNames();
  const found = new Set(classesIn(wordsOf(text), text).map(({ id }) => names[id] ?? ''));
  const has = (some: ReadonlySet<string>) => [...some].some((name) => found.has(name));
  if (found.has('other-tool') || (found.has('disparage') && found.has('best'))) return 'Tool Shadowing';
  if (has(handing) && has(belongings)) return 'Data Exfiltration';
  if (found.has('file') || (found.has('take') && found.has('secret'))) return 'Sensitive Data Access';
  return 'Prompt Injection';
}

function judgedIssue(
  { description }: DescribedTool,
  judged: Judgement,
  isSupported: boolean,
): DescriptionIssue[] {
  const decides = judged?.decides === true;
  if (judged === undefined || judged.probability < (decides ? flagFrom : judgeAlone)) return [];
  const isVerdict = decides || isSupported;
  return [
    {
      code: isVerdict ? 'E001' : 'W001',
      category: 'Prompt Injection',
      score: isVerdict ? judged.probability : mediumFrom,
      field: 'description',
      quote: most(visible(description), 200),
      says: judged.reason,
    },
  ];
}

function verdictOf(
  issues: DescriptionIssue[],
  { isCertain, marked, notes }: Pick<ToolVerdict, 'isCertain' | 'marked' | 'notes'>,
): ToolVerdict {
  const scores: Record<string, number> = { 'Prompt Injection': 0 };
  const explanation: Record<string, string> = {};
  for (const { category, score, says } of issues)
    if (score > (scores[category] ?? -1)) {
      scores[category] = Math.round(score * 1000) / 1000;
      explanation[category] = says;
    }
  const categories = Object.keys(scores).filter((name) => (scores[name] ?? 0) >= flagFrom);
  const highest = Math.max(...Object.values(scores));
  return {
    flagged: categories.length > 0,
    isCertain,
    tier: highest >= flagFrom ? 'high' : highest >= mediumFrom ? 'medium' : 'none',
    categories,
    categoryScores: scores,
    explanation,
    issues,
    marked,
    notes,
  };
}
