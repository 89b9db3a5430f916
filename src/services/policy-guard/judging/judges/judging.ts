import { hash } from 'node:crypto';
import type { TextEngine } from '#engine/text/engine.ts';
import type { ContextMessage, TextKind } from '#engine/text/types.ts';
import { judge as judgeEmbedded, strongestSlices, type Best, type PolicySet } from '../embedded/judge.ts';
import type { Finding } from '../verdicts/verdict.ts';
import type { JudgingEvents } from '../events.ts';
import type { Answer, Backend, Material } from './backend.ts';
import type { Bands } from './bands.ts';
import type { EngineChoice, FailMode } from '../../guards/engines.ts';
import { findingOf, type Decided } from './finding.ts';
import type { Reasons } from './language-model/reasons.ts';
import { settled } from './settle.ts';
import { createSuspicion } from './suspicion.ts';

/** The guard's own settings for judging; null: the deployment's default. */
export interface JudgeChoice {
  readonly engine: EngineChoice | null;
  readonly failMode: FailMode | null;
}

export interface JudgeQuestion extends JudgeChoice {
  readonly tenantId: string;
  readonly text: string;
  readonly messages: readonly ContextMessage[];
  /** What the caller says the text is. */
  readonly kind?: TextKind | undefined;
  /** Whether verdicts may be written to and read from the cache. */
  readonly mayCache: boolean;
}

export interface JudgingDeps {
  readonly engine: TextEngine;
  readonly backends: {
    readonly llm?: (Backend & Reasons) | undefined;
    readonly moderation?: Backend | undefined;
    readonly onnx?: Backend | undefined;
  };
  readonly preset: { readonly engine: EngineChoice; readonly failMode: FailMode };
  readonly bands: Bands;
  /** For all calls to backends about one text. */
  readonly timeoutMs: number;
  readonly reasoning: 'off' | 'on_flag' | 'always';
  readonly events: Pick<JudgingEvents, 'judgeFailed'>;
}

/** A policy of a set, with the embedded engine's score. */
interface Item {
  readonly policy: PolicySet['policies'][number];
  readonly best: Best;
}

/** Whatever judges texts by policies here: the embedded engine, with another judge beside or before it. */
export class Judging {
  readonly #deps: JudgingDeps;
  readonly #suspicion;
  readonly #present;
  /** What guards may choose here. */
  readonly engines: readonly EngineChoice[];
  readonly preset: JudgingDeps['preset'];

  constructor(deps: JudgingDeps) {
    this.#deps = deps;
    this.#suspicion = createSuspicion(deps.engine);
    this.#present = [deps.backends.llm, deps.backends.moderation, deps.backends.onnx].filter(
      (each) => each !== undefined,
    );
    this.engines = [
      'embedded',
      ...(deps.backends.llm === undefined ? [] : (['llm', 'cascade'] as const)),
      ...(deps.backends.moderation === undefined ? [] : (['moderation'] as const)),
      ...(deps.backends.onnx === undefined ? [] : (['onnx'] as const)),
    ];
    this.preset = deps.preset;
  }

  /** A finding for each set of policies. */
  async judge(question: JudgeQuestion, sets: readonly PolicySet[]): Promise<Finding[]> {
    const { preset, engine, timeoutMs, events, backends } = this.#deps;
    const choice = question.engine ?? preset.engine;
    if (choice === 'embedded') return judgeEmbedded(engine, question, sets);
    const end = performance.now() + timeoutMs;
    const [suspected = [], ...best] = await strongestSlices(engine, question, [this.#suspicion.set, ...sets]);
    const items = sets.map(({ policies }, i) =>
      policies.flatMap((policy, j) => {
        const found = best[i]?.[j];
        return found === undefined ? [] : [{ policy, best: found }];
      }),
    );
    const material = {
      ...question,
      readings: readingsOf(best.flat()),
      remainingMs: () => Math.max(0, end - performance.now()),
    };
    const answers = await this.#ask(material, choice, items.flat());
    const failMode = question.failMode ?? preset.failMode;
    const attempt = this.#suspicion.of(suspected);
    const decide = (item: Item): Decided => {
      const asked = answers.get(item);
      const decision = settled(item, asked, { failMode, attempt });
      if (decision.failure !== undefined) events.judgeFailed(choice, decision.failure, failMode);
      return decision;
    };
    const reason =
      this.#deps.reasoning === 'off' ? undefined : { backend: backends.llm, when: this.#deps.reasoning };
    return Promise.all(
      sets.map((set, i) => findingOf(engine, set, (items[i] ?? []).map(decide), { material, reason })),
    );
  }

  /** Identifies everything that findings depend on besides guard, groups and question. */
  async version(tenantId: string, { engine: chosen, failMode }: JudgeChoice): Promise<string> {
    const { preset, engine, bands } = this.#deps;
    const choice = chosen ?? preset.engine;
    if (choice === 'embedded') return engine.version;
    const versions = await Promise.all(this.#present.map((backend) => backend.version(tenantId)));
    const parts = [choice, failMode ?? preset.failMode, [...bands], this.#deps.reasoning, versions];
    return `${engine.version} ${hash('sha256', JSON.stringify(parts), 'base64url')}`;
  }

  /** The embedded engine decides alone only the policies that it was made for. */
  #isSure({ policy, best }: Item): boolean {
    const band = policy.source.detector && this.#deps.bands.get(policy.source.detector);
    const { probability } = best.score;
    return band !== undefined && (probability < band.from || probability >= band.to);
  }

  /** Who judges the policy besides the embedded engine: `missing` where that judge is not there. */
  #judgeOf(choice: EngineChoice, item: Item): Backend | 'missing' | undefined {
    const { backends } = this.#deps;
    const { llm } = backends;
    if (choice === 'embedded' || (choice === 'cascade' && this.#isSure(item))) return undefined;
    if (choice === 'llm' || choice === 'cascade') return llm ?? 'missing';
    const backend = backends[choice];
    if (backend === undefined) return 'missing';
    // Policies that the backend does not support go to the model, if there is one.
    return backend.covers(item.policy.source) ? backend : llm;
  }

  async #ask(
    material: Material,
    choice: EngineChoice,
    items: readonly Item[],
  ): Promise<Map<Item, { backend: Backend | undefined; answer: Answer }>> {
    const answers = new Map<Item, { backend: Backend | undefined; answer: Answer }>();
    const wanted = new Map<Backend, Item[]>();
    for (const item of items) {
      const backend = this.#judgeOf(choice, item);
      if (backend === 'missing')
        answers.set(item, { backend: undefined, answer: { failure: 'not_configured' } });
      else if (backend !== undefined) wanted.set(backend, [...(wanted.get(backend) ?? []), item]);
    }
    await Promise.all(
      [...wanted].map(async ([backend, asked]) => {
        const found = await backend.judge(
          material,
          asked.map(({ policy }) => policy.source),
        );
        for (const [i, item] of asked.entries())
          answers.set(item, { backend, answer: found[i] ?? { failure: 'no_answer' } });
      }),
    );
    return answers;
  }
}

const mostReadings = 3;
const readingCharacters = 2000;

/** The strongest slices decoded, where the decoded content scores higher than the text itself. */
function readingsOf(best: readonly Best[]): string[] {
  const readings = new Set<string>();
  for (const { analysis } of new Set(best))
    for (const { view } of analysis.reads)
      if (view.name !== 'plain') readings.add(view.mapped.text.slice(0, readingCharacters).toWellFormed());
  return [...readings].slice(0, mostReadings);
}
