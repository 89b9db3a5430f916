import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { headLogit } from './adapted-head.ts';
import {
  type Analysis,
  type Engine,
  type ReadSubject,
  analyseText,
  analyseTextInTurns,
  logitsAlone,
} from './analysis.ts';
import { evidenceOf, explainSentence, meaningEvidence, policyEvidence } from './explain.ts';
import { fitMeasured } from './fit-measured.ts';
import { Judge } from './judge.ts';
import { type TextModel, readModel } from './model.ts';
import { readsPlainly } from './plain.ts';
import { compilePhrase } from './policy-phrases.ts';
import {
  type PolicyMatch,
  type ReadyPolicy,
  matchPolicy,
  nearestPhrase,
  readyPolicy,
} from './policy-score.ts';
import { readPolicyWeights } from './policy-weights.ts';
import { priorsOf } from './policy-subjects.ts';
import { type RuleFile, RuleSet } from './rules.ts';
import { SentenceEncoder } from './sentence-encoder.ts';
import { slicesOf } from './slices.ts';
import { type KindShifts, readKindShifts } from './text-kinds.ts';
import {
  type CompiledPolicy,
  type ContextMessage,
  type Evidence,
  type LoneDetector,
  detectorSlugs,
} from './types.ts';
import type { PolicyExample, PolicyScore, PolicySource, Strictness, TextKind } from './types.ts';

export { detectorSlugs };
export type { Analysis };

/** A part of a text and where it begins in it, in UTF-16 code units. */
export interface Piece {
  readonly offset: number;
  readonly analysis: Analysis;
}

export interface TextEngine {
  /** Changes whenever weights, rules or the normaliser change. */
  readonly version: string;
  /** Compiles a policy once, when it is saved. */
  compile(source: PolicySource): CompiledPolicy;
  /**
   * All views, features and built-in detectors, once per text. Earlier turns come oldest first. A text that is one of
   * several `pieces` of a longer one is judged as strictly as its length demands.
   */
  analyse(text: string, messages?: readonly ContextMessage[], pieces?: number): Analysis;
  /** Like `analyse`, but yields to the event loop, for long texts. */
  analyseInTurns(text: string, messages?: readonly ContextMessage[]): Promise<Analysis>;
  /**
   * The overlapping pieces of a long text, each analysed when it is asked for; a short text is one piece, and the
   * only one whose meaning earlier turns can change. A policy's score of the whole is that of its strongest piece.
   */
  analysePieces(text: string, messages?: readonly ContextMessage[]): Iterable<Piece>;
  /** Whether the text has one reading: ordinary words, nothing hidden in them. Much faster than an analysis. */
  readsPlainly(text: string): boolean;
  /**
   * Fast: evidence is computed lazily. Where the kind of the text is known, built-in detectors have an operating point
   * of their own for it.
   */
  score(analysis: Analysis, policy: CompiledPolicy, kind?: TextKind): PolicyScore;
  /** How likely the text is what each of the detectors looks for, as `score` has it: at half the cost of an analysis. */
  probabilities(text: string, detectors: readonly LoneDetector[]): number[];
  /**
   * The same policy, adapted to 10 to 500 labelled examples; works for custom policies and built-in detectors. How far
   * it may deviate is chosen by cross-validation.
   * @throws RangeError without an example of each kind
   */
  adapt(policy: CompiledPolicy, examples: readonly PolicyExample[]): CompiledPolicy;
  /** One plain sentence with the strongest evidence for the flagged policies; null when nothing stands out. */
  explain(analysis: Analysis, flagged: readonly { name: string; score: PolicyScore }[]): string | null;
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** By how much the odds are multiplied. */
const strictnessOdds: Readonly<Record<Strictness, number>> = { low: Math.exp(-1), medium: 1, high: Math.E };

/**
 * Adjusts a calibrated probability for a strictness: a shift of one logit, so it keeps the
 * order, keeps 0 and 1, and `medium` is the identity.
 */
export function shiftForStrictness(probability: number, strictness: Strictness): number {
  if (strictness === 'medium') return probability;
  const odds = strictnessOdds[strictness];
  // Written without the logarithm, which loses the order of very small numbers.
  return (probability * odds) / (1 - probability + probability * odds);
}

const dataFolder = join(import.meta.dirname, '../../../data');

/** Increment when views, tokens or scoring change; a test checks it. */
export const codeVersion = 7;

/** The JSON files of a folder below `data/`, in the order of their names. */
const readJsonFiles = (folder: string): string[] =>
  readdirSync(join(dataFolder, folder))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readFileSync(join(dataFolder, folder, name), 'utf8'));

