import { text as readAll } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { createClient } from '#base/contract/client.ts';
import { AppError } from '#base/errors.ts';
import type { TextKind } from '#engine/text/types.ts';
import { evaluateOperations } from '#services/policy-guard/contract/evaluate.ts';
import { apiKey, baseUrlOf, type ConnectionOptions } from '../connection.ts';
import { exitCodes } from '../exit-codes.ts';
import { readText } from '../files.ts';
import type { LocalVerdict } from '../judge-here.ts';
import { contextOption, strictnessOption, thresholdOption } from '../judging-options.ts';
import { plain } from '#base/log/plain.ts';
import { readPolicies } from '../policies-file.ts';

interface CheckOptions extends ConnectionOptions {
  guard?: string;
  policies?: string;
  threshold: number;
  strictness: 'low' | 'medium' | 'high';
  context?: TextKind;
  json?: boolean;
}

/** The result of either way of judging, as this command prints it. */
interface Verdict extends LocalVerdict {
  guard?: string;
}

async function judge(
  text: string,
  { policies, threshold, strictness, context }: CheckOptions,
): Promise<Verdict> {
  // The engine is loaded by those who need it.
  const { judgeHere } = await import('../judge-here.ts');
  return judgeHere(text, {
    policies:
      policies === undefined ? undefined : readPolicies(readText(policies, 'file of policies'), policies),
    threshold,
    strictness,
    context,
  });
}

async function askGuard(text: string, guardUuid: string, options: CheckOptions): Promise<Verdict> {
  const key = apiKey();
  const client = createClient(evaluateOperations, {
    baseUrl: baseUrlOf(options),
    headers: () => ({ 'x-api-key': key }),
  });
  const answer = await client.topicGuard({ body: { text, guard_uuid: guardUuid, context: options.context } });
  return {
    flag: answer.flag,
    guard: answer.guard,
    policies: answer.results.flatMap(({ probs, categories }) =>
      Object.entries(probs).map(([name, probability]) => ({
        name,
        probability,
        flagged: categories[name] ?? false,
      })),
    ),
    reasoning: answer.results.flatMap(({ reasoning }) => reasoning ?? []).join(' ') || null,
    latency_ms: answer.latency_ms,
  };
}

const textOf = async (argument: string | undefined): Promise<string> => {
  if (argument !== undefined && argument !== '-') return argument;
  if (process.stdin.isTTY) throw new AppError(400, 'no_text', 'Give the text as an argument, or pipe it in.');
  return readAll(process.stdin);
};

function print(verdict: Verdict): void {
  console.log(verdict.flag ? 'FLAGGED' : 'not flagged');
  const width = Math.max(...verdict.policies.map(({ name }) => plain(name).length));
  for (const { name, probability, flagged } of verdict.policies.toSorted(
    (a, b) => b.probability - a.probability,
  ))
    console.log(`${flagged ? ' ! ' : '   '}${plain(name).padEnd(width)}  ${probability.toFixed(3)}`);
  if (verdict.reasoning !== null) console.log(`\n${plain(verdict.reasoning)}`);
}

/** `bulwark guard check`. */
export function addGuardCommand(program: Command): void {
  const guard = program.command('guard').description('judge texts');
  guard
    .command('check')
    .description(
      'judge a text: here, by the nine built-in detectors or the policies of a file, or by a guard of a running service',
    )
    .argument('[text]', 'the text; without it, or with -, standard input')
    .option('--guard <gd_…>', 'a guard of a running service (key in BULWARK_API_KEY)')
    .addOption(new Option('--policies <file.yaml>', 'policies to judge by').conflicts('guard'))
    .addOption(thresholdOption())
    .addOption(strictnessOption())
    .addOption(contextOption())
    .option('--url <address>', 'the policy guard (default: BULWARK_URL, else as configured)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Exits with ${exitCodes.flagged} when the text is flagged, ${exitCodes.done} when it is not.

A file of policies:
  policies:
    - name: No investment advice
      description: The assistant does not recommend investments.
      block_activities: [recommending a stock to buy]
      safe_activities: [explaining what a stock is]
`,
    )
    .action(async (argument: string | undefined, options: CheckOptions) => {
      const text = await textOf(argument);
      const verdict: Verdict =
        options.guard === undefined
          ? await judge(text, options)
          : await askGuard(text, options.guard, options);
      if (options.json === true) console.log(JSON.stringify(verdict, null, 2));
      else print(verdict);
      process.exitCode = verdict.flag ? exitCodes.flagged : exitCodes.done;
    });
}
