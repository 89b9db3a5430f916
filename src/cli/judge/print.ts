import type { Env } from '#base/config/load.ts';
import { layout, share } from '../eval/layout.ts';
import { quantileOf, type Choice } from './choose.ts';
import { figuresOf, type Judged, type ModelJudged } from './measure.ts';
import type { ProbeRow } from './probe.ts';
import type { Candidate, Tried } from './candidate.ts';
import { asYaml } from './write-config.ts';

type Log = (line: string) => void;

export function printFound(candidates: readonly Candidate[], log: Log): void {
  for (const address of new Set(candidates.map(({ baseUrl }) => baseUrl))) {
    const there = candidates.filter(({ baseUrl }) => baseUrl === address);
    log(`${there[0]?.kind} at ${address}: ${there.map(({ model }) => model).join(', ')}`);
  }
}

const cellsOf = (rows: readonly ProbeRow[], judged: Judged): string[] => {
  const { right, recall, falsePositiveRate, auroc } = figuresOf(rows, judged);
  return [String(right), share(recall), share(falsePositiveRate), share(auroc)];
};

const secondsOf = ({ ms }: ModelJudged): string => (quantileOf(ms, 0.5) / 1000).toFixed(2);

/** The embedded engine, and each model alone and behind it. */
export function printMeasured(
  rows: readonly ProbeRow[],
  embedded: Judged,
  tried: readonly Tried[],
  log: Log,
): void {
  const lines = [['embedded', ...cellsOf(rows, embedded), '0.00', '']];
  for (const { candidate, judged } of tried) {
    if (judged === undefined) continue;
    const tokens = judged.hasLogprobs ? 'yes' : 'no';
    lines.push([
      `cascade with ${candidate.model}`,
      ...cellsOf(rows, judged.cascade),
      secondsOf(judged),
      tokens,
    ]);
    lines.push([`llm ${candidate.model}`, ...cellsOf(rows, judged), secondsOf(judged), tokens]);
  }
  const header = [
    'engine',
    `right of ${rows.length}`,
    'recall',
    'FPR',
    'AUROC',
    's per question',
    'log-probs',
  ];
  log(`\n${layout(header, lines)}\n`);
  for (const { candidate, error } of tried)
    if (error !== undefined) log(`${candidate.model} was not measured: ${error}`);
}

/** Environment variables are stronger than the file. */
const inTheWay = (env: Env): string[] =>
  ['BULWARK_LLM_BASE_URL', 'BULWARK_LLM_MODEL'].filter((name) => (env[name] ?? '') !== '');

/** What changes, or why nothing does. */
export function printOutcome(
  { best, difference, isBetter, settings }: Choice,
  { path, writes, env, engine }: { path: string; writes: boolean; env: Env; engine: string },
  log: Log,
): void {
  if (best === undefined || difference === undefined)
    return log('No model could be measured; nothing changes.');
  const { onlyFirst, onlySecond, pValue } = difference;
  const { model, isConfigured } = best.candidate;
  if (isConfigured) return log(`${model}, which is configured, judges best; nothing changes.`);
  const counts = `${onlySecond} texts are judged right that were wrong before, ${onlyFirst} the other way round (p = ${pValue.toFixed(3)})`;
  if (!isBetter || settings === undefined)
    return log(
      `With ${model} ${counts}: that may be chance, so nothing changes. A larger model may do better.`,
    );
  log(`With ${model} ${counts}.\n`);
  log(asYaml(settings));
  log(
    writes
      ? `\nWritten to ${path}. Restart Bulwark to use it.`
      : `\nNot written; without --dry-run it is written to ${path}.`,
  );
  log(
    engine === 'auto' || engine === 'cascade'
      ? 'Guards without an engine of their own become cascades.'
      : `policy_guard_judge.engine is ${engine}: guards use the model only where it is auto, cascade or llm, or where they say so themselves.`,
  );
  const stronger = inTheWay(env);
  if (stronger.length > 0) log(`${stronger.join(' and ')} in the environment override the file: unset them.`);
}

/** The same for programs; shares are unrounded. */
export function toJson(
  rows: readonly ProbeRow[],
  embedded: Judged,
  tried: readonly Tried[],
  { best, difference, isBetter, settings }: Choice,
  written: string | null,
) {
  return {
    rows: rows.length,
    embedded: figuresOf(rows, embedded),
    models: tried.map(({ candidate, judged, error }) => ({
      server: candidate.kind,
      base_url: candidate.baseUrl,
      model: candidate.model,
      configured: candidate.isConfigured,
      llm: judged === undefined ? null : figuresOf(rows, judged),
      cascade: judged === undefined ? null : figuresOf(rows, judged.cascade),
      median_ms: judged === undefined ? null : quantileOf(judged.ms, 0.5),
      logprobs: judged?.hasLogprobs ?? null,
      error: error ?? null,
    })),
    best: best?.candidate.model ?? null,
    better: isBetter,
    gained: difference?.onlySecond ?? null,
    lost: difference?.onlyFirst ?? null,
    p_value: difference?.pValue ?? null,
    settings: settings ?? null,
    written,
  };
}
