import type { Command } from 'commander';
import { createClient } from '#base/contract/client.ts';
import { apiKeyOperations, keyScopes } from '#identity/contract/api-keys.ts';
import { numberFrom } from '../number-option.ts';
import { baseUrlOf, signIn, type SignInOptions } from '../connection.ts';

type KeyScope = (typeof keyScopes)[number];

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** `bulwark keys create`. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('API keys, which act as the user who made them');
  keys
    .command('create')
    .description('create an API key; it is printed once')
    .argument('<name>', 'what the key is for')
    .addOption(
      keys
        .createOption('--scope <scope>', 'what it is good for: asking guards and agents, or keeping policies')
        .choices(keyScopes)
        .default('all'),
    )
    .option('--expires-in-days <days>', 'when it ends (default: never)', numberFrom(1, 36_500, false))
    .option('--as <username>', 'whose key (default: admin; password from BULWARK_PASSWORD)')
    .option('--tenant <name>', 'their tenant (default: system)')
    .option('--url <address>', 'the policy guard (default: BULWARK_URL, else as configured)')
    .option('--json', 'print JSON')
    .action(
      async (
        name: string,
        options: SignInOptions & { as?: string; expiresInDays?: number; json?: boolean; scope: KeyScope },
      ) => {
        const headers = await signIn({
          ...options,
          ...(options.as === undefined ? {} : { username: options.as }),
        });
        const client = createClient(apiKeyOperations, { baseUrl: baseUrlOf(options), headers });
        const days = options.expiresInDays;
        const created = await client.createApiKey({
          body: {
            name,
            scope: options.scope,
            ...(days === undefined ? {} : { expires_at: daysFromNow(days) }),
          },
        });
        console.log(options.json === true ? JSON.stringify(created, null, 2) : created.key);
      },
    );
}
