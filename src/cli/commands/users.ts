import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createClient } from '#base/contract/client.ts';
import { authOperations } from '#identity/contract/auth.ts';
import { baseUrlOf, signIn, type SignInOptions } from '../connection.ts';

/** `bulwark users add`. */
export function addUsersCommand(program: Command): void {
  const users = program.command('users').description('the people who may sign in');
  users
    .command('add')
    .description('add a member to a tenant; a random password is generated and printed once')
    .argument('<username>', 'the new name')
    .option('--tenant <name>', 'their tenant, and that of the administrator who adds them (default: system)')
    .option(
      '--as <username>',
      'the administrator who adds them (default: admin; password from BULWARK_PASSWORD)',
    )
    .option('--url <address>', 'the policy guard (default: BULWARK_URL, else as configured)')
    .option('--json', 'print JSON')
    .action(async (username: string, options: SignInOptions & { as?: string; json?: boolean }) => {
      const headers = await signIn({
        ...options,
        ...(options.as === undefined ? {} : { username: options.as }),
      });
      const auth = createClient(authOperations, { baseUrl: baseUrlOf(options), headers });
      const password = randomBytes(15).toString('base64url');
      const added = await auth.register({
        body: { username, password, tenant_name: options.tenant ?? 'system' },
      });
      if (options.json === true) console.log(JSON.stringify({ ...added, password }, null, 2));
      else console.log(`${added.username} may sign in to ${added.tenant_name} with the password ${password}`);
    });
}
