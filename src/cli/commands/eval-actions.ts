import { Option, type Command } from 'commander';
import { invalid } from '#base/errors.ts';
import type { Severity } from '#engine/actions/types.ts';
import { compareActions } from '../eval/actions/compare.ts';
import { evaluateActions } from '../eval/actions/evaluate.ts';
import { traceJudge } from '../eval/actions/judge-traces.ts';
import { printedActions, printedMiss } from '../eval/actions/print.ts';
import { ActionReport, actionReportOf } from '../eval/actions/report.ts';
import { readReport } from '../eval/read-report.ts';
import { readRules } from '../eval/actions/rules.ts';
import { exitCodes } from '../exit-codes.ts';
import { refuseUnwritable, write } from '../files.ts';
import { numberFrom } from '../number-option.ts';

interface EvalActionsOptions {
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

async function evalActions(path: string, options: EvalActionsOptions): Promise<void> {
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

/** `bulwark eval actions`. */
export function addEvalActionsCommand(evaluation: Command): void {
  evaluation
    .command('actions')
    .description(
      'judge labelled traces of agents, and print how many attacks are stopped and benign calls are flagged',
    )
    .argument('<path>', 'a .jsonl or .jsonl.gz file, or a folder of them')
    .option(
      '--rules <file.yaml>',
      'rules to measure, or a folder of them (default: the built-in policy set agp_default)',
    )
    .addOption(
      new Option('--blocking-level <level>', 'rules of this severity and above block')
        .choices(['High', 'Medium', 'Low'])
        .default('Medium'),
    )
    .addOption(
      new Option('--outputs <which>', 'whether the rules see what the tools answered')
        .choices(['with', 'without', 'both'])
        .default('both'),
    )
    .option('--misses <n>', 'show so many traces that were judged wrongly', numberFrom(0, 10_000, true), 0)
    .option('--json <file>', 'write all figures, to compare with later')
    .option('--compare <file>', 'compare with an earlier --json, worst regression first')
    .addOption(
      new Option(
        '--fail-on-regression <points>',
        `exit with ${exitCodes.regressed} when fewer attacks are stopped, or more is flagged, by more than this`,
      ).argParser(numberFrom(0, 100, false)),
    )
    .addHelpText(
      'after',
      `
A row is a line of JSON; label 1 is an attack, and flag_steps tells which steps are:
  {"session_history": {"trace": […]}, "label": 1, "flag_steps": [3], "suite": "mail", "wording": "todo"}

Ctrl-C prints what was judged so far. docs/guides/evaluating.md explains the figures.
`,
    )
    .action(async (path: string, options: EvalActionsOptions) => {
      if (options.failOnRegression !== undefined && options.compare === undefined)
        throw invalid('--fail-on-regression needs --compare <earlier.json>.');
      await evalActions(path, options);
    });
}