function versionOf(model: TextModel, texts: readonly string[]): string {
  const hash = createHash('sha256').update(model.header.version);
  for (const text of texts) hash.update(text);
  return `${codeVersion}-${hash.digest('hex').slice(0, 12)}`;
}

/** A score with lazily computed evidence. */
class LazyScore implements PolicyScore {
  readonly probability: number;
  readonly vetoed: boolean;
  readonly #find: () => Evidence[];
  #evidence: Evidence[] | undefined;

  constructor(probability: number, { vetoed, evidence }: Judgement) {
    this.probability = probability;
    this.vetoed = vetoed;
    this.#find = evidence;
  }

  get evidence(): Evidence[] {
    return (this.#evidence ??= this.#find());
  }
}

interface Judgement {
  logit: number;
  vetoed: boolean;
  evidence: () => Evidence[];
}

class EmbeddedEngine implements TextEngine {
  readonly version: string;
  readonly #engine: Engine;
  readonly #kinds: KindShifts;
  readonly #ready = new WeakMap<CompiledPolicy, ReadyPolicy>();

  constructor(engine: Engine, kinds: KindShifts, version: string) {
    this.#engine = engine;
    this.#kinds = kinds;
    this.version = version;
  }

  compile({ name, description, blockActivities, safeActivities, detector }: PolicySource): CompiledPolicy {
    const { model } = this.#engine.judge;
    const phrases = (texts: readonly string[]) =>
      texts.filter((text) => text.trim() !== '').map((text) => compilePhrase(text, model));
    const block = phrases(
      blockActivities.length > 0 ? [description, ...blockActivities] : [`${name}. ${description}`],
    );
    const about = phrases([name, description, ...blockActivities]);
    const safe = phrases(safeActivities);
    return { engineVersion: this.version, name, detector, block, safe, priors: priorsOf(about) };
  }

