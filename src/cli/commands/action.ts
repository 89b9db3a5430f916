import type { Command } from 'commander';
import { z } from 'zod';
import { createClient } from '#base/contract/client.ts';
import { describeIssues } from '#base/contract/issues.ts';
import { invalid } from '#base/errors.ts';
import { plain } from '#base/log/plain.ts';
import { evaluateOperations } from '#services/action-guard/contract/evaluate.ts';
import { SessionHistory } from '#services/action-guard/contract/trace.ts';
import { actionGuardUrlOf, apiKey, type ConnectionOptions } from '../connection.ts';
import { exitCodes } from '../exit-codes.ts';
import { readTextOrInput } from '../files.ts';
import { addCreateSetCommand } from './action-sets.ts';

interface CheckOptions extends ConnectionOptions {
  policy: string;
  session?: string;
  fast?: boolean;
  json?: boolean;
}

/** A whole request, its `session_history`, or the steps alone. */
const TraceFile = z.union([
  z.array(z.unknown()).transform((trace) => ({ session_history: { trace }, session_id: undefined })),
  z.object({ session_history: z.unknown(), session_id: z.string().optional() }),
  z
    .object({ trace: z.array(z.unknown()) })
    .loose()
    .transform((session_history) => ({ session_history, session_id: undefined })),
]);

async function readTrace(path: string) {
  const source = await readTextOrInput(path, 'trace');
  let document: unknown;
  try {
    document = JSON.parse(source);
  } catch (cause) {
    throw invalid(`${path} is not JSON: ${(cause as Error).message}`, cause);
  }
  const file = TraceFile.safeParse(document);
  if (!file.success)
    throw invalid(`${path} holds no trace: a list of steps, or an object with 'trace' or 'session_history'.`);
  const history = SessionHistory.safeParse(file.data.session_history);
  if (!history.success)
    throw invalid(describeIssues(history.error.issues, file.data.session_history, 'trace'));
  return { history: history.data, sessionId: file.data.session_id };
}

type Verdict = z.output<(typeof evaluateOperations.guardActions)['response']>;

function print(verdict: Verdict): void {
  console.log(verdict.allowed ? 'allowed' : `BLOCKED (${verdict.threat_category})`);
  for (const line of verdict.violations) console.log(` ! ${plain(line)}`);
  for (const line of verdict.warnings) console.log(` ~ ${plain(line)}`);
  console.log(`\n${plain(verdict.explanation)}`);
}

/** `bulwark action check`. */
export function addActionCommand(program: Command): void {
  const action = program.command('action').description('judge what agents do');
  addCreateSetCommand(action);
  action
    .command('check')
    .description(
      'judge the last action of a trace by a policy set of a running service (key in BULWARK_API_KEY, else that of this machine)',
    )
    .argument(
      '<trace.json>',
      'a list of steps, a session_history or a complete request; - for standard input',
    )
    .option('--policy <agp_…>', 'the policy set', 'agp_default')
    .option('--session <id>', 'the session that the log entry is written under (default: that of the file)')
    .option('--fast', 'use less of the history; faster but less accurate')
    .option('--url <address>', 'the action guard (default: BULWARK_ACTION_GUARD_URL, else as configured)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExits with ${exitCodes.flagged} when the action is blocked, ${exitCodes.done} when it is allowed.`,
    )
    .action(async (path: string, options: CheckOptions) => {
      const { history, sessionId } = await readTrace(path);
      const key = apiKey();
      const client = createClient(evaluateOperations, {
        baseUrl: actionGuardUrlOf(options),
        headers: () => ({ 'x-api-key': key }),
      });
      const verdict = await client.guardActions({
        body: {
          session_history: history,
          session_id: options.session ?? sessionId ?? 'command-line',
          policy_id: options.policy,
          fast_mode: options.fast === true,
        },
      });
      if (options.json === true) console.log(JSON.stringify(verdict, null, 2));
      else print(verdict);
      process.exitCode = verdict.allowed ? exitCodes.done : exitCodes.flagged;
    });
}
