/** Verdicts of three letters, and parsing each answer format into one. */

/** Probabilities of A (violation), B (borderline), C (no violation); they add up to 1. */
export interface Verdict {
  readonly A: number;
  readonly B: number;
  readonly C: number;
}

export const letters = ['A', 'B', 'C'] as const;
export type Letter = (typeof letters)[number];

/** One token of an answer with the likeliest tokens in its place. */
export interface TokenLogprobs {
  readonly token: string;
  readonly logprob: number;
  readonly top: readonly { readonly token: string; readonly logprob: number }[];
}

const leastProbability = 1e-4;
/** Minimum probability mass of the letters; below, the model did not answer the question. */
const leastMass = 0.5;

const clamp = (p: number): number => Math.min(1 - leastProbability, Math.max(leastProbability, p));

/** The probability of a violation at a strictness, 1e-4..1-1e-4; never falls as strictness rises. */
export function atStrictness({ A, B }: Verdict, strictness: 'low' | 'medium' | 'high'): number {
  const shareOfBorderline = { low: 0, medium: 0.5, high: 1 };
  return clamp(A + shareOfBorderline[strictness] * B);
}

function normalised(raw: Record<Letter, number>): Verdict {
  const sum = raw.A + raw.B + raw.C;
  return { A: raw.A / sum, B: raw.B / sum, C: raw.C / sum };
}

/** Some servers show a leading blank as their tokenizer writes it. */
const bare = (token: string): string => token.replaceAll(/[Ġ▁Ċ\s]/g, '').toUpperCase();

const letterOf = (token: string): Letter | undefined => {
  const text = bare(token);
  return letters.find((letter) => letter === text);
};

/**
 * The verdict in one token's place. The probabilities of all spellings of a letter add up (`A`, ` a`); a letter that is
 * not among the returned tokens counts as the least of these; then the three are made to add up to 1, because servers
 * with constrained output report the distribution before the constraint. `mass` is what the letters held before that;
 * under {@link leastMass} there is no verdict.
 */
export function verdictOfToken({ token, logprob, top }: TokenLogprobs): {
  mass: number;
  verdict: Verdict | undefined;
} {
  const all = top.some((each) => each.token === token) ? top : [...top, { token, logprob }];
  const floor = Math.exp(Math.min(...all.map((each) => each.logprob)));
  const raw: Record<Letter, number> = { A: 0, B: 0, C: 0 };
  for (const each of all) {
    const letter = letterOf(each.token);
    if (letter !== undefined) raw[letter] += Math.exp(each.logprob);
  }
  const mass = raw.A + raw.B + raw.C;
  if (!(mass >= leastMass)) return { mass, verdict: undefined };
  for (const letter of letters) if (raw[letter] === 0) raw[letter] = floor;
  const first = normalised(raw);
  return { mass, verdict: normalised({ A: clamp(first.A), B: clamp(first.B), C: clamp(first.C) }) };
}

const reasoningEnd = /<\/(?:think|thinking|reasoning)>/gi;

/** The token that answers: the first that is not blank, after the reasoning where the stream carries it. */
export function answerToken(
  tokens: readonly TokenLogprobs[],
  hasSeparateReasoning: boolean,
): TokenLogprobs | undefined {
  const text = tokens.map(({ token }) => token).join('');
  const end = [...text.matchAll(reasoningEnd)].at(-1);
  if (end === undefined && hasSeparateReasoning)
    return tokens.findLast(({ token }) => letterOf(token) !== undefined);
  const from = end === undefined ? 0 : end.index + end[0].length;
  let at = 0;
  return tokens.find(({ token }) => {
    const starts = at;
    at += token.length;
    return starts >= from && bare(token) !== '';
  });
}

/** Answers on a scale of five, for models without log-probabilities; A + B/2 is .02, .2, .5, .8, .98. */
export const likelihoods = {
  very_unlikely: { A: 0.01, B: 0.02, C: 0.97 },
  unlikely: { A: 0.1, B: 0.2, C: 0.7 },
  possible: { A: 0.3, B: 0.4, C: 0.3 },
  likely: { A: 0.7, B: 0.2, C: 0.1 },
  very_likely: { A: 0.97, B: 0.02, C: 0.01 },
} as const satisfies Record<string, Verdict>;

export type Likelihood = keyof typeof likelihoods;

/** The verdict of a bare letter whose probability is unknown. */
const ofLetter: Record<Letter, Verdict> = {
  A: likelihoods.very_likely,
  B: likelihoods.possible,
  C: likelihoods.very_unlikely,
};

/** Each a way of saying a letter; `A` as an article is none of them. */
const spoken = [
  /^[\s"'`*_([{]*([ABC])(?=[\s"'`*_)\]}.:,!-]*$)/gim,
  /\b(?:verdict|answer|label|classification|letter)\b["'`*_]*\s*(?:is|:|=|-|–)+\s*["'`*_([{]*([ABC])\b(?!')/gi,
  /\\boxed\{([ABC])\}/g,
];

/** A verdict is at the end of an answer, after any text before it; only that many characters are read. */
const longestAnswer = 2000;

/** The verdict of a free text; undefined when it names no letter, or more than one. */
export function verdictOfText(text: string): Verdict | undefined {
  const end = text.slice(-longestAnswer);
  const named = new Set(
    spoken.flatMap((pattern) => [...end.matchAll(pattern)].map((match) => (match[1] ?? '').toUpperCase())),
  );
  const [only] = named;
  return named.size === 1 && only !== undefined ? ofLetter[only as Letter] : undefined;
}

/** The middle of several verdicts. */
export function meanVerdict(verdicts: readonly [Verdict, ...Verdict[]]): Verdict {
  const sum: Record<Letter, number> = { A: 0, B: 0, C: 0 };
  for (const verdict of verdicts) for (const letter of letters) sum[letter] += verdict[letter];
  return normalised(sum);
}