  analyse(text: string, messages: readonly ContextMessage[] = [], pieces = 1): Analysis {
    return analyseText(text, messages, this.#engine, pieces);
  }

  analyseInTurns(text: string, messages: readonly ContextMessage[] = []): Promise<Analysis> {
    return analyseTextInTurns(text, messages, this.#engine);
  }

  readsPlainly(text: string): boolean {
    return readsPlainly(text, this.#engine.judge.model.vocabulary);
  }

  *analysePieces(text: string, messages: readonly ContextMessage[] = []): Generator<Piece> {
    const slices = [...slicesOf(text)];
    for (const [from, to] of slices)
      yield {
        offset: from,
        analysis: this.analyse(text.slice(from, to), slices.length === 1 ? messages : [], slices.length),
      };
  }

  score(analysis: Analysis, policy: CompiledPolicy, kind?: TextKind): PolicyScore {
    const judgement = this.#judge(analysis, policy);
    if (policy.head === undefined)
      return new LazyScore(sigmoid(judgement.logit + this.#shiftOf(policy, kind)), judgement);
    const features = analysis.features();
    return new LazyScore(sigmoid(headLogit(policy.head, { features, prior: judgement.logit })), judgement);
  }

  probabilities(text: string, detectors: readonly LoneDetector[]): number[] {
    const numbers = detectors.map((slug) => detectorSlugs.indexOf(slug));
    return logitsAlone(text, numbers, this.#engine).map(sigmoid);
  }

  adapt(policy: CompiledPolicy, examples: readonly PolicyExample[]): CompiledPolicy {
    const plain = { ...policy, head: undefined };
    const inputs = examples.map(({ text, messages, violates }) => {
      const analysis = this.analyse(text, messages);
      const label: 0 | 1 = violates ? 1 : 0;
      return { features: analysis.features(), prior: this.#judge(analysis, plain).logit, label };
    });
    return { ...policy, engineVersion: this.version, head: fitMeasured(inputs).head };
  }

  #shiftOf({ detector }: CompiledPolicy, kind: TextKind | undefined): number {
    return kind === undefined || detector === undefined ? 0 : (this.#kinds[kind]?.[detector] ?? 0);
  }

  /** The judgement without a head. */
  #judge(analysis: Analysis, policy: CompiledPolicy): Judgement {
    if (policy.detector === undefined) return this.#judgeCustom(analysis, policy);
    const detector = detectorSlugs.indexOf(policy.detector);
    const finding = analysis.findings[detector];
    return {
      logit: analysis.logits[detector] ?? -20,
      vetoed: false,
      evidence: () =>
        finding === undefined
          ? []
          : evidenceOf(analysis.text, finding, this.#engine.judge, finding.detector ?? detector),
    };
  }

  #readyPolicy(policy: CompiledPolicy): ReadyPolicy {
    const known = this.#ready.get(policy);
    if (known !== undefined) return known;
    const ready = readyPolicy(policy, this.#engine.judge, this.#engine.encoder);
    this.#ready.set(policy, ready);
    return ready;
  }

  #judgeCustom(analysis: Analysis, policy: CompiledPolicy): Judgement {
    const ready = this.#readyPolicy(policy);
    const { encoder, judge } = this.#engine;
    let best: (PolicyMatch & { found: ReadSubject }) | undefined;
    for (const found of analysis.subjects()) {
      const match = matchPolicy(
        ready,
        policy,
        { words: found.read.tokens.words, runs: found.runs },
        { encoder, detectorLogit: (slug) => analysis.logits[detectorSlugs.indexOf(slug)] ?? -20 },
      );
      if (best === undefined || match.logit > best.logit) best = { ...match, found };
    }
    if (best === undefined) return { logit: -20, vetoed: false, evidence: () => [] };
    const { logit, vetoed, run, found } = best;
    return {
      logit,
      vetoed,
      evidence: () => {
        const subject = found.subject();
        const near = nearestPhrase(ready, subject, judge.model.header.size);
        if (near === undefined) return [];
        const byWords = policyEvidence(analysis.text, near, { subject, read: found.read });
        if (byWords.length > 0 || run === undefined) return byWords;
        const { deviation } = run.background ?? encoder.background(run.sum);
        const whole = { phrase: near.text, whole: ready.whole, deviation };
        return meaningEvidence(analysis.text, whole, { run, read: found.read }, encoder);
      },
    };
  }

  explain(_analysis: Analysis, flagged: readonly { name: string; score: PolicyScore }[]): string | null {
    return explainSentence(
      flagged.flatMap(({ name, score }) => score.evidence.map((evidence) => ({ name, evidence }))),
    );
  }
}

/** Reads weights and rules from `data/`. @throws Error when a file is missing or broken */
export function loadTextEngine(): TextEngine | Promise<TextEngine> {
  const model = readModel(join(dataFolder, 'models', 'text.bin'));
  const policies = readPolicyWeights(join(dataFolder, 'models', 'policies.bin'));
  const rules = readJsonFiles('rules');
  const engine = {
    judge: new Judge(model),
    encoder: new SentenceEncoder(policies),
    rules: new RuleSet(rules.map((text) => JSON.parse(text) as RuleFile)),
  };
  const kinds = readKindShifts(join(dataFolder, 'models', 'text.kinds.json'), model.header.version);
  const texts = [policies.header.version, JSON.stringify(kinds), ...rules, ...readJsonFiles('lexicons')];
  return new EmbeddedEngine(engine, kinds, versionOf(model, texts));
}
