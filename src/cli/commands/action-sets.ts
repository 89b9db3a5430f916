import type { Command } from 'commander';
import { createClient } from '#base/contract/client.ts';
import { invalid } from '#base/errors.ts';
import { setOperations } from '#services/action-guard/contract/sets.ts';
import { templateOperations } from '#services/action-guard/contract/templates.ts';
import { actionGuardUrlOf, apiKey, type ConnectionOptions } from '../connection.ts';
import { plain } from '#base/log/plain.ts';

const prefix = 'pol_preset_';

const repeated = (name: string, before: string[] = []): string[] => [...before, name];

interface CreateOptions extends ConnectionOptions {
  preset: string[];
  json?: boolean;
}

/** `shop` and `trade_shop` are the same preset. */
const findPreset = (ids: readonly string[], name: string): string | undefined =>
  [`${prefix}${name}`, `${prefix}trade_${name}`, name].find((id) => ids.includes(id));

/** `bulwark action create-set`: makes a policy set of presets. */
export function addCreateSetCommand(action: Command): void {
  action
    .command('create-set')
    .description(
      'make a policy set of presets at a running service (key in BULWARK_API_KEY, else that of this machine)',
    )
    .argument('<name>', 'what the set is called')
    .requiredOption(
      '--preset <name>',
      'a preset, such as shop, travel, banking, devops, office or data_exfiltration; may be repeated',
      // Without a default, so that an empty set, which would allow everything, is not made unasked.
      repeated,
    )
    .option('--url <address>', 'the action guard (default: BULWARK_ACTION_GUARD_URL, else as configured)')
    .option('--json', 'print JSON')
    .action(async (name: string, options: CreateOptions) => {
      const key = apiKey();
      const client = createClient(
        { ...setOperations, ...templateOperations },
        { baseUrl: actionGuardUrlOf(options), headers: () => ({ 'x-api-key': key }) },
      );
      const { templates } = await client.listTemplates({});
      const ids = templates.map(({ id }) => id);
      const chosen = options.preset.map((preset) => {
        const id = findPreset(ids, preset);
        if (id !== undefined) return id;
        const known = ids.map((each) => each.replace(prefix, '').replace(/^trade_/, ''));
        throw invalid(`'--preset' names no preset: ${preset}. There are ${known.join(', ')}.`);
      });
      const made = await client.createPolicySet({ body: { name, policy_ids: [...new Set(chosen)] } });
      if (options.json === true) console.log(JSON.stringify(made, null, 2));
      else console.log(`${made.policy_id}  ${plain(made.name)}  ${made.policy_count} presets`);
    });
}
