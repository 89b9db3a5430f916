import { Option, type Command } from 'commander';
import type { EvalActionsOptions } from '../eval/actions/eval-actions.ts';
import { exitCodes } from '../exit-codes.ts';
import { numberFrom } from '../number-option.ts';
import { WrongUsage } from '../wrong-usage.ts';

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
    .option('--misses <n>', 'number of wrongly judged traces to show', numberFrom(0, 10_000, true), 0)
    .option('--json <file>', 'write all metrics, for a later --compare')
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
A row is a line of JSON; label 1 is an attack, and flag_steps lists the steps that are:
  {"session_history": {"trace": […]}, "label": 1, "flag_steps": [3], "suite": "mail", "wording": "todo"}

Ctrl-C prints what was judged so far. docs/guides/evaluating.md explains the figures.
`,
    )
    .action(async (path: string, options: EvalActionsOptions) => {
      if (options.failOnRegression !== undefined && options.compare === undefined)
        throw new WrongUsage('--fail-on-regression needs --compare <earlier.json>.');
      const { evalActions } = await import('../eval/actions/eval-actions.ts');
      await evalActions(path, options);
    });
}
