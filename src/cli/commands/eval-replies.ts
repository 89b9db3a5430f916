import type { Command } from 'commander';
import type { EvalRepliesOptions } from '../eval/replies/eval-replies.ts';
import { numberFrom } from '../number-option.ts';

/** `bulwark eval replies`. */
export function addEvalRepliesCommand(evaluation: Command): void {
  evaluation
    .command('replies')
    .description('judge labelled replies of models, and print how well refusals are told from answers')
    .argument('<path>', 'a .jsonl file')
    .option('--misses <n>', 'number of wrongly judged replies to show', numberFrom(0, 10_000, true), 0)
    .option('--json <file>', 'write all metrics')
    .addHelpText(
      'after',
      `
A row is a line of JSON; the label is full, partial or none, and style, lang and kind give a line of the table each:
  {"request": "How do I …?", "reply": "I can't help with that.", "label": "full", "style": "terse", "lang": "en"}
`,
    )
    .action(async (path: string, options: EvalRepliesOptions) => {
      const { evalReplies } = await import('../eval/replies/eval-replies.ts');
      evalReplies(path, options);
    });
}
