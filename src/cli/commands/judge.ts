import type { Command } from 'commander';
import { numberFrom } from '../number-option.ts';
import type { SetupOptions } from '../judge/setup.ts';

const gathered = (value: string, earlier: readonly string[]): string[] => [
  ...earlier,
  ...value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
];

/** `bulwark judge setup`. */
export function addJudgeCommand(program: Command): void {
  const judge = program.command('judge').description('the language model that judges');
  judge
    .command('setup')
    .description(
      'find models on this machine, try each on sixty texts, and configure the best if it judges better',
    )
    .option(
      '--at <address>',
      'look there instead of the usual ports of Ollama, vLLM, llama.cpp and LM Studio; several are possible',
      gathered,
      [],
    )
    .option('--models <a,b>', 'try only these models', gathered, [])
    .option('--concurrency <n>', 'questions at the same time', numberFrom(1, 64, true), 4)
    .option('--minutes <n>', 'give up on a model after that', numberFrom(0.1, 600, false), 5)
    .option('--dry-run', 'do not write the configuration')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Writes llm.base_url and llm.model, and longer time limits where the model needs them, to the file of BULWARK_CONFIG, else
./bulwark.yaml, if the difference on the sixty texts is larger than chance makes in one of twenty cases.
docs/guides/choosing-a-judge.md says more.
`,
    )
    .action(async (options: SetupOptions) => {
      const { setUpJudge } = await import('../judge/setup.ts');
      await setUpJudge(options);
    });
}
