/** What `bulwark eval actions` does: in a file of its own, so that commands that judge nothing load no engine. */
import { invalid } from '#base/errors.ts';
import type { Severity } from '#engine/actions/types.ts';
import { exitCodes } from '../../exit-codes.ts';
import { refuseUnwritable, write } from '../../files.ts';
import { readReport } from '../read-report.ts';
import { compareActions } from './compare.ts';
import { evaluateActions } from './evaluate.ts';
import { traceJudge } from './judge-traces.ts';
import { printedActions, printedMiss } from './print.ts';
import { ActionReport, actionReportOf } from './report.ts';
import { readRules } from './rules.ts';

export interface EvalActionsOptions {
  rules?: string;
  blockingLevel: Severity;
  outputs: ActionReport['settings']['outputs'];
  misses: number;
  json?: string;
  compare?: string;
  failOnRegression?: number;
}

function refuseNothing({ counts }: ActionReport, path: string): void {
  if (counts.judged > 0) return;
  const reason =
    counts.broken > 0
      ? 'every row is broken'
      : counts.without_calls + counts.without_marked_calls > 0
        ? 'no trace has a tool call to judge'
        : 'it holds no trace with the tool outputs asked for';
  throw invalid(`Nothing to judge in ${path}: ${reason}.`);
}

/** Judges the traces of a file or a folder, prints what came of it, and sets the exit status. */
export async function evalActions(path: string, options: EvalActionsOptions): Promise<void> {
  // What can be wrong is found before the traces are judged.
  refuseUnwritable(options.json);
  const before = options.compare === undefined ? undefined : readReport(options.compare, ActionReport);
  const sources = readRules(options.rules);
  const judge = await traceJudge(sources, options.blockingLevel);
  const evaluation = await evaluateActions(judge, {
    path,
    mostMisses: options.misses,
    settings: {
      rules: judge.rules,
      rules_sha256: sources.sha256,
      blocking_level: options.blockingLevel,
      outputs: options.outputs,
    },
  });
  const report = actionReportOf(evaluation);
  if (report.counts.broken > 0)
    process.stderr.write(
      [
        `Broken rows: ${report.counts.broken}, the first of them:`,
        ...report.first_broken.map(({ path: file, line, why }) => `  ${file}:${line}  ${why}`),
        '',
      ].join('\n'),
    );
  refuseNothing(report, path);
  for (const miss of evaluation.tally.misses) console.log(`${printedMiss(miss)}\n`);
  console.log(printedActions(report));
  if (options.json !== undefined) write(options.json, `${JSON.stringify(report, null, 2)}\n`);
  const comparison = before === undefined ? undefined : compareActions(report, before);
  if (comparison !== undefined) console.log(`\n${comparison.text}`);
  if (!report.complete) process.exitCode = exitCodes.interrupted;
  else if ((comparison?.worstPoints ?? 0) > (options.failOnRegression ?? Infinity))
    process.exitCode = exitCodes.regressed;
}
