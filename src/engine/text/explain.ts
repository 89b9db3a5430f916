import type { Finding, ReadView } from './detect.ts';
import type { Judge } from './judge.ts';
import { type Subject, synonymShare } from './policy-match.ts';
import type { EncodedPhrase, EncodedRun, SentenceEncoder } from './sentence-encoder.ts';
import type { CompiledPhrase, Evidence } from './types.ts';

const mostEvidence = 5;
const leastShare = 0.35;
const longestQuote = 160;

/** Tokens that carried a finding, as ranges of the original text, strongest first. */
export function evidenceOf(text: string, finding: Finding, judge: Judge, detector: number): Evidence[] {
  const { read, from, to } = finding;
  const fromRules: Evidence[] = [];
  for (const { rule, first, last } of read.hits) {
    const weight = rule.effects[detector] ?? 0;
    if (weight <= 0 || first < from || last >= to) continue;
    fromRules.push(toEvidence(text, read, { first, last, weight, reason: rule.reason }));
  }
  const shares = judge.contributions(read.input, detector, from, to);
  const fromModels = strongestRuns(shares).map(({ first, last, weight }) =>
    toEvidence(text, read, {
      first: from + first,
      last: from + last,
      weight,
      reason: 'uses wording that is typical of it',
    }),
  );
  return withoutOverlaps([...fromRules, ...fromModels].sort((a, b) => b.weight - a.weight));
}

interface Part {
  first: number;
  last: number;
  weight: number;
  reason: string;
}

function toEvidence(text: string, read: ReadView, { first, last, weight, reason }: Part): Evidence {
  const { mapped, name } = read.view;
  const [from, to] = [read.tokens.starts[first] ?? 0, read.tokens.ends[last] ?? 1];
  const start = mapped.starts[from] ?? 0;
  const end = Math.max(start, mapped.ends[to - 1] ?? start);
  const readAs = mapped.text.slice(from, to);
  return { start, end, quote: text.slice(start, end), readAs, weight, view: name, reason };
}

/** The words of the text that the phrase of a custom policy has too. */
export function policyEvidence(
  text: string,
  phrase: CompiledPhrase,
  { subject, read }: { subject: Subject; read: ReadView },
): Evidence[] {
  const weights = new Map(phrase.stems);
  for (const [synonym, standsFor] of phrase.synonyms)
    weights.set(synonym, (weights.get(standsFor) ?? 0) * synonymShare);
  const reason = `comes near to “${phrase.text}”`;
  const evidence: Evidence[] = [];
  for (const [stem, weight] of weights) {
    const token = subject.stems.get(stem);
    if (token === undefined || weight <= 0) continue;
    evidence.push(toEvidence(text, read, { first: token, last: token, weight, reason }));
  }
  return withoutOverlaps(evidence.sort((a, b) => b.weight - a.weight));
}

/**
 * The words of the run that decided which lie nearest in meaning to the policy: what there is to show where a text has
 * none of the policy's own words.
 */
export function meaningEvidence(
  text: string,
  near: { phrase: string; whole: EncodedPhrase; deviation: number },
  { run, read }: { run: EncodedRun; read: ReadView },
  encoder: SentenceEncoder,
): Evidence[] {
  const shares = encoder.contributions(read.tokens.words.slice(run.from, run.to), near.whole, run.sum);
  for (let i = 0; i < shares.length; i++) shares[i] = (shares[i] ?? 0) / near.deviation;
  const reason = `comes near in meaning to “${near.phrase}”`;
  const evidence = strongestRuns(shares).map(({ first, last, weight }) =>
    toEvidence(text, read, { first: run.from + first, last: run.from + last, weight, reason }),
  );
  return withoutOverlaps(evidence);
}

function withoutOverlaps(sorted: readonly Evidence[]): Evidence[] {
  const kept: Evidence[] = [];
  for (const each of sorted) {
    if (kept.length >= mostEvidence) break;
    if (kept.some((other) => each.start < other.end && other.start < each.end)) continue;
    kept.push(each);
  }
  return kept;
}

/** Runs of tokens with the largest sums; a token far below its neighbours ends a run. */
function strongestRuns(shares: Float64Array): { first: number; last: number; weight: number }[] {
  const runs: { first: number; last: number; weight: number }[] = [];
  let first = 0;
  let sum = 0;
  let best = 0;
  let last = -1;
  const close = () => {
    if (last >= first && best >= leastShare) runs.push({ first, last, weight: best });
  };
  for (let at = 0; at < shares.length; at++) {
    sum += (shares[at] ?? 0) - 0.02;
    if (sum > best) {
      best = sum;
      last = at;
    }
    if (sum > 0 && best - sum < 0.4 && at - first < 24) continue;
    close();
    first = at + 1;
    [sum, best, last] = [0, 0, -1];
  }
  close();
  return runs.sort((a, b) => b.weight - a.weight).slice(0, mostEvidence);
}

const viewPhrases: Readonly<Record<string, string>> = {
  plain: '',
  spaced: ' (letters set apart were joined)',
  leet: ' (digits and signs were read as letters)',
  joined: ' (words run together were split)',
  scrambled: ' (scrambled letters were put right)',
  escaped: ' (after decoding escapes)',
  reversed: ' (read backwards)',
  gloss: ' (read word by word in English)',
};

function viewPhrase(view: string): string {
  const known = viewPhrases[view];
  if (known !== undefined) return known;
  return ` (after undoing: ${view.split('+').join(', ')})`;
}

const shorten = (quote: string) => {
  const clean = quote.replace(/\s+/g, ' ').trim();
  return clean.length > longestQuote ? `${clean.slice(0, longestQuote - 1)}…` : clean;
};

/** One plain sentence with the strongest evidence; null without any. */
export function explainSentence(found: readonly { name: string; evidence: Evidence }[]): string | null {
  const [strongest] = [...found].sort((a, b) => b.evidence.weight - a.evidence.weight);
  if (strongest === undefined) return null;
  const { name, evidence } = strongest;
  const others = [...new Set(found.map((each) => each.name))].filter((each) => each !== name);
  const also = others.length === 0 ? '' : ` Also flagged: ${others.join(', ')}.`;
  return `${name}: the text ${evidence.reason}: “${shorten(evidence.quote)}”${viewPhrase(evidence.view)}.${also}`;
}
